/// Motions of a frame's pieces in earlier frames: the closest rigid motions.
#pragma once

#include "brisance/breaking/debris.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::breaking {

/// Before a piece separated it was part of a deforming body, and cracks made some of its nodes later: it is identified
/// by those of its surface nodes whose ids occur in the earlier frame.
class EarlierMotions {
public:
  /// @param first  frame of the run whose nodes all later frames have
  EarlierMotions(const Debris& debris, const NodePositions& first);

  /// For each piece the rigid motion that maps its surface at the hand-over closest to its nodes' positions in the
  /// frame; where fewer than four exist there, the nodes nearest at rest are used. Local.
  [[nodiscard]] std::vector<rigid::Motion> in(const NodePositions& frame);
  /// Largest distance so far of a node from its position by that motion [m].
  [[nodiscard]] double largest_error() const { return largest_error_; }

private:
  static constexpr std::size_t kAnchors = 8;

  const Debris& debris_;
  std::vector<std::vector<std::int32_t>> nodes_;    ///< for each piece, rows of the surface
  std::vector<std::vector<std::int32_t>> anchors_;  ///< likewise: its nearest nodes of the first frame
  double largest_error_ = 0;
};

}  // namespace brisance::breaking
