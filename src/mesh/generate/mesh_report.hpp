/// What the maker of a mesh says about it, beside its numbers.
#pragma once

#include "brisance/mesh/generate/generate.hpp"

namespace brisance::mesh {

/// The outside of a mesh whose boundary faces are named.
[[nodiscard]] Surface outside_of(const TetMesh& mesh);

/// Compares the outside of a mesh with the surface it was made from, and adds to the report's notes how far they are
/// apart and what became of the creases; with what to do where many were given up. Throws what the child program does.
void describe_shape(const TetMesh& mesh, const Surface& input, double feature_angle_deg, MeshReport& report);

}  // namespace brisance::mesh
