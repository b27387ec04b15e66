/// Velocities of the triangles of a frame.
#pragma once

#include "brisance/io/snapshot.hpp"

#include "render/geometry/geometry.hpp"

namespace brisance::render {

/// Fills Geometry::velocity, once all triangles are there: nodes have their own, dust and colliders that of the rigid
/// body, zero where the frame does not say.
/// @param needs_nodes  throws core::Error if the frame has no velocities of nodes; else they are zero
/// Local.
void add_velocities(Geometry& geometry, const io::Snapshot& snapshot, bool needs_nodes);

}  // namespace brisance::render
