#include "mesh/surface/cavities.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace brisance::mesh {
namespace {

/// Six times the volume between a triangle and a point.
double cone(const Surface& surface, std::size_t t, const Vec3& apex) {
  const auto& [a, b, c] = surface.triangles[t];
  return (surface.vertices[a] - apex).dot((surface.vertices[b] - apex).cross(surface.vertices[c] - apex));
}

/// Distance along a ray to a triangle, infinite on a miss (Möller and Trumbore).
double ray_hit(const Vec3& origin, const Vec3& direction, const Vec3& a, const Vec3& b, const Vec3& c) {
  constexpr double miss = std::numeric_limits<double>::infinity();
  const Vec3 u = b - a, v = c - a, p = direction.cross(v);
  const double determinant = u.dot(p);
  if (determinant == 0) return miss;
  const Vec3 s = (origin - a) / determinant, q = s.cross(u);
  const double x = s.dot(p), y = direction.dot(q), t = v.dot(q);
  return x >= 0 && y >= 0 && x + y <= 1 && t > 0 ? t : miss;
}

Vec3 point_in_front(const Surface& surface, std::size_t triangle) {
  auto corner = [&](std::size_t t, int i) -> const Vec3& { return surface.vertices[surface.triangles[t][i]]; };
  const Vec3 &a = corner(triangle, 0), &b = corner(triangle, 1), &c = corner(triangle, 2);
  const Vec3 middle = (a + b + c) / 3, normal = (b - a).cross(c - a).normalized();
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    if (t != triangle) nearest = std::min(nearest, ray_hit(middle, normal, corner(t, 0), corner(t, 1), corner(t, 2)));
  return middle + 0.5 * nearest * normal;
}

}  // namespace

std::vector<std::size_t> triangle_components(const Surface& surface) {
  std::vector<std::size_t> parent(surface.triangles.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  auto root = [&](std::size_t t) {
    while (parent[t] != t) t = parent[t] = parent[parent[t]];
    return t;
  };
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> seen;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      const auto edge = std::minmax(surface.triangles[t][i], surface.triangles[t][(i + 1) % 3]);
      const auto [other, is_new] = seen.try_emplace({edge.first, edge.second}, t);
      if (is_new) continue;
      const std::size_t a = root(t), b = root(other->second);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (std::size_t t = 0; t < parent.size(); ++t) parent[t] = root(t);
  return parent;
}

std::vector<Vec3> cavity_points(const Surface& surface) {
  const auto component = triangle_components(surface);
  const Vec3 apex = surface.vertices.empty() ? Vec3::Zero() : surface.vertices[0];
  std::map<std::size_t, double> volume;
  std::map<std::size_t, std::pair<double, std::size_t>> largest;  // area, triangle
  for (std::size_t t = 0; t < component.size(); ++t) {
    volume[component[t]] += cone(surface, t, apex);
    const auto& [a, b, c] = surface.triangles[t];
    const double area =
        (surface.vertices[b] - surface.vertices[a]).cross(surface.vertices[c] - surface.vertices[a]).norm();
    auto& best = largest[component[t]];
    if (area > best.first) best = {area, t};
  }
  std::vector<Vec3> points;
  for (const auto& [name, six_volumes] : volume)
    if (six_volumes < 0) points.push_back(point_in_front(surface, largest[name].second));
  return points;
}

}  // namespace brisance::mesh
