/// The run's log: rank 0 writes to the terminal and, once a run folder exists, to its run.log.
///
/// Levels: `spdlog::info` and `spdlog::warn` are for the user (progress, findings, files written, doubts and what to do
/// about them). `spdlog::debug` is for developers (load balance, contact detection, solvers, memory): always in
/// run.log, on the terminal with --verbose. `spdlog::trace` (iterations of a solver) appears in both, with --verbose
/// alone.
#pragma once

#include "brisance/core/comm.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <spdlog/spdlog.h>

namespace brisance::core {

/// Silences every rank but 0 and sets the line format. Call once, after MPI_Init.
void start_log(const Comm& comm);
/// From now on the terminal also shows the developers' lines (--verbose).
void show_details(const Comm& comm);
/// Appends all lines from now on to this file (rank 0 only; other ranks do nothing).
void log_to_file(const Comm& comm, const std::filesystem::path& file);
/// One line each; those that begin with "warning: " are warnings.
void log_report(const std::vector<std::string>& lines);

}  // namespace brisance::core
