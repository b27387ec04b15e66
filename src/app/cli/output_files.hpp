/// What a command reads and what it writes, compared before it does either.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::app {

/// A file that a command writes.
struct OutputFile {
  std::string option;              ///< that names it, for messages
  std::filesystem::path path;      ///< empty: not asked for
  bool replaces_existing = false;  ///< allowed without --overwrite
};

/// Refuses outputs that would destroy something. Files are compared by identity (device and number), so links, hard
/// links and other spellings of a name are seen.
///
///   - An output may not be an input, whatever the user allows.
///   - Two outputs may not be one file.
///   - An output that exists must be a regular file, and is replaced only with --overwrite.
///
/// @param inputs     files; those that are absent are passed over: who reads them complains
/// @param overwrite  the user allows to replace outputs that exist
/// Call it before any work. Local; throws core::BadInput.
void guard_outputs(const std::vector<std::filesystem::path>& inputs, const std::vector<OutputFile>& outputs,
                   bool overwrite);

/// True if the file is a PNG picture, by its first bytes. Local.
[[nodiscard]] bool is_picture(const std::filesystem::path& file);

/// True if the file is, or would be, inside the folder or one below it; links are resolved. Local.
[[nodiscard]] bool lies_in(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace brisance::app
