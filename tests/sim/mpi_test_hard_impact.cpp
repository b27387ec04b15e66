// A stiff piece hits the ground among small pieces, in implicit steps.
#include "support/over_ranks.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

/// A block of glass that falls askew at 5 m/s, and single tets of the same material that lie under it, fall or rotate.
mesh::TetMesh block_and_crumbs() {
  mesh::TetMesh all = test::kuhn_box(3, 3, 2, 0.3, 0.3, 0.2);
  for (Vec3& x : all.nodes) {
    x = Eigen::AngleAxisd(0.15, Vec3(1, 2, 0).normalized()) * x + Vec3(0, 0, 0.1);
    all.velocity.emplace_back(0.3, 0, -5);
  }
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      const double s = 0.01 + 0.004 * ((i + 3 * j) % 5), turn = 1.3 * i + 0.7 * j;
      const Eigen::AngleAxisd turned(turn, Vec3(std::cos(turn), 0.3 * j, 1).normalized());
      const Vec3 at(0.02 + 0.06 * i, 0.02 + 0.06 * j, 0.02 + 0.013 * ((2 * i + j) % 7));
      const auto first = static_cast<std::int32_t>(all.nodes.size());
      for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(s, 0, 0), Vec3(0, s, 0), Vec3(0, 0, s)}) {
        all.nodes.push_back(turned * corner + at);
        all.velocity.push_back(Vec3(0.2 * i - 0.4, 0.1, -0.8 * j) + Vec3(0, 0, 20 * (i - 2)).cross(corner));
      }
      all.tets.push_back({first, first + 1, first + 2, first + 3});
      all.face_source.push_back({-1, -1, -1, -1});
    }
  return all;
}

TEST(HardImpact, AStiffBlockAmongCrumbs) {
  for (const auto integrator : {dynamics::Integrator::implicit_euler}) {
    Scene scene = test::implicit_scene(test::solid(7e10, 0.22, 2500, 1e-6), 1.0 / 600);
    scene.time.integrator = integrator;
    scene.gravity = Vec3(0, 0, -9.81);
    contact::ColliderParameters ground;
    ground.name = "ground";
    scene.colliders = {ground};
    Simulation simulation(core::Comm(), scene, block_and_crumbs(), {});
    const double energy = simulation.energies().total(), thrown = simulation.energies().kinetic;
    double worst = 0;
    int most_halvings = 0;
    while (simulation.time_s() < 0.2) {
      simulation.step();
      worst = std::max(worst, std::abs(simulation.energies().total() - energy));
      most_halvings = std::max(most_halvings, simulation.num_halvings());
    }
    EXPECT_LE(most_halvings, 2);
    EXPECT_LT(worst, 0.05 * thrown);
    const auto depth = [&](LocalNode n) { return -simulation.mesh().motion[n].position[2]; };
    EXPECT_LT(test::largest(simulation, depth), 0.02);
    EXPECT_LT(simulation.energies().kinetic, thrown);
  }
}

}  // namespace
}  // namespace brisance::sim
