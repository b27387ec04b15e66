#include "bonds.hpp"

#include "exports/skin/triangle_search.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace brisance::exports {

namespace {

/// All crack triangles of a frame at rest.
struct CrackFaces {
  std::vector<Vec3> points;
  std::vector<Triangle> triangles;
  std::vector<Vec3> areas;  ///< outward normals as long as the area [m²]
  std::vector<std::size_t> fragment;

  explicit CrackFaces(const FragmentFrame& frame) {
    for (std::size_t f = 0; f < frame.fragments.size(); ++f) {
      const Surface& s = frame.fragments[f].surface;
      const auto first = static_cast<std::int32_t>(points.size());
      points.insert(points.end(), s.rest.begin(), s.rest.end());
      for (std::size_t t = 0; t < s.triangles.size(); ++t) {
        if (s.kinds[t] != FaceKind::crack) continue;
        const auto& [i, j, k] = s.triangles[t];
        triangles.push_back({first + i, first + j, first + k});
        const std::array<Vec3, 3> x = corners(triangles.size() - 1);
        areas.push_back(0.5 * (x[1] - x[0]).cross(x[2] - x[0]));
        fragment.push_back(f);
      }
    }
  }
  [[nodiscard]] std::array<Vec3, 3> corners(std::size_t t) const {
    const auto at = [&](std::size_t k) { return points[static_cast<std::size_t>(triangles[t][k])]; };
    return {at(0), at(1), at(2)};
  }
};

/// The triangle of another fragment that faces triangle t at its middle, or −1.
std::int64_t facing(const CrackFaces& faces, const TriangleSearch& search, std::size_t t, const Vec3& middle) {
  constexpr double kNear = 0.1;       // over the triangle's size
  constexpr double kOpposite = -0.7;  // cosine of the angle between normals
  const double reach = kNear * std::sqrt(faces.areas[t].norm());
  std::int64_t best = -1;
  double nearest = reach * reach;
  const Vec3 far = Vec3::Constant(reach);
  search.each_in({Vec3(middle - far), Vec3(middle + far)}, [&](std::int32_t found) {
    const auto other = static_cast<std::size_t>(found);
    if (faces.fragment[other] == faces.fragment[t]) return;
    if (faces.areas[other].dot(faces.areas[t]) > kOpposite * faces.areas[other].norm() * faces.areas[t].norm()) return;
    const double distance = nearest_on_triangle(faces.corners(other), middle).distance_squared;
    if (distance < nearest || (distance == nearest && (best < 0 || found < best))) nearest = distance, best = found;
  });
  return best;
}

}  // namespace

std::vector<Bond> bonds_of(const FragmentFrame& frame) {
  const CrackFaces faces(frame);
  if (faces.triangles.empty()) return {};
  const TriangleSearch search(faces.points, faces.triangles);
  struct Sum {
    double area = 0;
    Vec3 moment = Vec3::Zero(), normal = Vec3::Zero();
  };
  std::map<std::pair<std::size_t, std::size_t>, Sum> sums;
  for (std::size_t t = 0; t < faces.triangles.size(); ++t) {
    const std::array<Vec3, 3> x = faces.corners(t);
    const Vec3 middle = (x[0] + x[1] + x[2]) / 3;
    const std::int64_t other = facing(faces, search, t, middle);
    if (other < 0) continue;
    const std::size_t own = faces.fragment[t], partner = faces.fragment[static_cast<std::size_t>(other)];
    Sum& sum = sums[std::minmax(own, partner)];
    const double area = faces.areas[t].norm();
    sum.area += area;
    sum.moment += area * middle;
    sum.normal += own < partner ? faces.areas[t] : Vec3(-faces.areas[t]);
  }
  std::vector<Bond> bonds;
  for (const auto& [pair, sum] : sums) {
    if (!(sum.area > 0)) continue;
    const Vec3 normal = sum.normal.norm() > 0 ? Vec3(sum.normal.normalized()) : Vec3(Vec3::UnitZ());
    bonds.push_back({pair.first, pair.second, sum.area / 2, sum.moment / sum.area, normal});
  }
  return bonds;
}

}  // namespace brisance::exports
