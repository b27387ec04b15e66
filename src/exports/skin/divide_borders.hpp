/// Gives both faces of a crack the same points along its edge on the outside.
#pragma once

#include "exports/skin/walls.hpp"

#include <cstdint>
#include <vector>

namespace brisance::exports {

/// The edge of a piece's cracks: from u to v along the crack's triangle.
struct Border {
  std::int32_t u, v, piece;
};

/// Edges at which the triangles of the net stop: those that run more often in one direction than in the other.
[[nodiscard]] std::vector<Border> borders_of(const Walls& walls);

/// Divides triangles of walls where the borders of others have a point on their border: one face of a crack may have
/// been divided when its other face was not. Then walls of both are continued outwards alike. New points lie at the
/// others' places at rest, to the bit, and move with the edge.
/// @param turns  of each point of the net; those of new ones are the mean of the edge's ends (not normalised)
/// Local.
void divide_borders(Walls& walls, std::vector<Mat3>& turns);

}  // namespace brisance::exports
