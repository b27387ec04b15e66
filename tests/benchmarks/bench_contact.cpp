// Contact of 100,000 nodes with a ground, a ball and a box: what a step pays where nothing touches, and where much
// does.
#include "brisance/contact/rigid_contact.hpp"
#include "brisance/core/aligned.hpp"
#include "brisance/core/random.hpp"

#include <numeric>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace brisance;

std::vector<contact::ColliderParameters> ground_ball_box(double ground_height) {
  contact::ColliderParameters ground, ball, box;
  ground.position = Vec3(0, 0, ground_height);
  ball.shape = contact::ColliderShape::sphere;
  ball.motion = contact::ColliderMotion::free;
  ball.radius_m = 0.3;
  ball.mass_kg = 10;
  ball.position = Vec3(0.5, 0.5, 1.31 - ground_height);
  box.shape = contact::ColliderShape::box;
  box.size = Vec3(0.2, 0.3, 0.4);
  box.position = Vec3(1.2, 0, 0);
  box.orientation = Eigen::Quaterniond(0.9, 0.1, 0.3, 0.2).normalized();
  return {ground, ball, box};
}

// range(0): how far, in thousandths of the unit cube of nodes, the ground reaches up into it and the ball down.
void add_forces(benchmark::State& state) {
  const std::size_t num_nodes = 100000;
  core::AlignedVector<dist::NodeMotion> motion(num_nodes);
  for (std::size_t i = 0; i < num_nodes; ++i)
    for (int k = 0; k < 3; ++k) motion[i].position[k] = core::hash_uniform(1, i, static_cast<std::uint64_t>(k));
  core::AlignedVector<dist::NodeForce> forces(num_nodes);
  const std::vector<double> mass(num_nodes, 0.01), wave_frequency(num_nodes, 1e4);
  std::vector<double> forgiven(num_nodes, 0);
  std::vector<std::int32_t> owned(num_nodes - 1);
  std::iota(owned.begin(), owned.end(), 1);
  contact::RigidColliders colliders(ground_ball_box(1e-3 * static_cast<double>(state.range(0))));
  for (auto _ : state)
    colliders.add_forces({motion, mass, wave_frequency, owned}, 1e-6, Vec3(0, 0, -9.81), forgiven, forces);
  state.counters["contacts"] = static_cast<double>(colliders.contacts().size());
}
BENCHMARK(add_forces)->Arg(0)->Arg(10)->Arg(100)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
