// Contact of 100,000 nodes with a ground, a ball and a box: cost per step without contact, and with many contacts. Cost
// of a pair of tets, separated or overlapping.
#include "brisance/contact/overlap/tet_overlap.hpp"
#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/core/aligned.hpp"
#include "brisance/core/random.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <utility>
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

// range(0): height, in thousandths of the unit cube of nodes, by which the ground reaches up into it and the ball down.
void add_forces(benchmark::State& state) {
  const std::size_t num_nodes = 100000;
  core::AlignedVector<dist::NodeMotion> motion(num_nodes);
  for (std::size_t i = 0; i < num_nodes; ++i)
    for (int k = 0; k < 3; ++k) motion[i].position[k] = core::hash_uniform(1, i, static_cast<std::uint64_t>(k));
  core::AlignedVector<dist::NodeForce> forces(num_nodes);
  const std::vector<double> mass(num_nodes, 0.01), wave_frequency(num_nodes, 1e4);
  std::vector<double> offset(num_nodes, 0);
  std::vector<std::int32_t> owned(num_nodes - 1);
  std::iota(owned.begin(), owned.end(), 1);
  contact::RigidColliders colliders(ground_ball_box(1e-3 * static_cast<double>(state.range(0))));
  for (auto _ : state)
    colliders.add_forces({motion, mass, wave_frequency, owned}, 1e-6, Vec3(0, 0, -9.81), offset, forces);
  state.counters["contacts"] = static_cast<double>(colliders.contacts().size());
}
BENCHMARK(add_forces)->Arg(0)->Arg(10)->Arg(100)->Unit(benchmark::kMicrosecond);

/// Pairs as along a crack: two tets on the two sides of a plane, moved into each other by `depth`.
std::vector<std::pair<contact::PlacedTet, contact::PlacedTet>> pairs_along_a_crack(double depth) {
  std::vector<std::pair<contact::PlacedTet, contact::PlacedTet>> pairs;
  for (std::uint64_t i = 0; pairs.size() < 4096; ++i) {
    const auto random = [&](std::uint64_t which) { return core::hash_uniform(2, i, which); };
    std::array<std::array<Vec3, 4>, 2> corner;
    for (std::uint64_t side = 0; side < 2; ++side)
      for (std::uint64_t k = 0; k < 4; ++k) {
        const std::uint64_t n = 12 * side + 3 * k;
        const double height = k < 3 ? depth / 2 : -0.5 - 0.5 * random(n + 2);
        corner[side][k] = Vec3(random(n), random(n + 1), side == 0 ? height : -height);
      }
    for (auto& tet : corner)
      if (contact::placed_tet(tet).volume < 0) std::swap(tet[0], tet[1]);
    const contact::PlacedTet a = contact::placed_tet(corner[0]), b = contact::placed_tet(corner[1]);
    const bool is_flat = std::min(a.volume, b.volume) < 0.01;
    if (!is_flat && (depth < 0 || contact::tet_overlap(a, b).volume > 0)) pairs.emplace_back(a, b);
  }
  return pairs;
}

// range(0): depth of the overlap, in thousandths of their size; −10: they are apart.
void tet_overlap(benchmark::State& state) {
  const auto pairs = pairs_along_a_crack(1e-3 * static_cast<double>(state.range(0)));
  for (auto _ : state)
    for (const auto& [a, b] : pairs) benchmark::DoNotOptimize(contact::tet_overlap(a, b));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(pairs.size()));
}
BENCHMARK(tet_overlap)->Arg(-10)->Arg(1)->Arg(100)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
