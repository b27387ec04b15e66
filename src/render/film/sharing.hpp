/// Which frames, and which rows of a frame, a rank renders.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace brisance::render {

/// Rows of a picture: first, first + stride, …
struct RowShare {
  int first = 0, stride = 1;

  /// How many rows these are of a picture of that height.
  [[nodiscard]] int count(int height) const { return first < height ? (height - first + stride - 1) / stride : 0; }
};

/// A frame whose rows are divided among ranks writer … writer + rows.stride − 1.
struct SharedFrame {
  std::size_t frame = 0;
  int writer = 0;  ///< rank that collects the rows and writes the picture
  RowShare rows;   ///< of this rank
};

struct FramesOfRank {
  std::vector<std::size_t> whole;     ///< ascending
  std::optional<SharedFrame> shared;  ///< after these
};

/// Frames go to ranks in turn. Those of a last turn that would leave ranks idle are shared: each by as many ranks as
/// the others, or one more. Local.
[[nodiscard]] FramesOfRank frames_of_rank(std::size_t num_frames, int rank, int num_ranks);

}  // namespace brisance::render
