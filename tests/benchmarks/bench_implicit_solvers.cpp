// One system of an implicit step, made, filled and solved twice: iterations, wall-clock seconds (of the slowest rank),
// memory.
//
//   bench_implicit_solvers [CELLS [BOX_RATIO [WIDTH_M]]] -dyn_pc_type lattice|gamg|bjacobi|hypre|cholesky …
//
// A jittered cube of 6 CELLS³ tets, 0.1 m wide unless WIDTH_M is given (its thickness is BOX_RATIO times that), step
// 1/600 s, tolerance 1e-6: soft (1 MPa, 1000 kg/m³), of 10 MPa, and glass (70 GPa; both 2500 kg/m³). Pattern: cost of a
// change of the mesh; fill: cost of every step before its solve. Runs on any number of ranks.
#include "brisance/core/random.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dynamics/lattice_solver.hpp"
#include "brisance/dynamics/step_solver.hpp"
#include "brisance/la/handles.hpp"
#include "brisance/la/vector_view.hpp"

#include "support/kuhn.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <petscksp.h>

namespace brisance {
namespace {

constexpr double kStep = 1.0 / 600, kTolerance = 1e-6;

struct Shape {
  int cells;
  double ratio, width_m;
};

/// Wall-clock time of the slowest rank. Collective.
template <class Work>
double seconds_of(const core::Comm& comm, const Work& work) {
  comm.barrier();
  const double start_s = core::wall_seconds();
  work();
  return comm.max(core::wall_seconds() - start_s);
}

material::Material material_of(double youngs_modulus, double density) {
  constexpr double kPoisson = 0.22;
  material::Material m;
  m.density = density;
  m.lame_lambda = youngs_modulus * kPoisson / ((1 + kPoisson) * (1 - 2 * kPoisson));
  m.lame_mu = 0.5 * youngs_modulus / (1 + kPoisson);
  return m;
}

dist::Mesh body(const Shape& shape, const material::Material& m) {
  const auto [cells, ratio, width_m] = shape;
  const int thick = std::max(1, static_cast<int>(std::lround(ratio * cells)));
  mesh::TetMesh mesh = test::kuhn_box(cells, cells, thick, width_m, width_m, width_m * ratio);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    for (int k = 0; k < 3; ++k)
      mesh.nodes[i][k] += 0.15 * width_m / cells * (2 * core::hash_uniform(1, i, static_cast<std::uint64_t>(k)) - 1);
  return dist::distribute(core::Comm(), mesh, {}, {m}, {});
}

void measure(const char* name, const Shape& shape, const material::Material& m, bool stiff) {
  const dist::Mesh mesh = body(shape, m);
  const core::Comm& comm = mesh.comm();
  std::unique_ptr<dynamics::StepMatrix> made;
  const double pattern_s = seconds_of(comm, [&] { made = std::make_unique<dynamics::StepMatrix>(mesh); });
  dynamics::StepMatrix& matrix = *made;
  const auto slots = static_cast<std::size_t>(mesh.num_node_slots());
  const std::vector<dynamics::ConstrainedAxes> held(slots, 0);
  const auto fill = [&] { matrix.fill(mesh, mesh.motion.span(), {}, dynamics::implicit_euler(kStep), {}, held); };
  fill();  // touches its memory
  const double fill_s = seconds_of(comm, fill);
  std::vector<Vec3> right(slots, Vec3::Zero()), found(slots, Vec3::Zero());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    const Vec3& x = mesh.rest[n];
    for (int k = 0; k < 3; ++k)
      right[static_cast<std::size_t>(i)][k] =
          mesh.mass[n] * (std::sin(4 * x[(k + 1) % 3] / shape.width_m) + x[k] / shape.width_m +
                          0.1 * core::hash_uniform(2, static_cast<std::uint64_t>(mesh.node_id[n].value),
                                                   static_cast<std::uint64_t>(k)));
  }
  const auto print = [&](const dynamics::SolveReport& report, double first_s, double again_s) {
    if (comm.is_root())
      std::printf(
          "%-6s %-10s pattern %.2f s, fill %.2f s, %5d iterations, residual %.1e (%s): first solve %.2f s, again %.2f "
          "s\n",
          name, report.preconditioner.c_str(), pattern_s, fill_s, report.iterations, report.residual,
          report.reason.c_str(), first_s, again_s);
  };
  dynamics::SolveReport report;
  if (dynamics::lattice_was_asked_for()) {
    std::unique_ptr<dynamics::LatticeSolver> solver;
    const double made_s =
        seconds_of(comm, [&] { solver = std::make_unique<dynamics::LatticeSolver>(mesh, matrix, kTolerance); });
    const auto solve = [&] { report = solver->solve(mesh, matrix, held, right, {}, found); };
    const double first_s = seconds_of(comm, solve), again_s = seconds_of(comm, solve);
    print(report, made_s + first_s, again_s);
    const dynamics::LatticeFacts facts = solver->facts();
    if (comm.is_root())
      std::printf("       lattice made in %.2f s; of a solve %.2f s are set-up; %d levels, %d points, %.0f MB a rank\n",
                  made_s, solver->set_up_seconds(), facts.levels, facts.points,
                  1e-6 * static_cast<double>(facts.bytes));
    return;
  }
  dynamics::StepSolver solver(mesh, matrix, kTolerance, stiff);
  std::array<double, 2> seconds{};
  for (double& s : seconds) {
    la::Vector b = matrix.vector(), x = matrix.vector();
    {
      const la::WriteView view(b.raw());
      for (const std::int32_t slot : matrix.owned_slots())
        for (std::size_t k = 0; k < 3; ++k)
          view[matrix.row(LocalNode(slot)) + k] = right[static_cast<std::size_t>(slot)][static_cast<int>(k)];
    }
    la::check(VecZeroEntries(x.raw()), "VecZeroEntries");
    s = seconds_of(comm, [&] { report = solver.solve(mesh, matrix, b, {}, x); });
  }
  print(report, seconds[0], seconds[1]);
}

}  // namespace
}  // namespace brisance

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  std::array<double, 3> given{20, 1, 0.1};  // up to the first option of PETSc's
  for (int i = 1; i < argc && i <= 3 && argv[i][0] != '-'; ++i)
    given[static_cast<std::size_t>(i - 1)] = std::atof(argv[i]);
  const brisance::Shape shape{static_cast<int>(given[0]), given[1], given[2]};
  brisance::measure("soft", shape, brisance::material_of(1e6, 1000), false);
  brisance::measure("10 MPa", shape, brisance::material_of(1e7, 2500), false);
  brisance::measure("glass", shape, brisance::material_of(7e10, 2500), true);
  PetscFinalize();
}
