/// Tetrahedral meshes from files: TetGen .node/.ele, Gmsh .msh (2.2 and 4.1, ASCII), VTU.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace brisance::mesh {

/// Counts of what was dropped while reading.
struct TetReadReport {
  std::int64_t num_degenerate = 0;    ///< tets of zero volume or with a repeated corner, dropped
  std::int64_t num_unused_nodes = 0;  ///< nodes of no remaining tet, dropped
};

/// Reads a mesh of linear tets; faces, lines and points in the file are ignored, other solid elements are an error, and
/// so are inverted tets among others that are not (`orient_tets`).
/// Regions come from TetGen's first element attribute, Gmsh's physical volumes or a VTU cell array `region`; VTU point
/// arrays `displacement` [m] and `velocity` [m/s] are kept. Boundary faces are numbered in order of (tet, corner).
/// Throws core::Error "FILE:LINE: what is wrong. What to do." ("FILE, byte N:" in binary data). Local.
/// @param scalars  names of requested fields, on points or tets, one finite number each
[[nodiscard]] TetMesh read_tet_mesh(const std::filesystem::path& file, TetReadReport& report,
                                    std::span<const std::string> scalars = {});

/// The same; dropped tets and nodes are logged as a warning.
[[nodiscard]] TetMesh read_tet_mesh(const std::filesystem::path& file, std::span<const std::string> scalars = {});

}  // namespace brisance::mesh
