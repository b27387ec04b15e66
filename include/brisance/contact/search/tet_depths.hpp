/// How deep the corners, edges and faces of tets at the surface lie below it, at rest: what contact by nodes asks of
/// the tet that a node is in (TetDepths).
#pragma once

#include "brisance/contact/overlap/node_penetration.hpp"
#include "brisance/dist/mesh.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// What tets are told of their corners.
struct CornerDepth {
  double depth = 0;  ///< below the surface at rest [m]
  double mass = 0;   ///< [kg]
  bool operator==(const CornerDepth&) const = default;
};

/// Of an owned node: nothing on the surface, else its distance from what its tets have there: planes of three corners,
/// lines of two, single ones. Local.
/// @param on_boundary  1 or 0 by node, ghosts included
[[nodiscard]] CornerDepth corner_depth(const dist::Mesh& mesh, const NodeField<std::int32_t>& on_boundary, LocalNode n);

/// What is linear between corners has no depth where all of these are on the surface, as in a thin wall, an edge or a
/// small piece: the middle of an edge, a face or a tet whose corners all are, and which is not itself, rises as steeply
/// as what is nearest to it. What has no owned corner is asked of the owner of one, who has all tets around it.
/// Collective.
/// @param corners   by node, ghosts included
/// @param elements  held here, with a corner on the surface
[[nodiscard]] std::vector<TetDepths> tet_depths(const dist::Mesh& mesh, const NodeField<std::int32_t>& on_boundary,
                                                const NodeField<CornerDepth>& corners,
                                                std::span<const LocalElement> elements);

}  // namespace brisance::contact
