/// Closed surfaces for tests of mesh colliders.
#pragma once

#include "brisance/contact/parameters.hpp"
#include "brisance/contact/shapes/rigid_mesh.hpp"
#include "brisance/core/random.hpp"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace brisance::test {

struct ClosedSurface {
  std::vector<Vec3> vertices;
  std::vector<contact::RigidMesh::Triangle> triangles;

  [[nodiscard]] std::shared_ptr<const contact::RigidMesh> solid() const {
    return std::make_shared<const contact::RigidMesh>(vertices, triangles);
  }
};

/// Twelve triangles about the origin.
inline ClosedSurface block(const Vec3& size) {
  ClosedSurface s;
  for (int corner = 0; corner < 8; ++corner)
    s.vertices.emplace_back(0.5 * Vec3(corner & 1 ? size.x() : -size.x(), corner & 2 ? size.y() : -size.y(),
                                       corner & 4 ? size.z() : -size.z()));
  for (const auto& [a, b, c, d] : {std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}, std::array{0, 1, 5, 4},
                                   std::array{2, 6, 7, 3}, std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}}) {
    s.triangles.push_back({a, b, c});
    s.triangles.push_back({a, c, d});
  }
  return s;
}

/// A ball about the origin: 8 · 4ⁿ triangles, its vertices on the sphere.
inline ClosedSurface ball(double radius, int halvings) {
  ClosedSurface s;
  s.vertices = {Vec3::UnitX(), -Vec3::UnitX(), Vec3::UnitY(), -Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitZ()};
  for (int octant = 0; octant < 8; ++octant) {
    const int x = octant & 1, y = 2 + (octant >> 1 & 1), z = 4 + (octant >> 2 & 1);
    const bool is_odd = ((octant & 1) + (octant >> 1 & 1) + (octant >> 2 & 1)) % 2 == 1;
    if (is_odd)
      s.triangles.push_back({x, z, y});
    else
      s.triangles.push_back({x, y, z});
  }
  for (int n = 0; n < halvings; ++n) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> middles;
    const auto middle = [&](std::int32_t a, std::int32_t b) {
      const auto [at, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<std::int32_t>(s.vertices.size()));
      if (is_new) s.vertices.push_back((s.vertices[a] + s.vertices[b]).normalized());
      return at->second;
    };
    std::vector<contact::RigidMesh::Triangle> finer;
    for (const auto& [a, b, c] : s.triangles) {
      const std::int32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      for (const auto& t : {contact::RigidMesh::Triangle{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
        finer.push_back(t);
    }
    s.triangles = finer;
  }
  for (Vec3& x : s.vertices) x *= radius;
  return s;
}

/// The same with every vertex in or out by up to a third: concave nearly everywhere.
inline ClosedSurface thorny_ball(double radius, int halvings, std::uint64_t seed) {
  ClosedSurface s = ball(radius, halvings);
  for (std::size_t v = 0; v < s.vertices.size(); ++v) s.vertices[v] *= 1 + (core::hash_uniform(seed, v, 0) - 0.5) / 1.5;
  return s;
}

/// A floor with one step: an L in x and z, its top at z = 0 where x < 0 and at z = −height beyond; `size` is half its
/// width in x and y, and its depth below the lower top.
inline ClosedSurface step(double size, double height) {
  ClosedSurface s;
  const std::array<std::array<double, 2>, 6> profile{
      {{-size, 0}, {-size, -height - size}, {size, -height - size}, {size, -height}, {0, -height}, {0, 0}}};
  for (const double y : {-size, size})
    for (const auto& [x, z] : profile) s.vertices.emplace_back(x, y, z);
  for (std::int32_t i = 0; i < 6; ++i) {  // sides
    const std::int32_t j = (i + 1) % 6;
    s.triangles.push_back({i, i + 6, j});
    s.triangles.push_back({j, i + 6, j + 6});
  }
  for (const auto& [a, b, c] : {std::array{0, 1, 4}, std::array{1, 2, 4}, std::array{2, 3, 4}, std::array{4, 5, 0}}) {
    s.triangles.push_back({a, b, c});              // y = −size, seen from −y
    s.triangles.push_back({a + 6, c + 6, b + 6});  // y = +size
  }
  return s;
}

inline contact::ColliderParameters mesh_collider(const ClosedSurface& surface) {
  contact::ColliderParameters collider;
  collider.name = "mesh";
  collider.shape = contact::ColliderShape::mesh;
  collider.mesh.mesh = surface.solid();
  return collider;
}

}  // namespace brisance::test
