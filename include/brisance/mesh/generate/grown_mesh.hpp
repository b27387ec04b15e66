/// A mesh made larger, so that a surface that leaves it here and there lies inside.
#pragma once

#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>
#include <vector>

namespace brisance::mesh {

struct GrownMesh {
  TetMesh mesh;                      ///< the given nodes and tets first; its boundary is numbered anew
  std::vector<std::int32_t> of_tet;  ///< for each tet the given one that it is, or that is nearest to it
};

/// Whether a closed surface lies strictly inside a mesh, by exact predicates. The mesh has face_source. Local.
[[nodiscard]] bool contains(const TetMesh& mesh, const Surface& body);

/// Puts tets around a mesh, and into its cavities, until it contains the body: for a mesh of the body itself, whose
/// facets cut the corners of the surface. Throws core::BadInput if the body leaves the mesh by more than its mean edge,
/// or if no such tets can be made; and what wrap and tetrahedralize do. Local, deterministic.
[[nodiscard]] GrownMesh grown_around(const TetMesh& mesh, const Surface& body);

}  // namespace brisance::mesh
