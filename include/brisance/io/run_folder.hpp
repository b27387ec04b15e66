/// The folder of one run: made once, used by one run at a time, and marked when the run ends.
#pragma once

#include "brisance/core/comm.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::io {

/// Status of a run in run.json. A killed run remains `running`; so does one killed before it had completed run.json.
enum class RunStatus { running, finished, interrupted, failed };
[[nodiscard]] std::string_view to_string(RunStatus status);

/// Message in run.json of an interrupted run.
inline constexpr const char* kWhyInterrupted = "a signal or a time limit asked it to stop";

/// The paths in a run folder, and run.json, which has the status. Equal on all ranks; cheap to copy. While an object
/// from `create` or `reopen` (or a copy) lives, rank 0 holds a lock, and no other run can use the folder. Layout:
/// docs/FORMAT.md.
class RunFolder {
public:
  /// Makes the folder (and its parents), `snapshots/` in it, and run.json with status `running`, so that a folder that
  /// cannot be written is found before any computation. A folder that holds a run, finished or not, is refused unless
  /// `overwrite`; then that run's files, known by name, are removed, and nothing else. Always refused are a folder that
  /// another run is writing into, and files of these names without a run.json that shows that a run made them.
  /// @param origin  the checkpoint from which the run branched off, for run.json; empty if none
  /// Collective; throws core::Error on all ranks.
  static RunFolder create(const core::Comm& comm, const std::filesystem::path& path, bool overwrite,
                          const std::string& origin = "");
  /// Opens the folder of a run to be continued, and removes files that killed runs left incomplete. Where there is no
  /// folder yet it is made as by `create`. Collective; throws core::Error on all ranks.
  static RunFolder reopen(const core::Comm& comm, const std::filesystem::path& path, const std::string& origin = "");
  /// The folder of an existing run, for reading. Local; throws core::Error if there is no run.json in it.
  static RunFolder open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path scene() const { return path_ / "scene.toml"; }
  [[nodiscard]] std::filesystem::path log() const { return path_ / "run.log"; }
  [[nodiscard]] std::filesystem::path monitor() const { return path_ / "monitor.csv"; }
  [[nodiscard]] std::filesystem::path series() const { return path_ / "run.hdf.series"; }
  /// Animation of a debris run, debris.glb.
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
  /// Removes all checkpoints but the newest `kept`, and incomplete ones of killed runs. Collective; throws core::Error
  /// on all ranks.
  void keep_checkpoints(const core::Comm& comm, std::size_t kept) const;
  /// Keeps the first num_frames snapshots and removes the others. Collective; throws core::Error on all ranks.
  void keep_snapshots(const core::Comm& comm, std::int64_t num_frames) const;
  /// Removes all files of the run except run.json, for a run that begins again. Collective; throws core::Error on all
  /// ranks.
  void start_over(const core::Comm& comm) const;

  /// Writes scene.toml atomically. Collective; throws core::Error on all ranks.
  void write_scene(const core::Comm& comm, std::string_view toml) const;
  /// Writes a status into run.json, and the reason where it is not `finished`. Collective; throws core::Error on all
  /// ranks.
  void mark(const core::Comm& comm, RunStatus status, std::string_view message = "") const;
  /// The same by one rank alone, which must be rank 0 for a folder from `create` or `reopen`. Local; throws
  /// core::Error.
  void mark_here(RunStatus status, std::string_view message) const;
  /// Writes `failed` from any rank, just before it aborts the others. Local; throws core::Error.
  void mark_failed_here(std::string_view message) const;
  /// Writes `interrupted` unless the run has ended. To be called by a separate thread as soon as a signal arrives: it
  /// waits neither for the disk nor for the current step, as the launcher may kill the process at any moment. Local;
  /// does nothing on ranks other than 0.
  void announce_stop() const;
  /// The status in run.json. Local; throws core::Error if run.json is missing or damaged.
  [[nodiscard]] RunStatus status() const;
  /// Whether a run is writing into the folder at present, by its lock. Local; throws core::Error if that cannot be
  /// determined.
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
