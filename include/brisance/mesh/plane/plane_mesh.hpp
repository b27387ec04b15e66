/// A flat body: triangles in one plane z = const, whole on one rank.
#pragma once

#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brisance::mesh {

/// Triangles that meet only in whole edges and corners, counter-clockwise seen from +z, every vertex at the same z.
struct PlaneMesh {
  Surface surface;                   ///< source_face as in every surface: the file's face that contains the triangle
  std::vector<std::int32_t> region;  ///< region of each triangle; empty means all 0
};

/// Makes a flat body from triangles as read: welds vertices as `clean` does, drops unused ones, turns the triangles
/// counter-clockwise, and moves vertices that are level to 1e-6 of the body's diagonal to exactly one z. Removes no
/// triangle. Throws core::BadInput, naming the file and the first place, if the vertices are not in one plane z =
/// const, if triangles have no area, if three share an edge, or if two overlap or touch in part of an edge. Local.
[[nodiscard]] PlaneMesh plane_mesh(Surface surface, std::vector<std::int32_t> region, const std::string& name);

/// True if all vertices lie in one plane z = const as above. Local; does not throw.
[[nodiscard]] bool is_level(const Surface& surface);

/// Area of all triangles of a surface [m²]. Local.
[[nodiscard]] double area_m2(const Surface& surface);

/// The plate that fills z ± thickness/2: three tets for each triangle, 3t to 3t + 2. Node n becomes n (below) and N + n
/// (above). All outer faces have the source_face of their triangle. Throws core::BadInput if the thickness is not
/// positive and finite. Local.
[[nodiscard]] TetMesh extruded(const PlaneMesh& plane, double thickness_m);

}  // namespace brisance::mesh
