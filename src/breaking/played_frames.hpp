/// Output times of a playback, and its snapshots with their series.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/run_folder.hpp"
#include "brisance/io/series.hpp"
#include "brisance/io/snapshot.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace brisance::breaking {

/// Output times at multiples of an interval, each at the first step that reaches it.
class Schedule {
public:
  explicit Schedule(double interval_s) : interval_s_(interval_s) {}

  /// If due, advances to the next.
  [[nodiscard]] bool is_due(double time_s) {
    if (time_s < static_cast<double>(next_) * interval_s_ * (1 - 1e-12)) return false;
    ++next_;
    return true;
  }

private:
  double interval_s_;
  std::int64_t next_ = 0;
};

/// Writes snapshots of `Played`, which has a time_s(), a snapshot_header(frame), a snapshot_part() and an empty_part();
/// rank 0's are written.
template <class Played>
class PlayedFrames {
public:
  PlayedFrames(const core::Comm& comm, const Played& played, const io::RunFolder& folder, std::string scene)
      : comm_(comm), played_(played), folder_(folder), scene_(std::move(scene)), series_(folder_.series()) {}

  /// Writes a snapshot. Collective; throws core::Error on all ranks.
  void write() {
    io::SnapshotHeader header = played_.snapshot_header(next_);
    header.scene = scene_;
    io::write_snapshot(comm_, folder_.snapshot(next_), header,
                       comm_.is_root() ? played_.snapshot_part() : Played::empty_part());
    series_.append(comm_, {io::RunFolder::snapshot_name(next_), played_.time_s()});
    ++next_;
  }

private:
  const core::Comm& comm_;
  const Played& played_;
  const io::RunFolder& folder_;
  std::string scene_;
  io::Series series_;
  std::int64_t next_ = 0;
};

}  // namespace brisance::breaking
