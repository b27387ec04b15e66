#include "brisance/sim/inverted.hpp"

#include "brisance/dist/home_elements.hpp"

#include "for_each_state.hpp"

#include <algorithm>
#include <limits>

namespace brisance::sim {

InvertedTets inverted_tets(const Simulation& simulation) {
  const dist::Mesh& mesh = simulation.mesh();
  InvertedTets found{0, std::numeric_limits<std::int64_t>::max()};
  for_each_state(simulation, dist::home_elements(mesh), [&](LocalElement e, const dynamics::ElementState& state) {
    if (state.determinant > 0 || simulation.is_powder(e)) return;
    ++found.count;
    found.lowest = std::min(found.lowest, mesh.element_id[e].value);
  });
  return {mesh.comm().sum(found.count), mesh.comm().min(found.lowest)};
}

}  // namespace brisance::sim
