/// The strengths of the materials in a node's star.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/fracture/criteria/strength.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/fracture/parameters.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace brisance::fracture {

/// Does it break where there is no front?
[[nodiscard]] inline bool has_strength(const material::Material& m) {
  return m.toughness > 0 && std::isfinite(m.toughness);
}

/// Strength of a material at a node: a force in newton, or a stress.
struct Bearing {
  double limit;
  bool is_stress;
  std::size_t material;
};

/// Calls `visit(Bearing)` for each breakable material in the node's star, at least once each.
template <class Visit>
void for_each_bearing(const dist::Mesh& mesh, LocalNode n, const Parameters& parameters, const Visit& visit) {
  const bool is_on_front = mesh.field(kFront)[n] != 0;
  const auto visit_one = [&](std::size_t k, double factor) {
    const material::Material& m = mesh.materials[k];
    if (const double tough = is_on_front ? tip_toughness(parameters, k, m) : 0; tough > 0)
      visit(Bearing{front_strength(tough, mesh.field(dist::kUncutEdgeLength)[n]) * factor, true, k});
    else if (has_strength(m))
      visit(Bearing{m.toughness * factor, m.toughness_mode == material::ToughnessMode::stress, k});
  };
  if (const auto* factor = mesh.find_field(dist::kStrengthFactor)) {
    for (const std::int32_t slot : mesh.star(n)) {
      const LocalElement e(slot);
      visit_one(mesh.material_of[e], (*factor)[e]);
    }
    return;
  }
  if (mesh.materials.size() == 1) {
    visit_one(0, 1.0);
    return;
  }
  std::int32_t last = -1;  // neighbours are mostly of one material, and a second visit is harmless
  for (const std::int32_t e : mesh.star(n)) {
    const material::Index m = mesh.material_of[LocalElement(e)];
    if (m != last) visit_one(m, 1.0);
    last = m;
  }
}

}  // namespace brisance::fracture
