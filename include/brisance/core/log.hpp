/// The run's log: rank 0 speaks, to the terminal and, once a run folder exists, to its run.log.
///
/// Two levels. `spdlog::info` and `spdlog::warn` are for the user: how far the run is, what it found, what it wrote,
/// what is doubtful and what to do about it. `spdlog::debug` is for developers: load balance, contact detection,
/// solvers, memory. run.log keeps both; the terminal shows the second with --verbose. `spdlog::trace` (iterations of a
/// solver) comes with --verbose alone, in both.
#pragma once

#include "brisance/core/comm.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <spdlog/spdlog.h>

namespace brisance::core {

/// Silences every rank but 0 and sets the line format. Call once, after MPI_Init.
void start_log(const Comm& comm);
/// From now on the terminal shows the lines for developers, too (--verbose).
void show_details(const Comm& comm);
/// Also append everything from now on to this file (rank 0 only; other ranks do nothing).
void log_to_file(const Comm& comm, const std::filesystem::path& file);
/// One line each; those that begin with "warning: " are warnings.
void log_report(const std::vector<std::string>& lines);

}  // namespace brisance::core
