#include "brisance/mesh/tets/quality.hpp"

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

constexpr double kThin = 0.1;  // altitude over mean edge

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

namespace {

/// The first percentile of the list. Reorders the list.
double hundredth_of(std::vector<double>& list) {
  const auto at = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 100);
  std::nth_element(list.begin(), at, list.end());
  return *at;
}

/// Least angle, largest angle (negated, so that the worst come first) and least altitude of each tet.
struct OfEachTet {
  std::vector<double> least_dihedral, largest_dihedral, altitude;
};

void find_worst_hundredth(OfEachTet& each, Quality& quality) {
  const auto thin = std::count_if(each.altitude.begin(), each.altitude.end(),
                                  [&](double height) { return height < kThin * quality.mean_edge_m; });
  quality.thin_share = static_cast<double>(thin) / static_cast<double>(each.altitude.size());
  quality.percent_least_dihedral_rad = hundredth_of(each.least_dihedral);
  quality.percent_largest_dihedral_rad = -hundredth_of(each.largest_dihedral);
  quality.percent_altitude_m = hundredth_of(each.altitude);
}

}  // namespace

Quality measure_quality(const TetMesh& mesh) {
  Quality quality;
  if (mesh.tets.empty()) return quality;
  quality.smallest_tet_volume_m3 = quality.smallest_altitude_m = std::numeric_limits<double>::infinity();
  quality.smallest_dihedral_rad = std::numbers::pi;
  OfEachTet each;
  for (const auto& tet : mesh.tets) {
    const Vec3 &a = mesh.nodes[tet[0]], &b = mesh.nodes[tet[1]], &c = mesh.nodes[tet[2]], &d = mesh.nodes[tet[3]];
    const double volume = tet_volume(a, b, c, d);
    quality.volume_m3 += volume;
    quality.smallest_tet_volume_m3 = std::min(quality.smallest_tet_volume_m3, volume);
    const auto angles = dihedral_angles(a, b, c, d);
    const auto heights = altitudes(a, b, c, d);
    for (const double height : heights) quality.mean_altitude_m += height / static_cast<double>(4 * mesh.tets.size());
    each.least_dihedral.push_back(*std::min_element(angles.begin(), angles.end()));
    each.largest_dihedral.push_back(-*std::max_element(angles.begin(), angles.end()));
    each.altitude.push_back(*std::min_element(heights.begin(), heights.end()));
    quality.smallest_dihedral_rad = std::min(quality.smallest_dihedral_rad, each.least_dihedral.back());
    quality.largest_dihedral_rad = std::max(quality.largest_dihedral_rad, -each.largest_dihedral.back());
    quality.smallest_altitude_m = std::min(quality.smallest_altitude_m, each.altitude.back());
  }
  const Edges edges = edge_lengths(mesh);
  quality.shortest_edge_m = edges.shortest, quality.mean_edge_m = edges.mean, quality.longest_edge_m = edges.longest;
  find_worst_hundredth(each, quality);
  return quality;
}

}  // namespace brisance::mesh
