// The force pass and its by-products, one core, 500K tets: million elements per second of each variant.
#include "brisance/core/random.hpp"
#include "brisance/dynamics/internal_forces.hpp"

#include "support/kuhn.hpp"
#include "support/serial_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <benchmark/benchmark.h>

namespace brisance {
namespace {

constexpr int kCells = 44;  // 511,104 tets, 91,125 nodes

material::Material glass_like(double plastic_limit) {
  material::Material m;
  m.density = 2588;
  m.lame_lambda = m.lame_mu = 1.04e8;
  m.damping_phi = 3015;
  m.damping_psi = 6760;
  m.yield_strain = 1e-3;
  m.plastic_limit = plastic_limit;
  return m;
}

/// Orders tets as cuts leave them: a few neighbours, then a few somewhere else.
void scatter(mesh::TetMesh& mesh) {
  constexpr std::size_t kTogether = 24;
  std::vector<std::size_t> groups(mesh.tets.size() / kTogether);
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  std::sort(groups.begin(), groups.end(),
            [](std::size_t a, std::size_t b) { return core::hash_bits(2, a, 0) < core::hash_bits(2, b, 0); });
  const auto tets = mesh.tets;
  auto to = mesh.tets.begin();
  for (const std::size_t g : groups) to = std::copy_n(&tets[g * kTogether], kTogether, to);
}

/// A jittered Kuhn cube, smoothly deformed and moving, with a little noise.
test::SerialBlocks moving_cube(int num_materials, bool plastic, int cells = kCells, bool scattered = false) {
  mesh::TetMesh mesh = test::kuhn_box(cells, cells, cells, 1, 1, 1);
  if (scattered) scatter(mesh);
  auto noise = [](std::size_t i, int k) { return 2 * core::hash_uniform(1, i, k) - 1; };
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    for (int k = 0; k < 3; ++k) mesh.nodes[i][k] += 0.1 / cells * noise(i, k);
  if (num_materials > 1)
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) mesh.region.push_back(mesh.nodes[mesh.tets[e][0]].x() < 0.5);
  std::vector<material::Material> materials(num_materials, glass_like(plastic ? 0.1 : 0));
  test::SerialBlocks body(mesh, materials, plastic);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    const Vec3& u = mesh.nodes[i];
    const Vec3 shift(0.01 * u.x() * u.y(), 0.02 * std::sin(3 * u.z()), -0.015 * u.x() * u.x());
    const Vec3 jitter(noise(i, 3), noise(i, 4), noise(i, 5));
    body.place(i, u + shift + 1e-5 * jitter,
               Vec3(0.1 * std::sin(7 * u.y()), 0.1 * std::cos(5 * u.x()), 0.01) + 1e-3 * jitter);
  }
  return body;
}

void report(benchmark::State& state, int elements) {
  state.counters["Melem/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * elements * 1e-6, benchmark::Counter::kIsRate);
}

void force_pass(benchmark::State& state, dynamics::ForceOptions options, int num_materials, bool plastic,
                material::ElasticLaw law = material::ElasticLaw::stvk) {
  test::SerialBlocks body = moving_cube(num_materials, plastic);
  for (auto& m : body.materials) m.elastic_law = law;
  for (auto _ : state) body.update_forces(options);
  report(state, body.num_elements);
}

/// The passes of a run with fracture, in a mesh larger than the caches, before cuts and after very many.
void cracked_pass(benchmark::State& state, bool scattered) {
  test::SerialBlocks body = moving_cube(1, false, 2 * kCells, scattered);
  for (auto& m : body.materials) m.elastic_law = material::ElasticLaw::neo_hookean;
  for (auto _ : state) body.update_forces({.viscous_split = true, .separation_bound = true});
  report(state, body.num_elements);
}

/// Force and symplectic Euler update: the explicit step of one rank without contact and fracture.
void full_step(benchmark::State& state, dynamics::ForceOptions options) {
  test::SerialBlocks body = moving_cube(1, false);
  std::vector<double> step_over_mass(body.mass.size());
  for (std::size_t n = 0; n < body.mass.size(); ++n) step_over_mass[n] = 1e-9 / body.mass[n];
  for (auto _ : state) {
    body.update_forces(options);
    for (std::size_t n = 1; n < body.nodes.size(); ++n)
      for (int k = 0; k < 4; ++k) {
        body.nodes[n].velocity[k] += step_over_mass[n] * (k < 3 ? body.forces[n].force[k] : 0);
        body.nodes[n].position[k] += 1e-9 * body.nodes[n].velocity[k];
      }
  }
  report(state, body.num_elements);
}

#define OURS ->Unit(benchmark::kMillisecond)->Repetitions(7)->ReportAggregatesOnly()->MinTime(0.15)
BENCHMARK_CAPTURE(force_pass, plain, dynamics::ForceOptions{false, false}, 1, false) OURS;
BENCHMARK_CAPTURE(force_pass, bound, dynamics::ForceOptions{false, true}, 1, false) OURS;
BENCHMARK_CAPTURE(force_pass, viscous, dynamics::ForceOptions{true, false}, 1, false) OURS;
BENCHMARK_CAPTURE(force_pass, bound_viscous, dynamics::ForceOptions{true, true}, 1, false) OURS;
BENCHMARK_CAPTURE(force_pass, two_materials, dynamics::ForceOptions{false, false}, 2, false) OURS;
BENCHMARK_CAPTURE(force_pass, plastic, dynamics::ForceOptions{false, false}, 1, true) OURS;
BENCHMARK_CAPTURE(force_pass, neo_hookean, dynamics::ForceOptions{false, false}, 1, false,
                  material::ElasticLaw::neo_hookean)
OURS;
BENCHMARK_CAPTURE(force_pass, neo_hookean_bound_viscous, dynamics::ForceOptions{true, true}, 1, false,
                  material::ElasticLaw::neo_hookean)
OURS;
BENCHMARK_CAPTURE(cracked_pass, uncut, false) OURS;
BENCHMARK_CAPTURE(cracked_pass, cut, true) OURS;
BENCHMARK_CAPTURE(full_step, plain, dynamics::ForceOptions{false, false}) OURS;
BENCHMARK_CAPTURE(full_step, bound, dynamics::ForceOptions{false, true}) OURS;
#undef OURS

}  // namespace
}  // namespace brisance

BENCHMARK_MAIN();
