/// The folder a run writes into: made once, never mixed with another run's, marked when finished.
#pragma once

#include "brisance/core/comm.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::io {

/// How a run stands, as run.json says. A run that was killed stays `running`, also one that was killed before it had
/// written run.json to its end.
enum class RunStatus { running, finished, interrupted, failed };
[[nodiscard]] std::string_view to_string(RunStatus status);

/// What run.json says of an interrupted run.
inline constexpr const char* kWhyInterrupted = "a signal or a time limit asked it to stop";

/// Paths inside a run folder and its marker run.json. A small value, equal on all ranks; while one that `create` or
/// `reopen` gave lives, no other run gets the folder. Layout: docs/FORMAT.md.
class RunFolder {
public:
  /// Makes the folder (and those above it), `snapshots/` in it, and run.json with status `running`; so a folder that
  /// cannot be written is found before anything is computed. Refuses a folder that holds a run, finished or not, unless
  /// `overwrite`; then removes that run's files, known by name, and nothing else. Refuses, in any case, a folder that a
  /// run is writing into. Refuses, in any case, to replace
  /// files of these names where no run.json says that a run made them. Collective; throws core::Error on all ranks.
  /// `origin`: what run.json says that the run branched off from; empty if it did not.
  static RunFolder create(const core::Comm& comm, const std::filesystem::path& path, bool overwrite,
                          const std::string& origin = "");
  /// The folder of a run that is to go on, without what killed runs left half written; where there is none yet, as
  /// `create` makes it.
  /// Collective; throws core::Error on all ranks.
  static RunFolder reopen(const core::Comm& comm, const std::filesystem::path& path, const std::string& origin = "");
  /// The folder of an existing run. Local; throws core::Error if there is no run.json in it.
  static RunFolder open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path scene() const { return path_ / "scene.toml"; }
  [[nodiscard]] std::filesystem::path log() const { return path_ / "run.log"; }
  [[nodiscard]] std::filesystem::path monitor() const { return path_ / "monitor.csv"; }
  [[nodiscard]] std::filesystem::path series() const { return path_ / "run.hdf.series"; }
  /// Of debris alone: all of it as one animation.
  [[nodiscard]] std::filesystem::path animation() const { return path_ / "debris.glb"; }
  /// snapshots/NNNNNN.hdf; `snapshot_name` is the same relative to the folder, as the series wants it.
  [[nodiscard]] std::filesystem::path snapshot(std::int64_t frame) const { return path_ / snapshot_name(frame); }
  [[nodiscard]] static std::string snapshot_name(std::int64_t frame);

  /// checkpoints/NNNNNNNNN.h5, by step.
  [[nodiscard]] std::filesystem::path checkpoint(std::int64_t step) const;
  /// Checkpoints that are there, the newest first. Local; throws core::Error if the folder cannot be read.
  [[nodiscard]] std::vector<std::filesystem::path> checkpoints() const;
  /// Makes room for checkpoints. Collective; throws core::Error on all ranks.
  void prepare_checkpoints(const core::Comm& comm) const;
  /// Removes all but the newest so many, and what killed runs left unfinished. Collective; throws core::Error.
  void keep_checkpoints(const core::Comm& comm, std::size_t kept) const;
  /// Removes the snapshots from this number on. Collective; throws core::Error on all ranks.
  void keep_snapshots(const core::Comm& comm, std::int64_t num_frames) const;
  /// Removes all that the run has made, but for run.json. Collective; throws core::Error on all ranks.
  void start_over(const core::Comm& comm) const;

  /// Writes scene.toml atomically. Collective; throws core::Error on all ranks.
  void write_scene(const core::Comm& comm, std::string_view toml) const;
  /// Writes the run's end, and why if it was not the planned one, into run.json. Collective; throws core::Error on all
  /// ranks.
  void mark(const core::Comm& comm, RunStatus status, std::string_view message = "") const;
  /// The same by one rank that knows of the end: by rank 0 of a folder that `create` or `reopen` gave. Local; throws
  /// core::Error.
  void mark_here(RunStatus status, std::string_view message) const;
  /// By any rank, just before it takes the others down. Local; throws core::Error.
  void mark_failed_here(std::string_view message) const;
  /// From a thread of its own, as soon as a signal comes: says `interrupted`, unless the run has ended, without waiting
  /// for the disk or for the step that is being computed, since the launcher may kill the next moment. Local; does
  /// nothing on ranks but 0.
  void announce_stop() const;
  /// Local; throws core::Error if run.json is missing or damaged.
  [[nodiscard]] RunStatus status() const;
  /// Whether a run holds the folder at present. Local; throws core::Error if that cannot be found out.
  [[nodiscard]] bool is_being_written() const;
  /// The checkpoint that the run branched off from; empty if it did not. On rank 0 of a folder that `create` or
  /// `reopen` gave, and of every one from `open`.
  [[nodiscard]] const std::string& origin() const { return origin_; }

private:
  struct Hold;
  explicit RunFolder(std::filesystem::path path, std::string origin = "", std::shared_ptr<Hold> hold = {})
      : path_(std::move(path)), origin_(std::move(origin)), hold_(std::move(hold)) {}
  static std::shared_ptr<Hold> held(const std::filesystem::path& folder);

  std::filesystem::path path_;
  std::string origin_;
  std::shared_ptr<Hold> hold_;  ///< on rank 0 of a folder that `create` or `reopen` gave; else none
};

/// The snapshots of a run folder (or of a folder of snapshots) by ascending frame number. Local; throws core::Error if
/// there is no such folder or no snapshot in it.
[[nodiscard]] std::vector<std::filesystem::path> list_snapshots(const std::filesystem::path& folder);

}  // namespace brisance::io
