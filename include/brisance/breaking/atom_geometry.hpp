/// An object divided along all its modes: every atom has its own nodes, so that it can move by itself.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/pieces/pieces.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::breaking {

/// A triangle that bounds an atom.
struct AtomTriangle {
  std::array<std::int32_t, 3> corners;  ///< nodes of the atom, outward
  std::int32_t tet;
  std::int32_t atom, beyond;  ///< `beyond` is the atom on the other side, kOutside on the object's surface
  std::int32_t source;        ///< triangle of the input surface, mesh::kNoSourceTriangle inside
};
inline constexpr std::int32_t kOutside = -1;

struct AtomGeometry {
  std::vector<Vec3> nodes;              ///< at rest, a copy for each atom that has the node, by (node, atom) [m]
  std::vector<std::int32_t> mesh_node;  ///< the mesh node of each copy
  std::vector<std::int32_t> atom_of_node;
  std::vector<std::array<std::int32_t, 4>> tets;  ///< the mesh's tets, with corners in `nodes`
  std::vector<std::int32_t> atom_of_tet;
  std::vector<AtomTriangle> triangles;  ///< sorted by (tet, corner)
  std::vector<std::vector<std::vector<Vec3>>>
      hulls;  ///< for each atom, the points of the convex parts that cover it [m]
};

/// Divides a mesh. Local. Throws core::Error if the mesh has a face in three tets.
[[nodiscard]] AtomGeometry atom_geometry(const mesh::TetMesh& mesh, const modes::PieceLabels& atoms);

}  // namespace brisance::breaking
