#include "hull_growth.hpp"

#include "brisance/rigid/hull.hpp"

#include <algorithm>

namespace brisance::breaking {

namespace {

constexpr double kFlat = 1.5e-4;  ///< share of the extent

}  // namespace

NodeHull::NodeHull(std::span<const Vec3> nodes, const std::vector<std::int32_t>& of) {
  std::vector<Vec3> points;
  points.reserve(of.size());
  Eigen::AlignedBox3d box;
  for (const std::int32_t n : of) {
    points.push_back(nodes[n]);
    box.extend(nodes[n]);
  }
  const rigid::HullCorners hull = rigid::hull_corners(points);
  volume_ = hull.volume;
  flat_ = box.isEmpty() ? 0 : kFlat * box.sizes().maxCoeff();
  for (const std::int32_t i : hull.corners) corners_.push_back(of[i]);
  std::sort(corners_.begin(), corners_.end());
  const auto place = [&](std::int32_t i) {
    return static_cast<std::int32_t>(std::lower_bound(corners_.begin(), corners_.end(), of[i]) - corners_.begin());
  };
  for (const auto& t : hull.triangles) {
    const Vec3& a = points[t[0]];
    const Vec3 twice_area = (points[t[1]] - a).cross(points[t[2]] - a);
    const double length = twice_area.norm();
    if (!(length > 0)) continue;
    const Vec3 normal = twice_area / length;
    triangles_.push_back({normal, normal.dot(a), length / 2, {place(t[0]), place(t[1]), place(t[2])}});
  }
}

bool NodeHull::is_outside(const Vec3& x) const {
  return std::any_of(triangles_.begin(), triangles_.end(),
                     [&](const Triangle& t) { return t.normal.dot(x) - t.offset > flat_; });
}

bool NodeHull::holds(std::span<const Vec3> nodes, std::span<const std::int32_t> further) const {
  return std::none_of(further.begin(), further.end(), [&](std::int32_t n) {
    return !std::binary_search(corners_.begin(), corners_.end(), n) && is_outside(nodes[n]);
  });
}

NodeHull::Size NodeHull::with_point(const Vec3& x) const {
  Size size{volume_, 1};
  std::vector<char> stays(corners_.size(), 0);
  for (const Triangle& t : triangles_) {
    const double height = t.normal.dot(x) - t.offset;
    if (height > 0)
      size.volume += height * t.area / 3;
    else
      for (const std::int32_t c : t.corners) stays[c] = 1;
  }
  size.num_corners += static_cast<std::size_t>(std::count(stays.begin(), stays.end(), 1));
  return size;
}

NodeHull::Size NodeHull::with(std::span<const Vec3> nodes, std::span<const std::int32_t> further) const {
  Size largest{volume_, corners_.size()};
  int num_outside = 0;
  for (const std::int32_t n : further) {
    if (std::binary_search(corners_.begin(), corners_.end(), n) || !is_outside(nodes[n])) continue;
    const Size size = with_point(nodes[n]);
    if (num_outside++ == 0 || size.volume > largest.volume) largest = size;
  }
  largest.is_bound = num_outside > 1;
  return largest;
}

}  // namespace brisance::breaking
