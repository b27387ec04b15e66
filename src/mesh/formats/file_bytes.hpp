/// Reads a whole file into memory, and words errors about a place in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace brisance::mesh {

/// The bytes of a mesh file; UTF-16 text is converted to UTF-8. Throws core::Error if the file is missing, not a
/// regular one, unreadable, empty or recognised as no mesh (refuse_other_kinds).
[[nodiscard]] std::string read_whole_file(const std::filesystem::path& file);

/// Throws core::Error "FILE:LINE: message" or "FILE, byte N: message".
[[noreturn]] void fail_at_line(const std::filesystem::path& file, std::int64_t line, std::string_view message);
[[noreturn]] void fail_at_byte(const std::filesystem::path& file, std::size_t byte, std::string_view message);

/// The extension in lower case, with its dot.
[[nodiscard]] std::string lower_extension(const std::filesystem::path& file);

}  // namespace brisance::mesh
