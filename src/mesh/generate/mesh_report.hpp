/// Notes on a generated mesh for the user.
#pragma once

#include "brisance/mesh/generate/generate.hpp"

namespace brisance::mesh {

/// The outside of a mesh that has face_source.
[[nodiscard]] Surface outside_of(const TetMesh& mesh);

/// Compares the outside of a mesh with the surface it was made from, and adds to the report's notes their distance and
/// what was kept of the creases, with advice where many were given up. Throws the errors of the child program.
void describe_shape(const TetMesh& mesh, const Surface& input, double feature_angle_deg, MeshReport& report);

}  // namespace brisance::mesh
