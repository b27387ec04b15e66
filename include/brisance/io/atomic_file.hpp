/// Small text files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace brisance::io {

/// The name a file has while it is being written: the final name with ".writing" appended.
[[nodiscard]] std::filesystem::path temporary_name(const std::filesystem::path& file);

/// Replaces `file` by `text`: temporary name, fsync, rename. A link under either name is replaced, not followed. Local;
/// call it on one rank. Throws core::Error (disk full, folder missing or not writable); what was under `file` before is
/// then still there and the temporary file is gone.
void write_atomically(const std::filesystem::path& file, std::string_view text);

/// The same for a file that must be new: never replaces one. Local; throws core::Error.
/// @return false if there is a file (or anything else) of that name, which another process may have made just now
[[nodiscard]] bool write_new(const std::filesystem::path& file, std::string_view text);

/// As write_atomically, without waiting for the disk: for a process that may be killed the next moment. Local, from any
/// thread or rank; throws core::Error.
void write_at_once(const std::filesystem::path& file, std::string_view text);

/// Second half of write_atomically for files written by other means: fsync the finished `temporary`, give it the name
/// `file`, fsync the folder. Local; throws core::Error.
void publish(const std::filesystem::path& temporary, const std::filesystem::path& file);

/// The whole file as text. Local; throws core::Error if it is missing, not readable or no regular file.
[[nodiscard]] std::string read_text(const std::filesystem::path& file);

}  // namespace brisance::io
