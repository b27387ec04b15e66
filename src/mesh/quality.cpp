#include "brisance/mesh/quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace brisance::mesh {
namespace {

constexpr std::array<std::array<int, 4>, 6> kEdges{
    // the edge's corners, then the other two
    {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}}};

struct Edges {
  double shortest, mean, longest;
};

Edges edge_lengths(const TetMesh& mesh) {
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  edges.reserve(6 * mesh.tets.size());
  for (const auto& tet : mesh.tets)
    for (const auto& e : kEdges) edges.push_back(std::minmax({tet[e[0]], tet[e[1]]}));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());

  Edges result{std::numeric_limits<double>::infinity(), 0, 0};
  for (const auto& [a, b] : edges) {
    const double length = (mesh.nodes[a] - mesh.nodes[b]).norm();
    result.shortest = std::min(result.shortest, length);
    result.longest = std::max(result.longest, length);
    result.mean += length / static_cast<double>(edges.size());
  }
  return result;
}

}  // namespace

std::array<double, 6> dihedral_angles(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const std::array<const Vec3*, 4> x{&a, &b, &c, &d};
  std::array<double, 6> angles;
  for (int e = 0; e < 6; ++e) {
    const Vec3 axis = *x[kEdges[e][1]] - *x[kEdges[e][0]];
    const Vec3 u = axis.cross(*x[kEdges[e][2]] - *x[kEdges[e][0]]), v = axis.cross(*x[kEdges[e][3]] - *x[kEdges[e][0]]);
    angles[e] = std::atan2(u.cross(v).norm(), u.dot(v));
  }
  return angles;
}

std::array<double, 4> altitudes(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const std::array<const Vec3*, 4> x{&a, &b, &c, &d};
  const double six_volumes = std::abs((b - a).cross(c - a).dot(d - a));
  std::array<double, 4> heights;
  for (int f = 0; f < 4; ++f) {
    const auto& [p, q, r] = kFaceCorners[f];
    heights[f] = six_volumes / (*x[q] - *x[p]).cross(*x[r] - *x[p]).norm();
  }
  return heights;
}

double smallest_altitude_m(const Surface& surface) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 &p = surface.vertices[a], &q = surface.vertices[b], &r = surface.vertices[c];
    const double longest = std::max({(q - p).norm(), (r - q).norm(), (p - r).norm()});
    smallest = std::min(smallest, (q - p).cross(r - p).norm() / longest);
  }
  return smallest;
}

Quality measure_quality(const TetMesh& mesh) {
  Quality quality;
  if (mesh.tets.empty()) return quality;
  quality.smallest_tet_volume_m3 = quality.smallest_altitude_m = std::numeric_limits<double>::infinity();
  quality.smallest_dihedral_rad = std::numbers::pi;
  for (const auto& tet : mesh.tets) {
    const Vec3 &a = mesh.nodes[tet[0]], &b = mesh.nodes[tet[1]], &c = mesh.nodes[tet[2]], &d = mesh.nodes[tet[3]];
    const double volume = tet_volume(a, b, c, d);
    quality.volume_m3 += volume;
    quality.smallest_tet_volume_m3 = std::min(quality.smallest_tet_volume_m3, volume);
    for (const double angle : dihedral_angles(a, b, c, d)) {
      quality.smallest_dihedral_rad = std::min(quality.smallest_dihedral_rad, angle);
      quality.largest_dihedral_rad = std::max(quality.largest_dihedral_rad, angle);
    }
    for (const double height : altitudes(a, b, c, d)) {
      quality.smallest_altitude_m = std::min(quality.smallest_altitude_m, height);
      quality.mean_altitude_m += height / static_cast<double>(4 * mesh.tets.size());
    }
  }
  const Edges edges = edge_lengths(mesh);
  quality.shortest_edge_m = edges.shortest, quality.mean_edge_m = edges.mean, quality.longest_edge_m = edges.longest;
  return quality;
}

}  // namespace brisance::mesh
