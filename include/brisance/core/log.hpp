/// The run's log: rank 0 speaks, to the terminal and, once a run folder exists, to its run.log.
#pragma once

#include "brisance/core/comm.hpp"

#include <filesystem>

#include <spdlog/spdlog.h>

namespace brisance::core {

/// Silences every rank but 0 and sets the line format. Call once, after MPI_Init.
void start_log(const Comm& comm);
/// Also append everything from now on to this file (rank 0 only; other ranks do nothing).
void log_to_file(const Comm& comm, const std::filesystem::path& file);

}  // namespace brisance::core
