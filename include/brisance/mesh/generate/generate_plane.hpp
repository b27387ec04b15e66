/// Makes a flat body from a request: a file's triangles, its outline remeshed, or the section of a shape.
#pragma once

#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/request.hpp"

#include <cstdint>

namespace brisance::mesh {

/// The flat body made, compared with the request.
struct PlaneReport {
  std::int64_t target_triangles = 0;  ///< 0 if none was requested
  std::int64_t num_triangles = 0, num_nodes = 0;
  double area_m2 = 0, z_m = 0;
  double mean_edge_m = 0, smallest_angle_rad = 0;
};

/// For a file (OBJ, STL, PLY, OFF; triangles of a Gmsh file with its physical surfaces as regions): its triangles
/// unchanged or, with an edge length or a target (Request::target_tets counts triangles here), its outline meshed anew;
/// so a single polygon suffices, also with holes. For a shape that is a prism along z (box, slab, sheet, notched_block,
/// solid_cylinder, hollow_cylinder): its section in the plane z = 0, at the edge length, or else at the target or about
/// 5000 triangles. A target is met to 5 %, if the outline allows it. Local and deterministic. Throws core::BadInput,
/// and the errors of the readers.
[[nodiscard]] PlaneMesh generate_plane(const Request& request, PlaneReport& report);

}  // namespace brisance::mesh
