/// A coarse closed surface around any other, as tight as a search can make it.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <cstdint>

namespace brisance::mesh {

/// Outcome of the search.
struct OffsetCageReport {
  double offset_m = 0;   ///< d of the cage taken [m]
  int num_searches = 0;  ///< offsets tried
};

/// [S22] Algorithm 2: binary search, in at most 10 steps, for the smallest offset d at which the outer level set of the
/// distance to the surface at d (CGAL's Delaunay refinement, distances from a grid), decimated to a number of faces
/// (Lindstrom and Turk) and united with itself (solidify.hpp), strictly contains the surface and can be filled by
/// TetGen. Cavities are filled, but openings wider than half an edge are entered. Local, deterministic.
/// @param surface  any triangles; holes and crossings do not matter
/// @param edge_m  wanted length of the cage's edges [m]: the number of faces is the level set's area over that of an
///                equilateral triangle of that edge. Before it is decimated the level set is meshed half as long
/// `source_face` names the input face nearest to the middle of each triangle. Throws core::Error if no offset up to
/// four edges works.
[[nodiscard]] Surface offset_cage(const Surface& surface, double edge_m, OffsetCageReport& report);

}  // namespace brisance::mesh
