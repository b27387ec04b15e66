/// Extends a mesh so that it contains a surface that sticks out of it in places.
#pragma once

#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>
#include <vector>

namespace brisance::mesh {

struct GrownMesh {
  TetMesh mesh;                      ///< the given nodes and tets come first; its boundary is renumbered
  std::vector<std::int32_t> of_tet;  ///< for each tet the given one that it is, or the nearest given one
};

/// Does a closed surface lie strictly inside a mesh? Exact predicates. The mesh has face_source. Local.
[[nodiscard]] bool contains(const TetMesh& mesh, const Surface& body);

/// Adds tets around a mesh, and in its cavities, until it contains the body: for a mesh of the body itself, whose
/// facets cut the corners of the surface. Throws core::BadInput if the body sticks out of the mesh by more than its
/// mean edge, or if no such tets can be made; and the errors of wrap and tetrahedralize. Local, deterministic.
[[nodiscard]] GrownMesh grown_around(const TetMesh& mesh, const Surface& body);

}  // namespace brisance::mesh
