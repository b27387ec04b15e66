/// A star as round as possible: one inner node, all others on a sphere.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace brisance::test {

/// A ball star: an octahedron's faces divided `levels` times and projected to radius 1, every triangle a tet with the
/// centre, node 0.
inline mesh::TetMesh ball_star(int levels) {
  std::vector<std::array<Vec3, 3>> triangles;
  for (const double sx : {1.0, -1.0})
    for (const double sy : {1.0, -1.0})
      for (const double sz : {1.0, -1.0}) triangles.push_back({Vec3(sx, 0, 0), Vec3(0, sy, 0), Vec3(0, 0, sz)});
  for (int level = 0; level < levels; ++level) {
    std::vector<std::array<Vec3, 3>> finer;
    for (const auto& [a, b, c] : triangles) {
      const Vec3 ab = (a + b).normalized(), bc = (b + c).normalized(), ca = (c + a).normalized();
      for (const auto& part : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) finer.push_back(part);
    }
    triangles = std::move(finer);
  }
  mesh::TetMesh mesh;
  mesh.nodes.emplace_back(Vec3::Zero());
  std::map<std::array<double, 3>, std::int32_t> index;
  auto node = [&](const Vec3& x) {
    const auto [found, is_new] =
        index.try_emplace({x[0] + 0.0, x[1] + 0.0, x[2] + 0.0}, static_cast<std::int32_t>(mesh.nodes.size()));
    if (is_new) mesh.nodes.push_back(x);
    return found->second;
  };
  for (const auto& [a, b, c] : triangles) {
    std::array<std::int32_t, 4> tet{0, node(a), node(b), node(c)};
    if (a.cross(b).dot(c) < 0) std::swap(tet[2], tet[3]);
    mesh.tets.push_back(tet);
    mesh.face_source.push_back({0, -1, -1, -1});
  }
  return mesh;
}

}  // namespace brisance::test
