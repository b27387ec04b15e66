/// The pieces of a frame in frames before it: the rigid motions that come closest.
#pragma once

#include "brisance/breaking/debris.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::breaking {

/// Before a piece came loose it was part of something that bent, and cracks made some of its nodes: what is left to see
/// of it are the surface nodes that a frame has by their ids.
class EarlierMotions {
public:
  /// @param first  frame of the run, whose nodes all others have
  EarlierMotions(const Debris& debris, const NodePositions& first);

  /// For each piece the rigid motion that brings its surface of the hand-over closest to where its nodes are in the
  /// frame; where it has fewer than four there, the nearest nodes at rest that do. Local.
  [[nodiscard]] std::vector<rigid::Motion> in(const NodePositions& frame);
  /// Of a node from where that motion brings it, so far [m].
  [[nodiscard]] double largest_error() const { return largest_error_; }

private:
  static constexpr std::size_t kAnchors = 8;

  const Debris& debris_;
  std::vector<std::vector<std::int32_t>> nodes_;    ///< of each piece, rows of the surface
  std::vector<std::vector<std::int32_t>> anchors_;  ///< the same: its neighbours among nodes of the first frame
  double largest_error_ = 0;
};

}  // namespace brisance::breaking
