#include "render/geometry/corners.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace brisance::render {
namespace {

Vec3 area_vector(const std::array<Vec3, 3>& x) { return 0.5 * (x[1] - x[0]).cross(x[2] - x[0]); }

/// Mean of the tets' centroids for each piece and for all; for a surface alone, of its triangles' centroids.
struct Centroids {
  std::vector<Vec3> of_piece;
  Vec3 of_all = Vec3::Zero();
};

Centroids piece_centroids(const io::SnapshotPart& part) {
  const std::int64_t num_pieces = part.piece.empty() ? 0 : *std::max_element(part.piece.begin(), part.piece.end()) + 1;
  Centroids centroids{.of_piece = std::vector<Vec3>(num_pieces, Vec3::Zero())};
  std::vector<double> count(num_pieces, 0);
  for (std::size_t e = 0; e < part.tets.size(); ++e) {
    const auto& [a, b, c, d] = part.tets[e];
    const Vec3 centre = 0.25 * (part.position[a] + part.position[b] + part.position[c] + part.position[d]);
    centroids.of_piece[part.piece[e]] += centre;
    centroids.of_all += centre;
    count[part.piece[e]] += 1;
  }
  for (std::size_t t = 0; t < part.boundary.size() && part.tets.empty(); ++t) {  // a surface alone: uses triangles
    const auto& [a, b, c] = part.boundary[t];
    const Vec3 centre = (part.position[a] + part.position[b] + part.position[c]) / 3;
    centroids.of_piece[part.piece[t]] += centre;
    centroids.of_all += centre;
    count[part.piece[t]] += 1;
  }
  for (std::int64_t p = 0; p < num_pieces; ++p) centroids.of_piece[p] /= std::max(count[p], 1.0);
  centroids.of_all /= std::max<double>(part.element_id.size(), 1);
  return centroids;
}

/// Boundary corners as (node id, 3·triangle + corner), sorted by node: all at one node are contiguous.
std::vector<std::pair<std::int64_t, std::int64_t>> original_corners_by_node(const io::SnapshotPart& part) {
  std::vector<std::pair<std::int64_t, std::int64_t>> by_node;
  for (std::size_t t = 0; t < part.boundary.size(); ++t) {
    if (part.source_triangle[t] < 0) continue;
    for (int c = 0; c < 3; ++c)
      by_node.emplace_back(part.node_id[part.boundary[t][c]], static_cast<std::int64_t>(3 * t + c));
  }
  std::sort(by_node.begin(), by_node.end());
  return by_node;
}

}  // namespace

void require_consistent(const io::SnapshotPart& part) {
  if (part.boundary.empty()) throw core::Error("the snapshot has no boundary triangles, so there is nothing to show.");
  const auto num_nodes = static_cast<std::int64_t>(part.position.size());
  const std::size_t num_cells = part.tets.empty() ? part.boundary.size() : part.tets.size();
  bool consistent = part.boundary_element.size() == part.boundary.size() &&
                    part.source_triangle.size() == part.boundary.size() &&
                    part.node_id.size() == part.position.size() && part.piece.size() == num_cells &&
                    part.element_id.size() == num_cells;
  for (const auto& triangle : part.boundary)
    for (const std::int64_t node : triangle) consistent = consistent && node >= 0 && node < num_nodes;
  for (const auto& tet : part.tets)
    for (const std::int64_t node : tet) consistent = consistent && node >= 0 && node < num_nodes;
  for (const std::int64_t piece : part.piece) consistent = consistent && piece >= 0;
  if (!consistent) throw core::Error("the snapshot's boundary, elements and nodes do not fit together; it is damaged.");
}

Corners exploded_corners(const io::SnapshotPart& part, const std::vector<std::int64_t>& below, double explode) {
  require_consistent(part);
  const Centroids centroids = explode != 0 ? piece_centroids(part) : Centroids{};
  Corners corners(part.boundary.size());
  for (std::size_t t = 0; t < corners.size(); ++t) {
    const Vec3 shift = explode != 0 ? Vec3(explode * (centroids.of_piece[part.piece[below[t]]] - centroids.of_all))
                                    : Vec3(Vec3::Zero());
    for (int c = 0; c < 3; ++c) corners[t][c] = part.position[part.boundary[t][c]] + shift;
  }
  return corners;
}

std::vector<std::array<Vec3f, 3>> shading_normals(const io::SnapshotPart& part, const Corners& corners,
                                                  double crease_deg) {
  const double min_cosine = std::cos(crease_deg * std::numbers::pi / 180);
  std::vector<Vec3> area(corners.size()), flat(corners.size());
  std::vector<std::array<Vec3f, 3>> normals(corners.size());
  for (std::size_t t = 0; t < corners.size(); ++t) {
    area[t] = area_vector(corners[t]);
    flat[t] = area[t].normalized();
    normals[t].fill(flat[t].cast<float>());
  }
  const auto by_node = original_corners_by_node(part);
  for (std::size_t first = 0, end = 0; first < by_node.size(); first = end) {
    while (end < by_node.size() && by_node[end].first == by_node[first].first) ++end;
    for (std::size_t i = first; i < end; ++i) {
      const std::int64_t triangle = by_node[i].second / 3;
      Vec3 sum = Vec3::Zero();
      for (std::size_t j = first; j < end; ++j) {
        const std::int64_t other = by_node[j].second / 3;
        if (flat[triangle].dot(flat[other]) >= min_cosine) sum += area[other];
      }
      if (sum.squaredNorm() > 0) normals[triangle][by_node[i].second % 3] = sum.normalized().cast<float>();
    }
  }
  return normals;
}

}  // namespace brisance::render
