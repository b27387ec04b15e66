/// How deep the corners, edges and faces of tets at the surface lie below it, at rest: what contact by nodes asks of
/// the tet that a node is in (contact::TetDepths).
#pragma once

#include "brisance/contact/node_penetration.hpp"
#include "brisance/dist/mesh.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::sim {

/// A corner on the surface has no depth, another one its distance from what its tets have there: planes of three
/// corners, lines of two, single ones. The middle of an edge, a face or a tet has the mean of its corners'; but where
/// all of these are on the surface and it is not, as in a thin wall or a crumb, the least distance from it to the other
/// faces of its tets. What has no owned corner is asked of the owner of one, who has all tets around it. Collective.
/// @param on_boundary  1 or 0 by node, ghosts included
/// @param elements     held here, with a corner on the surface
[[nodiscard]] std::vector<contact::TetDepths> skin_depths(const dist::Mesh& mesh,
                                                          const NodeField<std::int32_t>& on_boundary,
                                                          std::span<const LocalElement> elements);

}  // namespace brisance::sim
