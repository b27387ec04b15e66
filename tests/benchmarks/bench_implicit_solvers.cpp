// One system of an implicit step, solved twice: iterations, seconds of processor time (set-up
// included), memory.
//
//   bench_implicit_solvers [CELLS [BOX_RATIO]] -dyn_pc_type lattice|gamg|bjacobi|hypre|cholesky …
//
// A jittered cube of 6 CELLS³ tets, 0.1 m wide (its thickness is BOX_RATIO times that), step 1/600 s, soft (10 MPa) and
// glass (70 GPa), tolerance 1e-6. Runs on any number of ranks.
#include "brisance/core/random.hpp"
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
#include <ctime>

#include <petscksp.h>

namespace brisance {
namespace {

constexpr double kWidth = 0.1, kStep = 1.0 / 600, kTolerance = 1e-6;

/// Of this rank: what a busy machine changes least.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

material::Material material_of(double youngs_modulus) {
  constexpr double kPoisson = 0.22;
  material::Material m;
  m.density = 2500;
  m.lame_lambda = youngs_modulus * kPoisson / ((1 + kPoisson) * (1 - 2 * kPoisson));
  m.lame_mu = 0.5 * youngs_modulus / (1 + kPoisson);
  return m;
}

dist::Mesh body(int cells, double ratio, double youngs_modulus) {
  const int thick = std::max(1, static_cast<int>(std::lround(ratio * cells)));
  mesh::TetMesh mesh = test::kuhn_box(cells, cells, thick, kWidth, kWidth, kWidth * ratio);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    for (int k = 0; k < 3; ++k)
      mesh.nodes[i][k] += 0.15 * kWidth / cells * (2 * core::hash_uniform(1, i, static_cast<std::uint64_t>(k)) - 1);
  return dist::distribute(core::Comm(), mesh, {}, {material_of(youngs_modulus)}, {});
}

void measure(const dist::Mesh& mesh, const char* name, bool stiff) {
  const core::Comm& comm = mesh.comm();
  dynamics::StepMatrix matrix(mesh);
  const auto slots = static_cast<std::size_t>(mesh.num_node_slots());
  const std::vector<dynamics::HeldAxes> held(slots, 0);
  matrix.fill(mesh, mesh.motion.span(), {}, dynamics::implicit_euler(kStep), {}, held);
  std::vector<Vec3> right(slots, Vec3::Zero()), found(slots, Vec3::Zero());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    const Vec3& x = mesh.rest[n];
    for (int k = 0; k < 3; ++k)
      right[static_cast<std::size_t>(i)][k] =
          mesh.mass[n] * (std::sin(40 * x[(k + 1) % 3]) + x[k] / kWidth +
                          0.1 * core::hash_uniform(2, static_cast<std::uint64_t>(mesh.node_id[n].value),
                                                   static_cast<std::uint64_t>(k)));
  }
  const auto print = [&](const dynamics::SolveReport& report, double first_s, double again_s) {
    if (comm.is_root())
      std::printf("%-6s %-10s %5d iterations, residual %.1e (%s): first solve %.2f s, again %.2f s\n", name,
                  report.preconditioner.c_str(), report.iterations, report.residual, report.reason.c_str(), first_s,
                  again_s);
  };
  std::array<double, 2> seconds{};
  if (dynamics::lattice_was_asked_for()) {
    const double start_s = processor_seconds();
    dynamics::LatticeSolver solver(mesh, matrix, kTolerance);
    const double made_s = processor_seconds() - start_s;
    dynamics::SolveReport report;
    for (double& s : seconds) {
      const double solve_start_s = processor_seconds();
      report = solver.solve(mesh, matrix, held, right, 0, found);
      s = processor_seconds() - solve_start_s;
    }
    print(report, made_s + seconds[0], seconds[1]);
    const dynamics::LatticeFacts facts = solver.facts();
    if (comm.is_root())
      std::printf("       lattice made in %.2f s; %d levels, %d points, %.0f MB a rank\n", made_s, facts.levels,
                  facts.points, 1e-6 * static_cast<double>(facts.bytes));
    return;
  }
  dynamics::StepSolver solver(mesh, matrix, kTolerance, stiff);
  dynamics::SolveReport report;
  for (double& s : seconds) {
    la::Vector b = matrix.vector(), x = matrix.vector();
    {
      const la::WriteView view(b.raw());
      for (const std::int32_t slot : matrix.owned_slots())
        for (std::size_t k = 0; k < 3; ++k)
          view[matrix.row(LocalNode(slot)) + k] = right[static_cast<std::size_t>(slot)][static_cast<int>(k)];
    }
    la::check(VecZeroEntries(x.raw()), "VecZeroEntries");
    const double start_s = processor_seconds();
    report = solver.solve(mesh, matrix, b, 0, x);
    s = processor_seconds() - start_s;
  }
  print(report, seconds[0], seconds[1]);
}

}  // namespace
}  // namespace brisance

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  const auto number = [&](int i, double otherwise) {
    return argc > i && argv[i][0] != '-' ? std::atof(argv[i]) : otherwise;
  };
  const int cells = static_cast<int>(number(1, 20));
  const double ratio = argc > 1 && argv[1][0] != '-' ? number(2, 1) : 1;
  brisance::measure(brisance::body(cells, ratio, 1e7), "soft", false);
  brisance::measure(brisance::body(cells, ratio, 7e10), "glass", true);
  PetscFinalize();
}
