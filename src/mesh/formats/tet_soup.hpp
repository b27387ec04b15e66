/// Common result of all tetrahedral readers: nodes and corners as written, each tet with its place in the file.
#pragma once

#include "brisance/mesh/formats/read_tet_mesh.hpp"

#include "mesh/formats/polygon_soup.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::mesh {

struct TetSoup {
  std::vector<Vec3> nodes;                        ///< [m]
  std::vector<std::array<std::int64_t, 4>> tets;  ///< 0-based, unchecked, all of one orientation
  std::vector<std::int64_t> places;               ///< line of each tet in its file; its number from 0 in binary files
  std::vector<std::int32_t> region;               ///< empty: all 0
  Groups groups = {};                             ///< named by the file; of_source is not used
  std::vector<std::int32_t> group = {};           ///< of each tet, or kNoGroup; empty: none has one
  /// Triangles with a group (corners unchecked); boundary faces on them get it.
  std::vector<std::array<std::int64_t, 3>> triangles = {};
  std::vector<std::int32_t> triangle_group = {};
  std::vector<Vec3> displacement, velocity;  ///< of the nodes; may be empty
  std::vector<ScalarField> scalars = {};     ///< of all nodes or all tets of the file
};

/// Checks corners, drops degenerate tets and unused nodes, orients and numbers the boundary. Throws core::Error. Local.
[[nodiscard]] TetMesh to_tet_mesh(TetSoup soup, const std::filesystem::path& file, const FailAt& fail,
                                  TetReadReport& report);

/// Where a format has region numbers and no names, each but 0 becomes a group named by its number. Local.
void name_by_region(TetSoup& soup);

/// One reader for each format. Each throws core::Error.
[[nodiscard]] TetMesh read_tetgen(const std::filesystem::path& file, TetReadReport& report);
[[nodiscard]] TetMesh read_gmsh(const std::filesystem::path& file, TetReadReport& report,
                                std::span<const std::string> scalars);
[[nodiscard]] TetMesh read_vtu(const std::filesystem::path& file, TetReadReport& report,
                               std::span<const std::string> scalars);

}  // namespace brisance::mesh
