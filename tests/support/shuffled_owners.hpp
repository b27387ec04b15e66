/// New random owners of nodes, for tests of results that must not depend on them.
#pragma once

#include "brisance/core/random.hpp"
#include "brisance/sim/simulation.hpp"

#include <cstdint>

namespace brisance::test {

/// Every node to an owner that follows from its id and the step. Collective.
inline void shuffle_owners(sim::Simulation& simulation) {
  const dist::Mesh& mesh = simulation.mesh();
  NodeField<std::int32_t> owner(static_cast<std::size_t>(mesh.num_node_slots()), 0);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n))
      owner[n] = static_cast<std::int32_t>(core::hash_bits(static_cast<std::uint64_t>(simulation.num_steps()),
                                                           static_cast<std::uint64_t>(mesh.node_id[n].value), 0x316) %
                                           static_cast<std::uint64_t>(mesh.comm().size()));
  simulation.migrate(owner);
}

}  // namespace brisance::test
