/// Depths of the corners, edges and faces of tets at the surface below it, at rest: the data of contact by
/// node_penetration for the tet that a node lies in (TetDepths).
#pragma once

#include "brisance/contact/overlap/node_penetration.hpp"
#include "brisance/dist/mesh.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// Data of a tet's corner.
struct CornerDepth {
  double depth = 0;  ///< depth below the surface at rest [m]
  double mass = 0;   ///< [kg]
  bool operator==(const CornerDepth&) const = default;
};

/// For an owned node: depth 0 on the surface, else its distance from the boundary parts of its tets: planes of three
/// corners, lines of two, single corners. Local.
[[nodiscard]] CornerDepth corner_depth(const dist::Mesh& mesh, const NodeField<std::int32_t>& on_boundary, LocalNode n);

/// Interpolation between corners gives no depth where all corners are on the surface, as in a thin wall, at an edge or
/// in a small piece. Therefore the middle of an edge, a face or a tet has a depth of its own if all its corners are on
/// the surface and it is not: it rises as steeply as the distance from the nearest boundary parts. For an edge or a
/// face without an owned corner, the owner of a corner is asked, which holds all tets around it. Collective.
/// @param corners   by node, ghosts included
/// @param elements  held here, with a corner on the surface
[[nodiscard]] std::vector<TetDepths> tet_depths(const dist::Mesh& mesh, const NodeField<std::int32_t>& on_boundary,
                                                const NodeField<CornerDepth>& corners,
                                                std::span<const LocalElement> elements);

}  // namespace brisance::contact
