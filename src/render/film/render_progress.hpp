/// Progress lines while frames are rendered.
#pragma once

#include "brisance/core/progress.hpp"

#include <cstddef>
#include <string>

namespace brisance::render {

/// Time left for the frame in work and for all frames of this rank, by the time that the finished part took. Local; all
/// calls from one thread.
class RenderProgress {
public:
  /// @param what  the results: "pictures"
  RenderProgress(std::string what, std::size_t num_frames) : what_(std::move(what)), num_frames_(num_frames) {}

  /// Logs a line if one is due.
  /// @param share  of the frame in work that is done, 0 … 1
  void frame_share(double share);
  void frame_done() { ++num_done_; }

private:
  std::string what_;
  std::size_t num_frames_, num_done_ = 0;
  core::ProgressClock clock_;
};

}  // namespace brisance::render
