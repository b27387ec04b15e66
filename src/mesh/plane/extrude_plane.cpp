/// Prisms over triangles, each cut into three tets.
#include "brisance/core/error.hpp"
#include "brisance/mesh/plane/plane_mesh.hpp"

#include "mesh/surface/surface_edges.hpp"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

/// The prism over a < b < c; its walls are cut from the lower-numbered node below to the higher one above, as in its
/// neighbours.
std::array<std::array<std::int32_t, 4>, 3> tets_of_prism(std::array<std::int32_t, 3> triangle, std::int32_t above) {
  std::ranges::sort(triangle);
  const auto [a, b, c] = triangle;
  return {{{a, b, c, c + above}, {a, b, b + above, c + above}, {a, a + above, b + above, c + above}}};
}

void turn_positive(const std::vector<Vec3>& nodes, std::array<std::int32_t, 4>& tet) {
  if (tet_volume(nodes[tet[0]], nodes[tet[1]], nodes[tet[2]], nodes[tet[3]]) < 0) std::swap(tet[0], tet[1]);
}

/// Open edges (low, high) of a surface, ascending.
std::vector<std::pair<std::int32_t, std::int32_t>> outline_edges(const Surface& surface) {
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  const auto sides = edge_sides(surface);
  for_each_edge(sides, [&](std::span<const EdgeSide> edge) {
    if (edge.size() == 1) edges.emplace_back(edge[0].low, edge[0].high);
  });
  return edges;
}

}  // namespace

TetMesh extruded(const PlaneMesh& plane, double thickness_m) {
  if (!(thickness_m > 0) || !std::isfinite(thickness_m))
    throw core::BadInput(fmt::format("The thickness {:g} m must be positive and finite.", thickness_m));
  const Surface& surface = plane.surface;
  const auto above = static_cast<std::int32_t>(surface.vertices.size());
  const auto outline = outline_edges(surface);
  TetMesh mesh;
  for (const double side : {-0.5, 0.5})
    for (const Vec3& x : surface.vertices) mesh.nodes.emplace_back(x + Vec3(0, 0, side * thickness_m));
  // A face is outside if it lies below, above, or over an edge of the outline.
  const auto is_outer = [&](const std::array<std::int32_t, 3>& face) {
    std::array<std::int32_t, 3> foot{};
    int num_above = 0;
    for (int k = 0; k < 3; ++k) {
      num_above += face[k] >= above ? 1 : 0;
      foot[k] = face[k] % above;
    }
    std::ranges::sort(foot);
    if (num_above == 0 || num_above == 3) return true;
    if (foot[0] != foot[1] && foot[1] != foot[2]) return false;  // between two tets of the prism
    return std::ranges::binary_search(outline, std::pair(foot[0], foot[2]));
  };
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (std::array<std::int32_t, 4> tet : tets_of_prism(surface.triangles[t], above)) {
      turn_positive(mesh.nodes, tet);
      std::array<std::int32_t, 4> source{};
      for (int k = 0; k < 4; ++k) {
        const auto& [i, j, l] = kFaceCorners[k];
        source[k] = is_outer({tet[i], tet[j], tet[l]}) ? surface.source_face[t] : kNoSourceTriangle;
      }
      mesh.tets.push_back(tet);
      mesh.face_source.push_back(source);
      if (!plane.region.empty()) mesh.region.push_back(plane.region[t]);
    }
  return mesh;
}

}  // namespace brisance::mesh
