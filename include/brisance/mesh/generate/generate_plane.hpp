/// From a request to a flat body: a file's triangles, its outline meshed anew, or the section of a shape.
#pragma once

#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/request.hpp"

#include <cstdint>

namespace brisance::mesh {

/// What came out.
struct PlaneReport {
  std::int64_t target_triangles = 0;  ///< 0 if none was asked for
  std::int64_t num_triangles = 0, num_nodes = 0;
  double area_m2 = 0, z_m = 0;
  double mean_edge_m = 0, smallest_angle_rad = 0;
};

/// Of a file (OBJ, STL, PLY, OFF; triangles of a Gmsh file with its physical surfaces as regions) the triangles as they
/// are; with an edge length or a target (Request::target_tets counts triangles here) its outline, meshed anew: so one
/// polygon is enough, also with holes. Of a shape that is a prism along z (box, slab, sheet, notched_block,
/// solid_cylinder, hollow_cylinder) the section, in the plane z = 0, at the edge length or else at about 5000
/// triangles or the target. A target is met to 5 %, if the outline allows it. Local and deterministic. Throws
/// core::BadInput, and what the readers throw.
[[nodiscard]] PlaneMesh generate_plane(const Request& request, PlaneReport& report);

}  // namespace brisance::mesh
