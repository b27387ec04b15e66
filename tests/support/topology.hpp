/// The whole broken mesh as one complex: counts, Euler characteristic and surface, on every rank.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/dynamics/plastic_state.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

namespace brisance::test {

/// An element with its rest shape, as sent by its home rank.
struct WholeElement {
  std::int64_t id;
  std::array<std::int64_t, 4> corners;
  std::array<std::array<double, 3>, 4> rest;
  std::array<std::int32_t, 4> face_source;
  std::array<double, 6> plastic_strain;
  double volume;

  [[nodiscard]] Vec3 at(int corner) const { return Vec3(rest[corner].data()); }
};

/// All elements in ascending id, the same on all ranks. Collective.
inline std::vector<WholeElement> whole_mesh(const dist::Mesh& mesh) {
  std::vector<WholeElement> mine;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e) || !mesh.is_home(e)) continue;
    const auto r = mesh.element_record(e);
    WholeElement w{r.id.value, {}, {}, mesh.field(dist::kFaceSource)[e], {}, mesh.volume(e)};
    const SymMat3 plastic = dynamics::plastic_strain(mesh.field(dynamics::kPlasticState), e);
    std::copy_n(plastic.data(), 6, w.plastic_strain.begin());
    for (int k = 0; k < 4; ++k) {
      w.corners[k] = r.corners[k].value;
      for (int axis = 0; axis < 3; ++axis) w.rest[k][axis] = mesh.rest[mesh.corner(e, k)][axis];
    }
    mine.push_back(w);
  }
  auto all = mesh.comm().all_gather(std::span<const WholeElement>(mine));
  std::sort(all.begin(), all.end(), [](auto& x, auto& y) { return x.id < y.id; });
  return all;
}

struct SurfaceFace {
  std::array<std::int64_t, 3> corners;
  std::array<Vec3, 3> rest;
  bool is_crack;  ///< not part of the uncut surface

  /// Outward area vector of the rest shape [m²].
  [[nodiscard]] Vec3 area() const { return 0.5 * (rest[1] - rest[0]).cross(rest[2] - rest[0]); }
};

struct Topology {
  std::int64_t nodes = 0, edges = 0, faces = 0, tets = 0;
  std::int64_t most_tets_at_a_face = 0;  ///< 2 in a conforming mesh
  std::vector<SurfaceFace> surface;      ///< faces of one tet only

  [[nodiscard]] std::int64_t euler() const { return nodes - edges + faces - tets; }
  /// Σ |area| and Σ area of crack faces for which `side` holds.
  template <class Side>
  [[nodiscard]] std::pair<double, Vec3> crack_area(const Side& side) const {
    double sum = 0;
    Vec3 vector = Vec3::Zero();
    for (const SurfaceFace& f : surface)
      if (f.is_crack && side(f)) {
        sum += f.area().norm();
        vector += f.area();
      }
    return {sum, vector};
  }
};

inline Topology topology(const std::vector<WholeElement>& elements) {
  Topology t;
  std::set<std::int64_t> nodes;
  std::set<std::array<std::int64_t, 2>> edges;
  std::map<std::array<std::int64_t, 3>, std::vector<std::pair<const WholeElement*, int>>> faces;
  for (const WholeElement& e : elements)
    for (int i = 0; i < 4; ++i) {
      nodes.insert(e.corners[i]);
      for (int j = i + 1; j < 4; ++j)
        edges.insert({std::min(e.corners[i], e.corners[j]), std::max(e.corners[i], e.corners[j])});
      const auto& c = mesh::kFaceCorners[i];
      std::array<std::int64_t, 3> face{e.corners[c[0]], e.corners[c[1]], e.corners[c[2]]};
      std::sort(face.begin(), face.end());
      faces[face].emplace_back(&e, i);
    }
  t.nodes = static_cast<std::int64_t>(nodes.size());
  t.edges = static_cast<std::int64_t>(edges.size());
  t.faces = static_cast<std::int64_t>(faces.size());
  t.tets = static_cast<std::int64_t>(elements.size());
  for (const auto& [key, users] : faces) {
    t.most_tets_at_a_face = std::max(t.most_tets_at_a_face, static_cast<std::int64_t>(users.size()));
    if (users.size() != 1) continue;
    const auto& [e, i] = users[0];
    const auto& c = mesh::kFaceCorners[i];
    t.surface.push_back({{e->corners[c[0]], e->corners[c[1]], e->corners[c[2]]},
                         {e->at(c[0]), e->at(c[1]), e->at(c[2])},
                         e->face_source[i] == mesh::kNoSourceTriangle});
  }
  return t;
}

}  // namespace brisance::test
