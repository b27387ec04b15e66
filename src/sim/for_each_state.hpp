/// Evaluates the states of many elements in batches of some thousand, since each state takes some hundred bytes.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/internal_forces.hpp"
#include "brisance/dynamics/mesh_spans.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace brisance::sim {

/// Calls visit(element, state) for these slots, in their order. Local.
template <class Visit>
void for_each_state(const dist::Mesh& mesh, std::span<const std::int32_t> slots, const Visit& visit) {
  constexpr std::size_t kAtOnce = 4096;
  std::vector<dynamics::ElementState> states(std::min(kAtOnce, slots.size()));
  for (std::size_t begin = 0; begin < slots.size(); begin += kAtOnce) {
    const auto some = slots.subspan(begin, std::min(kAtOnce, slots.size() - begin));
    dynamics::element_states(dynamics::spans_of(mesh), mesh.materials, mesh.motion.span(), some,
                             std::span(states).first(some.size()));
    for (std::size_t k = 0; k < some.size(); ++k) visit(LocalElement(some[k]), states[k]);
  }
}

}  // namespace brisance::sim
