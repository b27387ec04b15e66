/// Where the scenes, scripts and pages are that came with the program.
#pragma once

#include <filesystem>

namespace brisance::core {

/// share/brisance beside the folder of an installed program; the source folder of one in its build folder; empty where
/// there is neither. Nothing of it is compiled in: a program may be moved with what was installed beside it. Local.
[[nodiscard]] std::filesystem::path share_folder_of(const std::filesystem::path& program);
/// The same for the running program.
[[nodiscard]] std::filesystem::path share_folder();

}  // namespace brisance::core
