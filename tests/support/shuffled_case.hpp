/// A scene that is run alone, on all ranks, and with nodes that change their owners.
#pragma once

#include "brisance/sim/simulation.hpp"

#include "support/shuffled_owners.hpp"
#include "support/simulated.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace brisance::test {

struct Case {
  sim::Scene scene;
  mesh::TetMesh mesh;
  std::vector<std::uint32_t> masks;  ///< regions of each node
  int steps;
};

/// The simulation after its steps; every `shuffle_every` steps all nodes change owners, with 0 never. Collective.
inline std::unique_ptr<sim::Simulation> run(const core::Comm& comm, const Case& which, int shuffle_every) {
  auto simulation = std::make_unique<sim::Simulation>(comm, which.scene, which.mesh, which.masks);
  for (int i = 0; i < which.steps; ++i) {
    if (shuffle_every > 0 && i % shuffle_every == 0) shuffle_owners(*simulation);
    simulation->step(which.scene.duration_s);
  }
  return simulation;
}

}  // namespace brisance::test
