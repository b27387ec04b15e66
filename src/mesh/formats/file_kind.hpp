/// Recognises the kind of a file by its first bytes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace brisance::mesh {

/// Throws core::Error "FILE: is ..., not a mesh. What to do." where the first bytes are those of another kind of file
/// (brisance/mesh/other_kinds.hpp). A binary STL, whose first 80 bytes are free, is never taken for one. Local.
void refuse_other_kinds(const std::filesystem::path& file, std::string_view bytes);

/// The text in UTF-8 where a file is UTF-16 (either byte order, with a byte-order mark or recognisable without one);
/// otherwise nothing. Half a surrogate pair becomes U+FFFD. Local.
[[nodiscard]] std::optional<std::string> utf8_of_utf16(std::string_view bytes);

/// May the bytes be text in an encoding that extends ASCII? No zero byte, nor another byte that text does not have,
/// near the start. Local.
[[nodiscard]] bool is_text(std::string_view bytes);

/// A word or line for a message: cut after `most` bytes, with "?" for every byte that is not printable ASCII. Local.
[[nodiscard]] std::string shown(std::string_view text, std::size_t most = 24);

/// The first line that is not blank, for a message. Local.
[[nodiscard]] std::string first_line(std::string_view bytes);

}  // namespace brisance::mesh
