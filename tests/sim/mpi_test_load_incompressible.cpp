/// Statics by load steps of nearly incompressible bodies, on any number of ranks.
#include "brisance/core/random.hpp"
#include "brisance/sim/implicit/implicit_equations.hpp"

#include "support/over_ranks.hpp"
#include "support/static_scenes.hpp"
#include "support/vibrations.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::FreeCube, test::largest, test::pressure, test::RolledBar, test::run_to_end, test::static_scene;

constexpr double kNearlyIncompressible = 0.4999;

// Constrained on all sides but one, a block of ν = 0.4999 is compressed by e: σ = (λ + 2μ) e, 5000 times the stress of
// a bar with free sides.
TEST(StaticStepper, ANearlyIncompressibleBlockIsPressedTogether) {
  mesh::TetMesh block = test::kuhn_box(4, 4, 4, 1, 1, 1);
  for (std::size_t i = 0; i < block.nodes.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (block.nodes[i][k] > 0 && block.nodes[i][k] < 1)
        block.nodes[i][k] += 0.06 * (core::hash_uniform(7, static_cast<std::int64_t>(i), k) - 0.5);
  std::vector<std::uint32_t> masks;
  for (const Vec3& x : block.nodes) {
    std::uint32_t mask = 0;
    for (int k = 0; k < 3; ++k)
      if (x[k] == 0 || (x[k] == 1 && k > 0)) mask |= 1U << k;
    masks.push_back(mask | (x[0] == 1 ? 8U : 0U));
  }
  const material::Material m = test::solid(1e6, kNearlyIncompressible, 1100);
  for (const double e : {-1e-4, 1e-3}) {
    Scene scene = static_scene(test::bare_scene(m), 2);
    scene.regions = {test::grip({true, false, false}), test::grip({false, true, false}),
                     test::grip({false, false, true}), test::grip({true, false, false}, Vec3(e, 0, 0))};
    Simulation simulation(core::Comm(), scene, block, masks);
    run_to_end(simulation);
    const auto off = [&](LocalNode n) {
      const Vec3& x = simulation.mesh().rest[n];
      return (Vec3(simulation.mesh().motion[n].position) - x - e * Vec3(x[0], 0, 0)).norm();
    };
    EXPECT_LT(largest(simulation, off), 1e-6 * std::abs(e));
    const double energy = 0.5 * (m.lame_lambda + 2 * m.lame_mu) * e * e;
    EXPECT_NEAR(simulation.energies().elastic, energy, 1e-6 * energy);
    EXPECT_NEAR(simulation.energies().supplied, energy, 1e-6 * energy);
    EXPECT_EQ(simulation.num_halvings(), 0);
  }
}

// Under pressure all around it shrinks by p/(3 K), K = 5000 μ/1.5, and no more.
TEST(StaticStepper, ANearlyIncompressibleCubeUnderPressureShrinksAsItShould) {
  FreeCube free;
  free.scene.materials = {test::solid(FreeCube::kYoungs, kNearlyIncompressible, 1000)};
  const double bulk = FreeCube::kYoungs / (3 * (1 - 2 * kNearlyIncompressible)), e = -2e-5;  // p is 0.3 μ
  free.scene.loads = {pressure(-3 * bulk * e, false)};
  free.scene.time.solver_tolerance = 1e-10;
  Simulation simulation(core::Comm(), free.scene, free.cube, free.masks);
  run_to_end(simulation);
  const auto off = [&](LocalNode n) {
    return (Vec3(simulation.mesh().motion[n].position) - (1 + e) * simulation.mesh().rest[n]).norm();
  };
  EXPECT_LT(largest(simulation, off), 1e-5 * std::abs(e));
  EXPECT_NEAR(simulation.energies().elastic, 4.5 * bulk * e * e, 1e-5 * bulk * e * e);
}

// A bar on rollers stretched by a tenth: across it contracts by ν times as much, so that its volume stays, and E e is
// its stress.
TEST(StaticStepper, ANearlyIncompressibleBarIsDrawn) {
  const double e = 0.1;
  RolledBar rolled(e, 1e9);
  rolled.scene.materials = {test::solid(RolledBar::kYoungs, kNearlyIncompressible, 1000)};
  rolled.scene.fracture.enabled = false;
  Simulation simulation(core::Comm(), rolled.scene, rolled.bar, rolled.masks);
  run_to_end(simulation);
  const auto off = [&](LocalNode n) {
    const Vec3& x = simulation.mesh().rest[n];
    return (Vec3(simulation.mesh().motion[n].position) - x -
            e * Vec3(x[0], -kNearlyIncompressible * x[1], -kNearlyIncompressible * x[2]))
        .norm();
  };
  EXPECT_LT(largest(simulation, off), 1e-6 * e * 0.2);
  const double energy = 0.5 * RolledBar::kYoungs * e * e * 0.002;
  EXPECT_NEAR(simulation.energies().elastic, energy, 1e-6 * energy);
}

// Stretched with its ends constrained across there is no contraction: linear tets lock, and the internal forces are a
// thousand times the applied ones. Newton's method takes a few iterations, and its result does not depend on the number
// of loads. (Beyond 1.7 % the pressures of this structured mesh, which differ from tet to tet, make it unstable.)
TEST(StaticStepper, ANearlyIncompressibleBlockIsDrawn) {
  const mesh::TetMesh block = test::kuhn_box(6, 6, 6, 0.06, 0.06, 0.06);
  std::vector<std::uint32_t> masks;
  for (const Vec3& x : block.nodes) masks.push_back(x[0] == 0 ? 1U : x[0] > 0.0599 ? 2U : 0U);
  const auto drawn = [&](int load_steps, double poisson, double by) {
    Scene scene = static_scene(test::bare_scene(test::solid(1e6, poisson, 1100)), load_steps);
    scene.regions = {test::grip({true, true, true}), test::grip({true, true, true}, Vec3(0.06 * by, 0, 0))};
    Simulation simulation(core::Comm(), scene, block, masks);
    run_to_end(simulation);
    EXPECT_EQ(simulation.num_halvings(), 0);
    EXPECT_LT(simulation.equations().num_solves(), 8 * load_steps) << poisson;
    return simulation.energies().elastic;
  };
  const std::array<std::pair<double, double>, 3> draws{{{0.3, 0.5}, {0.499, 0.25}, {kNearlyIncompressible, 0.015}}};
  for (const auto& [poisson, by] : draws) {
    const double coarse = drawn(2, poisson, by), fine = drawn(3, poisson, by);
    EXPECT_NEAR(coarse, fine, 1e-5 * fine) << poisson;
  }
}

}  // namespace
}  // namespace brisance::sim
