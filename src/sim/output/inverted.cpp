#include "brisance/sim/output/inverted.hpp"

#include "brisance/dist/home_elements.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <algorithm>
#include <limits>

namespace brisance::sim {

namespace {

/// Whether the element's volume has the same sign as at rest.
bool is_upright(const dist::Mesh& mesh, LocalElement e) {
  const auto at = [&](int corner) { return Vec3(mesh.motion[mesh.corner(e, corner)].position); };
  return mesh::tet_volume(at(0), at(1), at(2), at(3)) > 0;
}

}  // namespace

InvertedTets inverted_tets(const Simulation& simulation) {
  const dist::Mesh& mesh = simulation.mesh();
  InvertedTets found{0, std::numeric_limits<std::int64_t>::max()};
  for (const std::int32_t slot : dist::home_elements(mesh)) {
    const LocalElement e(slot);
    if (is_upright(mesh, e) || simulation.is_crushed(e)) continue;
    ++found.count;
    found.lowest = std::min(found.lowest, mesh.element_id[e].value);
  }
  return {mesh.comm().sum(found.count), mesh.comm().min(found.lowest)};
}

}  // namespace brisance::sim
