/// What a run is asked for, and what it reports.
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

/// What a progress line says; handed to rank 0's callback.
struct Progress {
  std::int64_t step = 0;
  double time_s = 0, duration_s = 0, dt_s = 0;
  std::int64_t pieces = 0, contacts = 0, tets = 0, cracks = 0;
  double ms_per_step = 0;  ///< since the last report
  double elapsed_s = 0;    ///< wall seconds since the first step
};

/// A checkpoint that is what was written, and what was wrong with newer ones.
struct WholeCheckpoint {
  std::filesystem::path file;
  std::vector<std::string> warnings;
};

/// Where a run branches off.
struct Branch {
  WholeCheckpoint from;
  Scene before;         ///< that the checkpoint's run was of; objects, parts, places of regions and kinds of materials
                        ///< are those of the new scene
  std::string changes;  ///< what is new, for the log
};

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

}  // namespace brisance::sim
