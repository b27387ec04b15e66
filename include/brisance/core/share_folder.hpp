/// Folder of the scenes, scripts and pages that came with the program.
#pragma once

#include <filesystem>

namespace brisance::core {

/// Returns share/brisance beside the folder of an installed program, the source folder for a program in its build
/// folder, and an empty path where there is neither. No path is compiled in: a program may be moved together with what
/// was installed beside it. Local.
[[nodiscard]] std::filesystem::path share_folder_of(const std::filesystem::path& program);
/// The same for the running program.
[[nodiscard]] std::filesystem::path share_folder();

}  // namespace brisance::core
