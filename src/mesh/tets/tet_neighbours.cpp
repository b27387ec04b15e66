#include "brisance/mesh/tets/tet_neighbours.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {

namespace {

struct Side {
  std::array<std::int32_t, 3> nodes;  ///< ascending
  std::int32_t tet;
  std::int32_t corner;  ///< opposite
};

std::vector<Side> sorted_sides(const TetMesh& mesh) {
  std::vector<Side> sides;
  sides.reserve(4 * mesh.tets.size());
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(mesh.tets.size()); ++t)
    for (std::int32_t corner = 0; corner < 4; ++corner) {
      Side side{{}, t, corner};
      for (int k = 0; k < 3; ++k) side.nodes[k] = mesh.tets[t][kFaceCorners[corner][k]];
      std::ranges::sort(side.nodes);
      sides.push_back(side);
    }
  std::ranges::sort(sides, {}, [](const Side& side) { return std::pair{side.nodes, side.tet}; });
  return sides;
}

}  // namespace

std::vector<std::array<std::int32_t, 4>> tet_neighbours(const TetMesh& mesh) {
  std::vector<std::array<std::int32_t, 4>> neighbours(mesh.tets.size(), {kNoTet, kNoTet, kNoTet, kNoTet});
  const std::vector<Side> sides = sorted_sides(mesh);
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    const Side &a = sides[i], &b = sides[i + 1];
    if (a.nodes != b.nodes) continue;
    if (neighbours[a.tet][a.corner] != kNoTet)
      throw core::Error(
          fmt::format("Tets {}, {} and one more share a face: the mesh overlaps itself. Mesh it again.", a.tet, b.tet));
    neighbours[a.tet][a.corner] = b.tet;
    neighbours[b.tet][b.corner] = a.tet;
  }
  return neighbours;
}

}  // namespace brisance::mesh
