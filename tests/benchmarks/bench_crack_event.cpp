// Cost of one crack in meshes of 48 thousand, 477 thousand and 4.8 million tets: the round that cuts (chosen nodes,
// plan, ids, cut, ghosts), then bound, strains and forces of the stars it touched, as in Simulation::crack. Run it on
// one rank and under mpirun -n 2; every rank takes part in the same cracks, spread all over the mesh.
#include "brisance/core/random.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dynamics/critical_step.hpp"
#include "brisance/dynamics/mesh_spans.hpp"
#include "brisance/fracture/rounds.hpp"
#include "brisance/mesh/tets/ordering.hpp"

#include "support/fracture_mesh.hpp"
#include "support/kuhn.hpp"

#include <cstdio>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>
#include <petscsys.h>

namespace brisance {
namespace {

constexpr int kCracks = 100;      ///< per mesh; all ranks must make the same number
constexpr int kFirstCracks = 20;  ///< before those, not timed

/// A cube of cells³ Kuhn cells, divided among the ranks.
std::unique_ptr<dist::Mesh> divided_cube(const core::Comm& comm, int cells) {
  mesh::TetMesh whole;
  if (comm.is_root()) {
    whole = test::kuhn_box(cells, cells, cells, 1, 1, 1);
    mesh::order_for_locality(whole);
  }
  return std::make_unique<dist::Mesh>(dist::distribute(comm, whole, {}, {test::stone()}, test::with_fracture_fields()));
}

/// Updates after a round.
struct Renewal {
  AlignedNodeField<dist::NodeForce> forces;
  std::vector<float> strain;
  NodeField<double> stiffness;
  std::vector<double> steps;

  void run(dist::Mesh& mesh) {
    const std::vector<std::int32_t> elements = dist::elements_around(mesh, mesh.touched_nodes());
    strain.resize(mesh.blocks.size() * dist::kBatch);
    forces.resize(mesh.node_id.size());
    const dynamics::ElementSpans spans = dynamics::spans_of(mesh);
    stiffness.resize(mesh.node_id.size());
    steps.resize(strain.size());
    dynamics::strains_and_stiffness_of(spans, mesh.materials, mesh.motion.span(), elements, {strain, strain},
                                       stiffness.span());
    auto& added_stiffness = mesh.field(dynamics::kAddedStiffness);
    for (LocalNode n : mesh.touched_nodes()) added_stiffness[n] = stiffness[n] * mesh.inverse_mass[n];
    mesh.update_ghosts_of<double>(mesh.touched_nodes(), added_stiffness.span());
    const auto bound =
        dynamics::critical_step_of(spans, mesh.materials, elements, {strain, strain}, added_stiffness.span(), steps);
    benchmark::DoNotOptimize(mesh.comm().min(bound.step_s));
    dynamics::internal_forces_of(spans, mesh.materials, mesh.motion.span(), elements, forces.span(), {});
  }
};

void crack_event(benchmark::State& state) {
  const core::Comm comm;
  const auto mesh = divided_cube(comm, static_cast<int>(state.range(0)));
  const std::int64_t tets = mesh->facts.next_element_id, nodes = mesh->facts.next_node_id;
  fracture::Rounds rounds(*mesh, {}, {}, {});
  Renewal renewal;
  std::int64_t turn = 0;
  auto one_crack = [&] {
    // Nodes of the uncut mesh, spread all over it, one per round.
    const GlobalNode id(static_cast<std::int64_t>(core::hash_bits(7, static_cast<std::uint64_t>(turn), 0) %
                                                  static_cast<std::uint64_t>(nodes)));
    const LocalNode n = mesh->find(id);
    std::map<LocalNode, fracture::Failure> failing;
    const Vec3 normal = Vec3(0.3, 1, 0.2 * static_cast<double>(turn % 7)).normalized();
    if (n.valid() && mesh->is_owned(n) && mesh->star(n).size() > 1) failing[n] = {n, 1.5, normal};
    ++turn;
    if (rounds.crack_round(*mesh, failing, 0, turn, 0)) renewal.run(*mesh);
  };
  // Arrays of the mesh and scratch memory grow once on all ranks: a copy of all data that is no cost of a crack.
  for (int i = 0; i < kFirstCracks; ++i) one_crack();
  for (auto _ : state) {
    comm.barrier();
    one_crack();
  }
  state.counters["tets"] = static_cast<double>(tets);
  state.counters["cracks"] = static_cast<double>(mesh->facts.num_cracks);
  state.counters["ranks"] = comm.size();
}
BENCHMARK(crack_event)->Arg(20)->Arg(43)->Arg(93)->Iterations(kCracks)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace brisance

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0 && std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  PetscFinalize();
  return 0;
}
