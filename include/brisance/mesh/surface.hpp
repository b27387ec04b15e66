/// Triangle surfaces as read from files and handed to the tetrahedral mesher.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/mesh/groups.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::mesh {

/// A triangle surface. After cleaning it is welded, consistently oriented (outward) and free of degenerate triangles.
struct Surface {
  std::vector<Vec3> vertices;                          ///< [m]
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< vertex indices, counter-clockwise seen from outside
  /// For each triangle the 0-based face of the input file (a polygon gives several); the identity for generated
  /// surfaces.
  std::vector<std::int32_t> source_face;
  Groups groups = {};  ///< groups of the faces of the input file (groups.of_source); none for generated surfaces
};

/// Volume inside a closed, outward surface; cavities count negative [m³]. Local.
[[nodiscard]] double enclosed_volume_m3(const Surface& surface);

}  // namespace brisance::mesh
