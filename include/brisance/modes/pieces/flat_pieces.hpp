/// Converts labelled triangles to flat pieces, one for each label.
#pragma once

#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/tets/piece_surface.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// The triangles of each label 0, 1, … with vertices of their own, in the order of the mesh. The rim of a piece
/// consists of closed curves: where a piece touches itself only at a vertex, vertices are duplicated. Source faces are
/// the mesh's, neighbours kNoNeighbour: a flat piece shows its cracks only as its rim. Throws core::Error if three
/// triangles share an edge. Local.
/// @param label  of each triangle, 0 … num_labels − 1
[[nodiscard]] std::vector<mesh::PieceSurface> flat_pieces(const mesh::PlaneMesh& plane,
                                                          std::span<const std::int32_t> label, std::int32_t num_labels);

}  // namespace brisance::modes
