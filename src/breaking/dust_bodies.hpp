/// Converts particles of a run to rigid bodies: octahedra of the same mass, momentum and angular momentum.
#pragma once

#include "brisance/breaking/run_frame.hpp"

namespace brisance::breaking {

/// Appends an octahedron of eight tets for each particle, as a separate piece after the others. Its nodes have ids that
/// are the same in all frames, larger than all others. Local.
void add_dust(const io::DustRows& dust, RunFrame& frame);
void add_dust(const io::DustRows& dust, NodePositions& nodes);

}  // namespace brisance::breaking
