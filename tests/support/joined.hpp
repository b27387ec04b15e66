/// Test meshes of two bodies.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>

namespace brisance::test {

/// Two meshes as one; each node's velocity is given beside its mesh [m/s].
inline mesh::TetMesh joined(const mesh::TetMesh& a, const Vec3& velocity_a, const mesh::TetMesh& b,
                            const Vec3& velocity_b) {
  mesh::TetMesh both;
  both.nodes = a.nodes;
  both.nodes.insert(both.nodes.end(), b.nodes.begin(), b.nodes.end());
  both.tets = a.tets;
  for (auto tet : b.tets) {
    for (auto& n : tet) n += static_cast<std::int32_t>(a.nodes.size());
    both.tets.push_back(tet);
  }
  both.face_source = a.face_source;
  both.face_source.insert(both.face_source.end(), b.face_source.begin(), b.face_source.end());
  both.velocity.assign(a.nodes.size(), velocity_a);
  both.velocity.insert(both.velocity.end(), b.nodes.size(), velocity_b);
  return both;
}

inline mesh::TetMesh moved(mesh::TetMesh mesh, const Mat3& turn, const Vec3& shift) {
  for (Vec3& x : mesh.nodes) x = turn * x + shift;
  return mesh;
}

}  // namespace brisance::test
