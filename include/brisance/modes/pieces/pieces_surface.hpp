/// Converts labelled tets to closed triangle surfaces, one for each label.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/mesh/tets/piece_surface.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// The solid of each label 0, 1, …: its outside consists of boundary faces of the mesh with their source triangle, its
/// inside of the faces shared with cells of another label. Closed and 2-manifold for any labels: where a piece touches
/// itself along an edge or at a vertex, vertices are duplicated, and an edge whose two copies still have both ends in
/// common gets two copies of its middle. Triangles are in the order of (tet, corner).
/// @param label  of each tet, 0 … num_labels − 1
/// Throws core::Error if the mesh itself is not a solid (three tets at a face). Local.
[[nodiscard]] std::vector<mesh::PieceSurface> piece_surfaces(const mesh::TetMesh& mesh,
                                                             std::span<const std::int32_t> label,
                                                             std::int32_t num_labels);

}  // namespace brisance::modes
