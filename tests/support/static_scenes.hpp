/// Scenes of statics by load steps.
#pragma once

#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <cstdint>
#include <vector>

namespace brisance::test {

inline sim::Scene static_scene(sim::Scene scene, int load_steps) {
  scene.time.integrator = dynamics::Integrator::statics;
  scene.time.load_steps = load_steps;
  scene.duration_s = 1;
  return scene;
}

inline void run_to_end(sim::Simulation& simulation) { run_until(simulation, simulation.scene().duration_s); }

/// A bar on rollers on three sides, stretched along x by `strain` at the end: stress E e along x and nothing else.
struct RolledBar {
  static constexpr double kYoungs = 1e9, kPoisson = 0.3;
  mesh::TetMesh bar = kuhn_box(4, 2, 2, 0.2, 0.1, 0.1);
  std::vector<std::uint32_t> masks;
  sim::Scene scene;
  explicit RolledBar(double strain, double strength) {
    material::Material m = solid(kYoungs, kPoisson, 1000);
    m.toughness = strength;
    m.toughness_mode = material::ToughnessMode::stress;
    scene = static_scene(bare_scene(m), 3);
    scene.fracture.criterion = "principal_stress";
    scene.regions = {grip({true, false, false}), grip({false, true, false}), grip({false, false, true}),
                     grip({true, false, false}, Vec3(0.2 * strain, 0, 0))};
    for (const Vec3& x : bar.nodes)
      masks.push_back((x[0] == 0 ? 1U : 0U) | (x[1] == 0 ? 2U : 0U) | (x[2] == 0 ? 4U : 0U) | (x[0] == 0.2 ? 8U : 0U));
  }
};

/// A cube constrained so that it can stretch freely: a corner, a second one across, a third one along z.
struct FreeCube {
  static constexpr double kYoungs = 1e6, kPoisson = 0.3, kBulk = kYoungs / (3 * (1 - 2 * kPoisson));
  mesh::TetMesh cube = kuhn_box(2, 2, 2, 1, 1, 1);
  std::vector<std::uint32_t> masks;
  sim::Scene scene = static_scene(bare_scene(solid(kYoungs, kPoisson, 1000)), 4);
  FreeCube() {
    scene.regions = {grip({true, true, true}), grip({false, true, true}), grip({false, false, true})};
    for (const Vec3& x : cube.nodes)
      masks.push_back(x == Vec3::Zero() ? 1U : x == Vec3::UnitX() ? 2U : x == Vec3::UnitY() ? 4U : 0U);
  }
};

inline sim::LoadParameters pressure(double pressure_pa, bool follows) {
  sim::LoadParameters load;
  load.pressure_pa = pressure_pa;
  load.follows = follows;
  return load;
}

}  // namespace brisance::test
