/// Small text files that are written completely or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace brisance::io {

/// The name a file has while it is being written: the final name with ".writing" appended.
[[nodiscard]] std::filesystem::path temporary_name(const std::filesystem::path& file);

/// Replaces `file` by `text`: temporary name, fsync, rename. A link under either name is replaced, not followed. Local;
/// call it on one rank. Throws core::Error (disk full, folder missing or not writable); then the former `file` is kept
/// and the temporary file is removed.
void write_atomically(const std::filesystem::path& file, std::string_view text);

/// The same for a file that must be new: never replaces one. Local; throws core::Error.
/// @return false if something of that name exists, possibly just made by another process
[[nodiscard]] bool write_new(const std::filesystem::path& file, std::string_view text);

/// As write_atomically, without waiting for the disk: for a process that may be killed at any moment. Local, from any
/// thread or rank; throws core::Error.
void write_at_once(const std::filesystem::path& file, std::string_view text);

/// Second half of write_atomically for files written by other means: fsyncs the finished `temporary`, renames it to
/// `file`, fsyncs the folder. Local; throws core::Error.
void publish(const std::filesystem::path& temporary, const std::filesystem::path& file);

/// The whole file as text. Local; throws core::Error if it is missing, not readable or no regular file.
[[nodiscard]] std::string read_text(const std::filesystem::path& file);

}  // namespace brisance::io
