/// From a surface as read to one that can be checked and meshed: welded, without doubles, facing outward.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <cstdint>

namespace brisance::mesh {

/// What `clean` changed.
struct CleanReport {
  std::int64_t num_welded = 0;      ///< vertices merged into another one
  std::int64_t num_degenerate = 0;  ///< triangles without area removed
  std::int64_t num_duplicate = 0;   ///< triangles on the same three vertices as an earlier one, removed
  std::int64_t num_unused = 0;      ///< vertices of no triangle removed
  std::int64_t num_turned = 0;      ///< triangles whose orientation was reversed
  std::int64_t num_cavities = 0;    ///< closed components inside another one, now facing into the cavity they bound
};

/// Welds vertices nearer than 1e-9 of the bounding box's diagonal (chains of such vertices become one; the result does
/// not depend on their order), removes triangles without area, doubles and unused vertices, turns the triangles of each
/// component the same way, and turns closed components so that normals point out of the material: outward, and into the
/// cavity for a component at odd nesting depth. Open components keep the orientation most of their triangles had.
/// `source_face` follows its triangle. Local; throws nothing of its own.
[[nodiscard]] Surface clean(Surface surface, CleanReport& report);

}  // namespace brisance::mesh
