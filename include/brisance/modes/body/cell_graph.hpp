/// The graph of fracture modes: cells joined by the faces they share. Tets and triangles or, in two dimensions,
/// triangles and edges: code for the graph works in both.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/body/simplices.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// A face between two cells.
struct Face {
  std::int32_t a, b;  ///< the cells on its sides, a < b
  double area;        ///< [m²]; length [m] in two dimensions
};

/// Cells and the faces between them, faces in ascending (a, b).
struct CellGraph {
  std::vector<double> volume;  ///< of each cell [m³]; area [m²] in two dimensions
  std::vector<Face> faces;

  [[nodiscard]] std::int32_t num_cells() const { return static_cast<std::int32_t>(volume.size()); }
};

/// The graph of a mesh at rest. Throws core::Error if three cells share a face. Local.
/// @param cell_id  names of the cells in the message; empty means their numbers
[[nodiscard]] CellGraph cell_graph(const Simplices& mesh, std::span<const std::int32_t> cell_id = {});
[[nodiscard]] CellGraph cell_graph(const mesh::TetMesh& mesh);

/// The part of each cell: cells connected through faces, parts numbered by their lowest cell. Local.
[[nodiscard]] std::vector<std::int32_t> connected_parts(const CellGraph& graph);

}  // namespace brisance::modes
