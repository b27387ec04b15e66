/// Options of a run, and its progress reports.
#pragma once

#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace brisance::sim {

/// The values of a progress line, passed to rank 0's callback.
struct Progress {
  std::int64_t step = 0;
  double time_s = 0, duration_s = 0, dt_s = 0;
  std::int64_t pieces = 0, contacts = 0, tets = 0, cracks = 0;
  double ms_per_step = 0;  ///< since the last report
  double elapsed_s = 0;    ///< wall seconds since the first step
};

/// An undamaged checkpoint, and warnings about newer ones that are damaged.
struct WholeCheckpoint {
  std::filesystem::path file;
  std::vector<std::string> warnings;
};

/// The origin of a branched run.
struct Branch {
  WholeCheckpoint from;
  Scene before;         ///< scene of the checkpoint's run; objects, parts, places of regions and kinds of materials
                        ///< are those of the new scene
  std::string changes;  ///< changes of the scene, for the log
};

struct RunOptions {
  std::filesystem::path out;
  bool overwrite = false;
  std::string scene_toml;            ///< the complete scene, written beside the results
  std::filesystem::path scene_file;  ///< source of the scene, for the log; may be empty
  std::string how_to_stop;           ///< text for the log at the start; may be empty
  bool resume = false;               ///< continue from the newest checkpoint in the folder
  std::optional<Branch> branch;      ///< start from a checkpoint of another run, if there is nothing to resume
  std::string past;                  ///< text of the part of the scene that must be the same on resuming
  std::function<void(const Progress&)> report;  ///< called on rank 0 only; may be empty
  /// Called on every rank about ten times a second, or after every longer step. If any returns true, all stop after
  /// that step, with a checkpoint. May be empty.
  std::function<bool()> stop_requested;
  /// The same for a checkpoint without a stop, one checkpoint a request.
  std::function<bool()> checkpoint_requested;
  /// core::wall_seconds() at which the run must have stopped and written everything [s].
  double deadline_s = std::numeric_limits<double>::infinity();
};

}  // namespace brisance::sim
