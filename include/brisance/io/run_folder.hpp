/// The folder of one run: made once, never shared with another run, marked when finished.
#pragma once

#include "brisance/core/comm.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::io {

/// Status of a run in run.json. A killed run stays `running`, also one killed before it had completed run.json.
enum class RunStatus { running, finished, interrupted, failed };
[[nodiscard]] std::string_view to_string(RunStatus status);

/// Message in run.json of an interrupted run.
inline constexpr const char* kWhyInterrupted = "a signal or a time limit asked it to stop";

/// Paths inside a run folder and its marker run.json. A small value, equal on all ranks; while an object from `create`
/// or `reopen` lives, no other run can use the folder. Layout: docs/FORMAT.md.
class RunFolder {
public:
  /// Makes the folder (and its parents), `snapshots/` in it, and run.json with status `running`; so a folder that
  /// cannot be written is found before any computation. Refuses a folder that holds a run, finished or not, unless
  /// `overwrite`; then removes that run's files, known by name, and nothing else. In any case refuses a folder that
  /// another run is writing into, and refuses to replace files of these names where no run.json shows that a run made
  /// them. Collective; throws core::Error on all ranks. `origin`: the checkpoint from which the run branched off, for
  /// run.json; empty if none.
  static RunFolder create(const core::Comm& comm, const std::filesystem::path& path, bool overwrite,
                          const std::string& origin = "");
  /// The folder of a run to be continued, without files that killed runs left incomplete; where there is none yet, as
  /// `create` makes it. Collective; throws core::Error on all ranks.
  static RunFolder reopen(const core::Comm& comm, const std::filesystem::path& path, const std::string& origin = "");
  /// The folder of an existing run. Local; throws core::Error if there is no run.json in it.
  static RunFolder open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path scene() const { return path_ / "scene.toml"; }
  [[nodiscard]] std::filesystem::path log() const { return path_ / "run.log"; }
  [[nodiscard]] std::filesystem::path monitor() const { return path_ / "monitor.csv"; }
  [[nodiscard]] std::filesystem::path series() const { return path_ / "run.hdf.series"; }
  /// For debris only: all of it as one animation.
  [[nodiscard]] std::filesystem::path animation() const { return path_ / "debris.glb"; }
  /// snapshots/NNNNNN.hdf; `snapshot_name` is relative to the folder, as in the series file.
  [[nodiscard]] std::filesystem::path snapshot(std::int64_t frame) const { return path_ / snapshot_name(frame); }
  [[nodiscard]] static std::string snapshot_name(std::int64_t frame);

  /// checkpoints/NNNNNNNNN.h5, numbered by step.
  [[nodiscard]] std::filesystem::path checkpoint(std::int64_t step) const;
  /// Existing checkpoints, the newest first. Local; throws core::Error if the folder cannot be read.
  [[nodiscard]] std::vector<std::filesystem::path> checkpoints() const;
  /// Makes the folder of checkpoints. Collective; throws core::Error on all ranks.
  void prepare_checkpoints(const core::Comm& comm) const;
  /// Removes all checkpoints but the newest `kept`, and incomplete ones of killed runs. Collective; throws core::Error.
  void keep_checkpoints(const core::Comm& comm, std::size_t kept) const;
  /// Removes the snapshots from this number on. Collective; throws core::Error on all ranks.
  void keep_snapshots(const core::Comm& comm, std::int64_t num_frames) const;
  /// Removes all files of the run except run.json. Collective; throws core::Error on all ranks.
  void start_over(const core::Comm& comm) const;

  /// Writes scene.toml atomically. Collective; throws core::Error on all ranks.
  void write_scene(const core::Comm& comm, std::string_view toml) const;
  /// Writes the run's end into run.json, and the reason if it was not the planned end. Collective; throws core::Error
  /// on all ranks.
  void mark(const core::Comm& comm, RunStatus status, std::string_view message = "") const;
  /// As `mark`, by one rank: by rank 0 for a folder from `create` or `reopen`. Local; throws core::Error.
  void mark_here(RunStatus status, std::string_view message) const;
  /// As `mark` with `failed`, by any rank, just before it aborts the others. Local; throws core::Error.
  void mark_failed_here(std::string_view message) const;
  /// For a separate thread, as soon as a signal arrives: writes `interrupted`, unless the run has ended, without
  /// waiting for the disk or for the current step, since the launcher may kill at any moment. Local; does nothing on
  /// ranks other than 0.
  void announce_stop() const;
  /// Local; throws core::Error if run.json is missing or damaged.
  [[nodiscard]] RunStatus status() const;
  /// Is a run writing into the folder at present? Local; throws core::Error if that cannot be determined.
  [[nodiscard]] bool is_being_written() const;
  /// The checkpoint from which the run branched off; empty if none. Known on rank 0 for a folder from `create` or
  /// `reopen`, and on every rank for one from `open`.
  [[nodiscard]] const std::string& origin() const { return origin_; }

private:
  struct Hold;
  explicit RunFolder(std::filesystem::path path, std::string origin = "", std::shared_ptr<Hold> hold = {})
      : path_(std::move(path)), origin_(std::move(origin)), hold_(std::move(hold)) {}
  static std::shared_ptr<Hold> held(const std::filesystem::path& folder);

  std::filesystem::path path_;
  std::string origin_;
  std::shared_ptr<Hold> hold_;  ///< on rank 0 for a folder from `create` or `reopen`; else null
};

/// The snapshots of a run folder (or of a folder of snapshots) by ascending frame number. Local; throws core::Error if
/// there is no such folder or no snapshot in it.
[[nodiscard]] std::vector<std::filesystem::path> list_snapshots(const std::filesystem::path& folder);

}  // namespace brisance::io
