/// Compares a command's inputs and outputs before it reads or writes any.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::app {

/// A file that a command writes.
struct OutputFile {
  std::string option;              ///< option that names it, for messages
  std::filesystem::path path;      ///< empty: not requested
  bool replaces_existing = false;  ///< allowed without --overwrite
};

/// Refuses outputs that would destroy data. Files are compared by identity (device and number), so links, hard links
/// and other spellings of a name are recognised.
///
///   - An output may never be an input.
///   - Two outputs may not be one file.
///   - An output that exists must be a regular file, and is replaced only with --overwrite.
///
/// @param inputs     files; missing ones are ignored here, since their readers report them
/// @param overwrite  existing outputs may be replaced
/// Call it before any work. Local; throws core::BadInput.
void guard_outputs(const std::vector<std::filesystem::path>& inputs, const std::vector<OutputFile>& outputs,
                   bool overwrite);

/// Is the file a PNG or OpenEXR picture by its first bytes? Local.
[[nodiscard]] bool is_picture(const std::filesystem::path& file);

/// Is the file, or would it be, inside the folder or one below it? Links are resolved. Local.
[[nodiscard]] bool lies_in(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace brisance::app
