/// A mesh with a slit: the nodes of its crack faces are two.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace brisance::test {

/// Duplicates the nodes on the plane y = height for which `is_crack_face` holds, for the part below the plane; no tet
/// may be left on both sides. If `opening` is not 0 the crack faces are moved apart at rest by ±opening·(tip_x − x),
/// and the parts above and below with them, less towards the outside. The crack faces are faces of the outer surface,
/// numbered after the others.
inline mesh::TetMesh with_slit(mesh::TetMesh mesh, double height, const std::function<bool(const Vec3&)>& is_crack_face,
                               double opening = 0, double tip_x = 0) {
  const auto is_on = [&](std::int32_t n) {
    return std::abs(mesh.nodes[n].y() - height) < 1e-9 && is_crack_face(mesh.nodes[n]);
  };
  std::int32_t source = 0;
  for (const auto& tags : mesh.face_source) source = std::max(source, *std::max_element(tags.begin(), tags.end()) + 1);
  const auto is_in_plane = [&](std::int32_t n) { return std::abs(mesh.nodes[n].y() - height) < 1e-9; };
  std::map<std::int32_t, std::int32_t> copy_of;
  const std::vector<Vec3> whole = mesh.nodes;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    auto& tet = mesh.tets[t];
    for (int f = 0; f < 4; ++f) {  // a face in the plane becomes a crack face if a crack face node is among its corners
      const auto& c = mesh::kFaceCorners[f];
      if (std::all_of(c.begin(), c.end(), [&](int v) { return std::abs(whole[tet[v]].y() - height) < 1e-9; }) &&
          std::any_of(c.begin(), c.end(), [&](int v) { return is_crack_face(whole[tet[v]]); }))
        mesh.face_source[t][f] = source++;
    }
  }
  for (auto& tet : mesh.tets) {
    double middle = 0;
    for (const std::int32_t n : tet) middle += whole[n].y() / 4;
    if (middle > height) continue;
    for (std::int32_t& n : tet) {
      if (!is_in_plane(n) || !is_on(n)) continue;
      const auto [found, is_new] = copy_of.try_emplace(n, static_cast<std::int32_t>(mesh.nodes.size()));
      if (is_new) mesh.nodes.push_back(mesh.nodes[n]);
      n = found->second;
    }
  }
  double reach = 0;
  for (const Vec3& x : whole) reach = std::max(reach, std::abs(x.y() - height));
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    Vec3& x = mesh.nodes[n];
    const bool is_lip_node = n >= whole.size() || copy_of.contains(static_cast<std::int32_t>(n));
    if (std::abs(x.y() - height) < 1e-9 && !is_lip_node) continue;
    const double side = x.y() < height - 1e-9 || n >= whole.size() ? -1 : 1;
    x.y() += side * opening * std::max(0.0, tip_x - x.x()) * (1 - std::abs(x.y() - height) / reach);
  }
  return mesh;
}

}  // namespace brisance::test
