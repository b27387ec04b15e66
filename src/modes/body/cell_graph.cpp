/// Cells and the faces between them.
#include "brisance/modes/body/cell_graph.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace brisance::modes {

namespace {

constexpr std::int32_t kNoNode = -1;

/// One side of a face: its corners, ascending, and the cell. An edge of a triangle has kNoNode first.
struct Side {
  std::array<std::int32_t, 3> corners;
  std::int32_t cell;
};

double measure(const Simplices& mesh, const std::array<std::int32_t, 3>& corners) {
  const Vec3& b = mesh.nodes[corners[1]];
  const Vec3& c = mesh.nodes[corners[2]];
  if (corners[0] == kNoNode) return (c - b).norm();
  const Vec3& a = mesh.nodes[corners[0]];
  return (b - a).cross(c - a).norm() / 2;
}

/// The corners of a cell but one.
Side side_without(std::span<const std::int32_t> cell_corners, std::size_t left_out, std::int32_t cell) {
  Side side{{kNoNode, kNoNode, kNoNode}, cell};
  std::size_t count = 0;
  for (std::size_t k = 0; k < cell_corners.size(); ++k)
    if (k != left_out) side.corners[count++] = cell_corners[k];
  std::sort(side.corners.begin(), side.corners.end());
  return side;
}

}  // namespace

CellGraph cell_graph(const mesh::TetMesh& mesh) { return cell_graph(simplices(mesh)); }

CellGraph cell_graph(const Simplices& mesh, std::span<const std::int32_t> cell_id) {
  CellGraph graph;
  std::vector<Side> sides;
  sides.reserve(mesh.corner.size());
  for (std::int32_t cell = 0; cell < mesh.num_cells(); ++cell) {
    graph.volume.push_back(cell_volume(mesh, cell));
    const auto corners = mesh.cell(cell);
    for (std::size_t k = 0; k < corners.size(); ++k) sides.push_back(side_without(corners, k, cell));
  }
  std::sort(sides.begin(), sides.end(),
            [](const Side& x, const Side& y) { return std::tie(x.corners, x.cell) < std::tie(y.corners, y.cell); });
  const auto name = [&](std::size_t i) {
    return std::to_string(cell_id.empty() ? sides[i].cell : cell_id[sides[i].cell]);
  };
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    if (sides[i].corners != sides[i + 1].corners) continue;
    if (i + 2 < sides.size() && sides[i + 2].corners == sides[i].corners)
      throw core::Error("Three cells share one face (cells " + name(i) + ", " + name(i + 1) + " and " + name(i + 2) +
                        "). A mesh of a solid has at most two; mesh it again.");
    graph.faces.push_back({sides[i].cell, sides[i + 1].cell, measure(mesh, sides[i].corners)});
  }
  std::sort(graph.faces.begin(), graph.faces.end(),
            [](const Face& x, const Face& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  return graph;
}

std::vector<std::int32_t> connected_parts(const CellGraph& graph) {
  std::vector<std::int32_t> root(graph.volume.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int32_t c) {
    while (root[c] != c) c = root[c] = root[root[c]];
    return c;
  };
  for (const Face& f : graph.faces) {
    const std::int32_t a = find(f.a), b = find(f.b);
    root[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::int32_t> part(graph.volume.size());
  std::int32_t num_parts = 0;
  for (std::int32_t c = 0; c < graph.num_cells(); ++c) part[c] = root[c] == c ? num_parts++ : part[find(c)];
  return part;
}

}  // namespace brisance::modes
