/// The numbers of a run that a page plots.
#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

namespace brisance::exports {

/// monitor.csv as {columns, rows}, columns that are zero throughout left out, at most some hundred rows. Empty without
/// such a file. Local; throws core::Error if it is no table.
[[nodiscard]] nlohmann::json monitor_numbers(const std::filesystem::path& file);

/// Seconds of each phase of a run, [[name, seconds], …], from the summary at the end of run.log. Empty if there is none
/// (playbacks, killed runs). Local.
[[nodiscard]] nlohmann::json phase_seconds(const std::filesystem::path& log);

}  // namespace brisance::exports
