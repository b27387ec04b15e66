/// The files that a run has made in its folder.
#pragma once

#include <filesystem>
#include <vector>

namespace brisance::io {

/// Those that a run always writes, there or not, and the others that are there: what RunFolder::create removes where it
/// may overwrite. Local.
[[nodiscard]] std::vector<std::filesystem::path> run_files(const std::filesystem::path& folder);

}  // namespace brisance::io
