/// From scene to finished run folder.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace brisance::sim {

/// What a progress line says; handed to rank 0's callback.
struct Progress {
  std::int64_t step = 0;
  double time_s = 0, duration_s = 0, dt_s = 0;
  std::int64_t pieces = 0, contacts = 0, tets = 0, cracks = 0;
  double ms_per_step = 0;  ///< since the last report
  double elapsed_s = 0;    ///< wall seconds since the first step
};

struct RunOptions {
  std::filesystem::path out;
  bool overwrite = false;
  std::string scene_toml;                       ///< the complete scene, written beside the results
  std::function<void(const Progress&)> report;  ///< called on rank 0 only; may be empty
};

/// Meshes the scene's objects, runs it to its end and writes the run folder: scene, log, monitor, snapshots, series.
/// Collective; throws core::Error on all ranks, after marking the folder as failed.
void run(const core::Comm& comm, const Scene& scene, const RunOptions& options);

}  // namespace brisance::sim
