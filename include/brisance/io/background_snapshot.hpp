/// Writes a snapshot in the background while the caller continues.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/snapshot.hpp"

#include <filesystem>
#include <functional>
#include <memory>

namespace brisance::io {

/// Writes one frame at a time. Rank 0 lays the file out; then a thread of each rank writes its rows in place (plain
/// writes, no MPI and no HDF5); when all ranks' data is on disk, a thread of rank 0 renames the file. Until then it has
/// its temporary name, so that a killed run leaves no damaged frame. The file is the same, dataset for dataset, as that
/// of write_snapshot.
class BackgroundSnapshot {
public:
  /// Collective.
  explicit BackgroundSnapshot(const core::Comm& comm);
  /// Finishes the frame in progress as far as that takes only seconds; ignores failures. Collective.
  ~BackgroundSnapshot();
  BackgroundSnapshot(const BackgroundSnapshot&) = delete;
  BackgroundSnapshot& operator=(const BackgroundSnapshot&) = delete;

  /// Finishes the previous frame and starts this one. Disk space is reserved before it returns.
  /// @param header  of rank 0, except for its form, which is the same on all ranks
  /// @param published  called on rank 0 once the file has its name, in another thread: no MPI, no HDF5; may throw
  /// core::Error
  /// Collective; throws core::Error on all ranks, as `finish` does or because the disk has no space for this frame,
  /// which then leaves nothing behind.
  void start(const std::filesystem::path& file, const SnapshotHeader& header, SnapshotPart part,
             std::function<void()> published);
  /// Tests for progress and starts the next stage; never waits. May be called any number of times on each rank between
  /// two calls of `start`.
  void test();
  /// Waits until the file has its name. Collective; throws core::Error on all ranks if it could not be written: then an
  /// existing file of that name is kept, and nothing else is left.
  void finish();

private:
  struct Frame;
  bool wait_until_told(double most_s);

  core::Comm comm_;
  std::unique_ptr<Frame> frame_;  ///< frame in progress
};

}  // namespace brisance::io
