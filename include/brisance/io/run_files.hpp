/// Files of a run in its folder.
#pragma once

#include <filesystem>
#include <vector>

namespace brisance::io {

/// The files that a run always writes, whether they exist or not, and the existing optional ones: those that
/// RunFolder::create removes when it overwrites. Local.
[[nodiscard]] std::vector<std::filesystem::path> run_files(const std::filesystem::path& folder);

}  // namespace brisance::io
