// Whole steps of sim::Simulation on one core, 511,104 tets: without fracture, with the criterion evaluated every step
// of a punched glass block just below failure, and while it cracks. Million element updates per second; the time of the
// fracture phase beside that of the force pass.
#include "brisance/core/random.hpp"
#include "brisance/fracture/criteria/separation.hpp"
#include "brisance/mesh/tets/ordering.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/kuhn.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include <benchmark/benchmark.h>
#include <petscsys.h>

namespace brisance {
namespace {

constexpr int kCells = 44;
constexpr int kPunchSteps = 60;  ///< until the pressure wave has crossed some cells and drawn tension behind it

/// A jittered Kuhn cube whose middle top is driven in at 20 m/s.
const mesh::TetMesh& punched_block() {
  static const mesh::TetMesh block = [] {
    mesh::TetMesh mesh = test::kuhn_box(kCells, kCells, kCells, 1, 1, 1);
    mesh.velocity.assign(mesh.nodes.size(), Vec3::Zero());
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
      Vec3& u = mesh.nodes[i];
      const double from_axis = std::hypot(u.x() - 0.5, u.y() - 0.5);
      if (u.z() > 0.85 && from_axis < 0.15) mesh.velocity[i].z() = -20;
      for (int k = 0; k < 3; ++k) u[k] += 0.1 / kCells * (2 * core::hash_uniform(1, i, k) - 1);
    }
    mesh::order_for_locality(mesh);
    return mesh;
  }();
  return block;
}

sim::Scene glass_scene(double strength_pa) {
  material::Material glass;
  glass.name = "glass";
  glass.density = 2500;
  glass.lame_lambda = 2.3e10;
  glass.lame_mu = 2.9e10;
  glass.damping_phi = glass.damping_psi = 1e3;
  glass.toughness = strength_pa;
  sim::Scene scene;
  scene.materials = {glass};
  scene.duration_s = 1;
  scene.gravity = Vec3::Zero();
  scene.output.energy_ledger = false;
  scene.fracture.enabled = strength_pa > 0;
  return scene;
}

std::unique_ptr<sim::Simulation> punched(double strength_pa) {
  auto simulation = std::make_unique<sim::Simulation>(core::Comm(MPI_COMM_SELF), glass_scene(strength_pa),
                                                      punched_block(), std::span<const std::uint32_t>());
  for (int i = 0; i < kPunchSteps; ++i) simulation->step(1);
  return simulation;
}

/// Largest v⁺/A_n of the block after the punch [Pa].
double largest_separation_stress() {
  static const double largest = [] {
    const auto simulation = punched(0);
    dist::Mesh& mesh = simulation->mesh();
    mesh.materials[0].toughness = 1;  // severities are then in pascal
    std::vector<LocalNode> nodes;
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) nodes.emplace_back(i);
    double most = 0;
    auto corner_forces = [&](std::span<const std::int32_t> chosen, std::span<dist::CornerForces> result) {
      dynamics::corner_forces(simulation->element_spans(), mesh.materials, mesh.motion.span(), chosen, result);
    };
    for (const auto& s : fracture::separations(mesh, nodes, corner_forces))
      most = std::max(most, fracture::severity(mesh, s));
    return most;
  }();
  return largest;
}

/// `strength_share`: strength over the largest separation stress; 0: fracture is off.
void explicit_step(benchmark::State& state, double strength_share) {
  const double strength_pa = strength_share > 0 ? strength_share * largest_separation_stress() : 0;
  const auto simulation = punched(strength_pa);
  const sim::PhaseSeconds before = simulation->phase_seconds();
  const auto cracks_before = simulation->fracture_counters().cracks;
  double updates = 0;
  for (auto _ : state) {
    updates += simulation->mesh().num_element_slots();
    simulation->step(1);
  }
  const sim::PhaseSeconds& after = simulation->phase_seconds();
  state.counters["Melem/s"] = benchmark::Counter(1e-6 * updates, benchmark::Counter::kIsRate);
  state.counters["fracture/forces"] = (after.fracture - before.fracture) / (after.forces - before.forces);
  state.counters["cracks"] = static_cast<double>(simulation->fracture_counters().cracks - cracks_before);
  state.counters["bytes/tet"] =
      static_cast<double>(simulation->mesh().memory_bytes()) / simulation->mesh().num_element_slots();
}

#define OURS ->Unit(benchmark::kMillisecond)->Iterations(20)->Repetitions(3)->ReportAggregatesOnly()
BENCHMARK_CAPTURE(explicit_step, no_fracture, 0.0) OURS;
BENCHMARK_CAPTURE(explicit_step, checked, 1.5) OURS;
BENCHMARK_CAPTURE(explicit_step, cracking, 0.8) OURS;
#undef OURS

}  // namespace
}  // namespace brisance

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  benchmark::RunSpecifiedBenchmarks();
  PetscFinalize();
}
