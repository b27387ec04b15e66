/// Edges of a surface that are sharper than an angle.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::mesh {

struct SharpEdges {
  std::vector<std::array<std::int32_t, 2>> edges;  ///< pairs of vertices, none twice
  std::vector<double> turn_deg;                    ///< turn angle between the triangles at each
};

/// The edges at which two triangles turn by more than the angle, and those that close gaps between them: where a sharp
/// line fades over a short distance, edges of at least half the angle continue it to the next one.
/// @param longest_gap_m  total length of the edges that close a gap
/// Deterministic. Local.
[[nodiscard]] SharpEdges sharp_edges(const Surface& surface, double angle_deg, double longest_gap_m);

}  // namespace brisance::mesh
