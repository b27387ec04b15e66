/// From scene to finished run folder.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/marked_run.hpp"
#include "brisance/io/run_folder.hpp"
#include "brisance/sim/branch.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
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

/// Throws core::MissingProgram on all ranks unless the programs that mesh the scene's objects are there. Collective.
void require_programs(const core::Comm& comm, const Scene& scene);

/// The scene's output with the intervals that its zeros choose. Local.
[[nodiscard]] OutputParameters resolved_output(const Scene& scene);

struct RunOptions {
  std::filesystem::path out;
  bool overwrite = false;
  std::string scene_toml;            ///< the complete scene, written beside the results
  std::filesystem::path scene_file;  ///< where it came from, for the log; may be empty
  std::string how_to_stop;           ///< said in the log at the start; may be empty
  bool resume = false;               ///< from the newest checkpoint in the folder
  std::optional<Branch> branch;      ///< where there is nothing to resume: from a checkpoint of another run
  std::string past;                  ///< the part of the scene that must be the same when a run is resumed, as text
  std::function<void(const Progress&)> report;  ///< called on rank 0 only; may be empty
  /// Asked on every rank about ten times a second, or after every longer step; if any says yes, all stop after that
  /// step, with a checkpoint. May be empty.
  std::function<bool()> stop_requested;
  /// The same for a checkpoint without a stop; a request is answered once.
  std::function<bool()> checkpoint_requested;
  /// core::wall_seconds() at which the run must have stopped and written everything [s].
  double deadline_s = std::numeric_limits<double>::infinity();
};

/// Meshes the scene's objects, runs it to its end and writes the run folder: scene, log, monitor, snapshots, series.
/// A run that was asked to stop, or that would pass its deadline, marks the folder as interrupted, writes a checkpoint,
/// a last monitor line and a last snapshot; a resumed run puts others in their place.
/// Collective; throws core::Error on all ranks, after marking the folder as failed.
io::RunEnd run(const core::Comm& comm, const Scene& scene, const RunOptions& options);
/// The same into a folder that was made for it; `out` and `overwrite` of the options are not looked at.
io::RunEnd run(const core::Comm& comm, const Scene& scene, const RunOptions& options, const io::RunFolder& folder);

}  // namespace brisance::sim
