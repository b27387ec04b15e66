/// A flat body from the command line.
#pragma once

#include "brisance/mesh/plane/plane_mesh.hpp"

#include "app/scene/mesh_arguments.hpp"

namespace brisance::app {

/// A file's triangles, its outline remeshed, or the section of a shape (mesh::generate_plane).
/// @param num_triangles  approximate number; 0: not given
/// @param report_it      prints a report on the result
/// Local; throws core::Error.
[[nodiscard]] mesh::PlaneMesh read_flat_body(const MeshArguments& arguments, double num_triangles, bool report_it);

}  // namespace brisance::app
