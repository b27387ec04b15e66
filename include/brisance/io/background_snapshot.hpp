/// A snapshot that is written while the caller goes on.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/snapshot.hpp"

#include <filesystem>
#include <functional>
#include <memory>

namespace brisance::io {

/// One frame at a time: rank 0 lays the file out, then a thread of each rank puts its rows into their places (plain
/// writes, no MPI and no HDF5), and when all have done so and their data is on disk a thread of rank 0 gives the file
/// its name. Until then it has its temporary name, so that a run that is killed leaves no damaged frame. The file is
/// the same, dataset for dataset, as that of write_snapshot.
class BackgroundSnapshot {
public:
  /// Collective.
  explicit BackgroundSnapshot(const core::Comm& comm);
  /// Finishes what is under way as far as that can be done in seconds; says nothing of failures. Collective.
  ~BackgroundSnapshot();
  BackgroundSnapshot(const BackgroundSnapshot&) = delete;
  BackgroundSnapshot& operator=(const BackgroundSnapshot&) = delete;

  /// Finishes the frame before and starts this one. Disk space is reserved before it returns.
  /// @param header  of rank 0, but for its form, which is the same on all ranks
  /// @param published  called on rank 0 once the file has its name, in another thread: no MPI, no HDF5; may throw
  ///                   core::Error
  /// Collective; throws core::Error on all ranks, as `finish` does or because this frame has no room, which then leaves
  /// nothing behind.
  void start(const std::filesystem::path& file, const SnapshotHeader& header, SnapshotPart part,
             std::function<void()> published);
  /// Sees how far it is, and does what is next; never waits. Between two calls of `start` any number of times, on each
  /// rank as it pleases.
  void look();
  /// Waits until the file has its name. Collective; throws core::Error on all ranks if it could not be written: then
  /// what was under its name before is still there, and nothing else.
  void finish();

private:
  struct Frame;
  bool wait_until_told(double most_s);

  core::Comm comm_;
  std::unique_ptr<Frame> frame_;  ///< under way
};

}  // namespace brisance::io
