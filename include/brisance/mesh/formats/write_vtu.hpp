/// Tetrahedral meshes with fields as VTK XML unstructured grids, for ParaView and for `read_tet_mesh`.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace brisance::mesh {

/// A named field: `components` numbers for each node (or tet), entity by entity.
struct NamedArray {
  std::string name;
  int components = 1;
  std::span<const double> values;  ///< not owned; must live until the call returns
};

/// Writes rest positions, tets, `region`, `displacement` and `velocity` where the mesh has them, and the given fields,
/// as raw appended binary in this machine's byte order. The file appears under its name only when complete. Throws
/// core::Error if the file cannot be written or an array has the wrong length. Local.
void write_vtu(const std::filesystem::path& file, const TetMesh& mesh, std::span<const NamedArray> point_arrays = {},
               std::span<const NamedArray> cell_arrays = {});

}  // namespace brisance::mesh
