/// Fragments from a frame's own boundary triangles: names are those of this frame alone.
#pragma once

#include "brisance/exports/fragments.hpp"
#include "brisance/exports/surface_frame.hpp"

#include <vector>

namespace brisance::exports {

/// Edges between triangles are creases where their normals at rest differ by more [degrees].
inline constexpr double kCreaseDegrees = 40;

struct PlainFragments {
  FragmentFrame frame;                           ///< masses are 0
  std::vector<std::vector<std::int32_t>> nodes;  ///< of each fragment's vertices, as rows of the frame's nodes
};

/// One fragment for each piece, in the order of their numbers; pieces without triangles are left out. Materials are
/// those of the frame, then "crack". Local.
[[nodiscard]] PlainFragments plain_fragments(const SurfaceFrame& frame);

/// Dust as particles, by id. Local.
[[nodiscard]] std::vector<Particle> particles_of(const io::DustRows& dust);

}  // namespace brisance::exports
