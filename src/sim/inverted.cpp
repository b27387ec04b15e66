#include "brisance/sim/inverted.hpp"

#include "brisance/dist/home_elements.hpp"

#include <algorithm>
#include <limits>

namespace brisance::sim {

namespace {

/// Has it the sign of its volume at rest?
bool is_upright(const dist::Mesh& mesh, LocalElement e) {
  const auto c = mesh.corners(e);
  const Vec3 a(mesh.motion[c[0]].position);
  const Vec3 u = Vec3(mesh.motion[c[1]].position) - a, v = Vec3(mesh.motion[c[2]].position) - a,
             w = Vec3(mesh.motion[c[3]].position) - a;
  return u.cross(v).dot(w) > 0;
}

}  // namespace

InvertedTets inverted_tets(const Simulation& simulation) {
  const dist::Mesh& mesh = simulation.mesh();
  InvertedTets found{0, std::numeric_limits<std::int64_t>::max()};
  for (const std::int32_t slot : dist::home_elements(mesh)) {
    const LocalElement e(slot);
    if (is_upright(mesh, e) || simulation.is_powder(e)) continue;
    ++found.count;
    found.lowest = std::min(found.lowest, mesh.element_id[e].value);
  }
  return {mesh.comm().sum(found.count), mesh.comm().min(found.lowest)};
}

}  // namespace brisance::sim
