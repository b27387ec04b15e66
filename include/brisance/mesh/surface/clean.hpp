/// Cleans a surface as read, for checking and meshing: welded, without duplicates, facing outward.
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
  std::int64_t num_cavities = 0;    ///< closed components inside another one that bound a cavity, and face into it
  std::int64_t num_swallowed = 0;   ///< closed components inside the material that bound no cavity, removed
};

/// Welds vertices nearer than 1e-9 of the bounding box's diagonal (chains of such vertices become one; the result does
/// not depend on their order), removes triangles without area, duplicates and unused vertices, orients the triangles of
/// each component consistently, and turns closed components so that normals point out of the material. A closed
/// component in the material of another one bounds a cavity if it faces the other way than the outermost around it; if
/// it faces the same way both are one body, and it is removed. A component inside a cavity is a body again. Open
/// components keep the orientation of most of their triangles. `source_face` follows its triangle. Local; throws
/// nothing of its own.
[[nodiscard]] Surface clean(Surface surface, CleanReport& report);

}  // namespace brisance::mesh
