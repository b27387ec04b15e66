/// Compares two checkpoints.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::sim {

/// Differences between two checkpoints, one line a table; empty if runs continue from both with the same bits. Owners
/// and counts that depend on the number of ranks are not compared. Local; throws core::Error.
[[nodiscard]] std::vector<std::string> diff_checkpoints(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace brisance::sim
