/// Opening a file that a user names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

namespace brisance::core {

/// Throws core::Error unless the path, links followed, is a regular file. A missing file, a folder, a pipe or a device
/// is refused before it is opened, since reading a pipe may block for ever and a device may never end.
/// @param advice  a sentence for the user: "Give the path of a mesh file."
/// Local.
void require_regular_file(const std::filesystem::path& file, const std::string& advice);

/// The bytes of a regular file.
/// @param most_bytes  a larger file is refused before it is read
/// Local; throws core::Error as require_regular_file, and for a file that is too large or cannot be read.
[[nodiscard]] std::string read_input(const std::filesystem::path& file, const std::string& advice,
                                     std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max());

}  // namespace brisance::core
