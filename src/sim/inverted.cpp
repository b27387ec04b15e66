#include "brisance/sim/inverted.hpp"

#include "brisance/dist/home_elements.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace brisance::sim {

InvertedTets inverted_tets(const Simulation& simulation) {
  constexpr std::size_t kAtOnce = 4096;  // a state is some hundred bytes: not all of them at a time
  const dist::Mesh& mesh = simulation.mesh();
  const std::vector<std::int32_t> home = dist::home_elements(mesh);
  std::vector<dynamics::ElementState> states(std::min(kAtOnce, home.size()));
  InvertedTets found{0, std::numeric_limits<std::int64_t>::max()};
  for (std::size_t begin = 0; begin < home.size(); begin += kAtOnce) {
    const auto some = std::span(home).subspan(begin, std::min(kAtOnce, home.size() - begin));
    dynamics::element_states(simulation.element_spans(), mesh.materials, mesh.motion.span(), some,
                             std::span(states).first(some.size()));
    for (std::size_t k = 0; k < some.size(); ++k) {
      const bool powder = mesh.material_of[LocalElement(some[k])] >= simulation.scene().materials.size();
      if (states[k].determinant > 0 || powder) continue;
      ++found.count;
      found.lowest = std::min(found.lowest, mesh.element_id[LocalElement(some[k])].value);
    }
  }
  return {mesh.comm().sum(found.count), mesh.comm().min(found.lowest)};
}

}  // namespace brisance::sim
