/// Labels that can be the largest near a node: those that the upper envelope needs.
#pragma once

#include "modes/pieces/smooth_labels.hpp"

namespace brisance::modes {

/// Value of a label at a node [–].
struct LabelShare {
  std::int32_t node;
  double value;
};

/// For each label, ascending by node, its values at the corners of all cells in which it may be the largest at some
/// point: no other label is larger at every corner. Elsewhere it has no effect, and cutting cells along it would only
/// multiply them. Solves for one label after the other; memory grows with the labels that overlap, not with all. Throws
/// core::Error as LabelDiffusion::diffused. Local, deterministic.
[[nodiscard]] std::vector<std::vector<LabelShare>> rival_shares(const Simplices& mesh, const LabelDiffusion& diffusion,
                                                                std::int32_t num_labels);

}  // namespace brisance::modes
