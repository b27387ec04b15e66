// Lattices and their solver: against dense solutions, against other partitions of the nodes to the bit, and against
// meshes of other sizes.
#include "brisance/core/error.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/core/random.hpp"
#include "brisance/core/rounded_sums.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dynamics/lattice.hpp"
#include "brisance/dynamics/lattice_solver.hpp"

#include "dynamics/bodies.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

namespace brisance::dynamics {
namespace {

dist::Mesh distributed(const core::Comm& comm, const mesh::TetMesh& whole, const material::Material& m) {
  dist::DistributeOptions options;
  options.partitioner = dist::Partitioner::random;
  options.cap_damping_ratio = false;
  return dist::distribute(comm, whole, {}, {m}, options);
}

mesh::TetMesh jittered_cube(int cells) {
  mesh::TetMesh mesh = test::kuhn_box(cells, cells, cells, 1, 1, 1);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    for (int k = 0; k < 3; ++k)
      mesh.nodes[i][k] += 0.15 / cells * (2 * core::hash_uniform(1, i, static_cast<std::uint64_t>(k)) - 1);
  return mesh;
}

/// E and the step such that waves cross the body a hundred times in a step: only multigrid is fast.
material::Material stiff() { return test::unit_material(0.3); }
constexpr double kStep = 100;

/// A system with a right-hand side that depends on ids alone, and its solution.
struct Solved {
  dist::Mesh mesh;
  std::vector<Vec3> right, found;
  SolveReport report;
  LatticeFacts facts;
};
Solved solved(const core::Comm& comm, const mesh::TetMesh& whole, double tolerance, ConstrainedAxes held_at_start = 0) {
  Solved s{distributed(comm, whole, stiff()), {}, {}, {}, {}};
  const auto slots = static_cast<std::size_t>(s.mesh.num_node_slots());
  std::vector<ConstrainedAxes> held(slots, 0);
  s.right.assign(slots, Vec3::Zero());
  s.found.assign(slots, Vec3::Zero());
  for (std::int32_t i = 1; i < s.mesh.num_node_slots(); ++i) {
    const auto slot = static_cast<std::size_t>(i);
    if (s.mesh.rest[LocalNode(i)].x() < 0.1) held[slot] = held_at_start;
    for (int k = 0; k < 3; ++k)
      if ((held[slot] >> k & 1) == 0)
        s.right[slot][k] = core::hash_uniform(7, static_cast<std::uint64_t>(s.mesh.node_id[LocalNode(i)].value),
                                              static_cast<std::uint64_t>(k)) -
                           0.3;
  }
  StepMatrix matrix(s.mesh);
  matrix.fill(s.mesh, s.mesh.motion.span(), {}, implicit_euler(kStep), {}, held);
  LatticeSolver solver(s.mesh, matrix, tolerance);
  s.report = solver.solve(s.mesh, matrix, held, s.right, {}, s.found);
  s.facts = solver.facts();
  // The residual, by another product.
  OrderedRows rows(s.mesh, matrix);
  std::vector<Vec3> product(slots, Vec3::Zero());
  rows.multiply(s.mesh, s.found, product);
  core::ExactSum off, all;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    off.add((product[rows.slot(r)] - s.right[rows.slot(r)]).squaredNorm());
    all.add(s.right[rows.slot(r)].squaredNorm());
  }
  off.reduce(comm);
  all.reduce(comm);
  EXPECT_LT(std::sqrt(off.value() / all.value()), 1.5 * tolerance + 1e-9);
  return s;
}

/// The bits of all nodes' solutions, in any order.
std::int64_t digest_of(const Solved& s) {
  std::uint64_t sum = 0;
  for (std::int32_t i = 1; i < s.mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); s.mesh.is_owned(n))
      for (int k = 0; k < 3; ++k)
        sum += core::hash_bits(std::bit_cast<std::uint64_t>(s.found[static_cast<std::size_t>(i)][k]),
                               static_cast<std::uint64_t>(s.mesh.node_id[n].value), static_cast<std::uint64_t>(k)) >>
               16;
  return s.mesh.comm().sum(static_cast<std::int64_t>(sum));
}

TEST(RoundedSums, AreThoseOfExactSumsToTheLastBits) {
  const core::Comm comm;
  constexpr std::size_t kTerms = 1000;
  const auto value = [](std::size_t i) {
    return std::ldexp(core::hash_uniform(3, i, 0) - 0.5, static_cast<int>(core::hash_bits(3, i, 1) % 40) - 20);
  };
  // Every rank has some of the terms, in another order.
  std::vector<double> here;
  for (std::size_t i = kTerms; i-- > 0;)
    if (core::hash_bits(4, i, 2) % static_cast<std::uint64_t>(comm.size()) == static_cast<std::uint64_t>(comm.rank()))
      here.push_back(value(i));
  const double sum = core::rounded_sum(comm, here.size(), kTerms, [&](std::size_t i) { return here[i]; });
  const core::Comm alone(MPI_COMM_SELF);
  EXPECT_EQ(sum, core::rounded_sum(alone, kTerms, kTerms, value));
  core::ExactSum exact;
  for (std::size_t i = 0; i < kTerms; ++i) exact.add(value(i));
  EXPECT_NEAR(sum, exact.value(), 1e-14 * 0x1p19);
  EXPECT_EQ(core::rounded_sum(comm, here.size(), kTerms, [](std::size_t) { return 0.0; }), 0.0);
  EXPECT_TRUE(
      std::isnan(core::rounded_sum(comm, 1, comm.size(), [&](std::size_t) { return comm.is_root() ? NAN : 1; })));
}

// Weights are divided by a point's scale, so that the largest is 1; levels shrink until pieces are solved directly.
TEST(Lattice, HoldsEveryNodeInOneCell) {
  const dist::Mesh mesh = distributed(core::Comm(), jittered_cube(7), stiff());
  const Lattice lattice(mesh, 2);
  double largest = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const auto slot = static_cast<std::size_t>(i);
    if (!mesh.is_owned(LocalNode(i))) continue;
    ASSERT_GE(lattice.cell_of(slot), 0);
    for (const double weight : lattice.weights_of(slot)) {
      EXPECT_GE(weight, 0);
      EXPECT_LE(weight, 1);
      largest = std::max(largest, weight);
    }
  }
  EXPECT_EQ(mesh.comm().max(largest), 1);
  const auto levels = lattice.levels();
  ASSERT_GE(levels.size(), 2U);
  EXPECT_EQ(levels.back().links.size(), 0U);
  for (std::size_t l = 0; l + 1 < levels.size(); ++l) EXPECT_GT(levels[l].num_points, levels[l + 1].num_points);
}

TEST(LatticeSolver, GivesTheSameBitsHoweverNodesAreDivided) {
  for (const ConstrainedAxes held : {ConstrainedAxes{0}, ConstrainedAxes{1 | 4}}) {
    const Solved here = solved(core::Comm(), jittered_cube(9), 1e-8, held);
    const Solved alone = solved(core::Comm(MPI_COMM_SELF), jittered_cube(9), 1e-8, held);
    EXPECT_TRUE(here.report.converged) << here.report.reason;
    EXPECT_GE(here.facts.levels, 2);
    EXPECT_EQ(here.report.iterations, alone.report.iterations);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(here.report.residual), std::bit_cast<std::uint64_t>(alone.report.residual));
    EXPECT_EQ(digest_of(here), digest_of(alone));
  }
}

// PETSc's multigrid converts a distributed matrix and reallocates it: the values filled in afterwards are those that
// are solved.
TEST(LatticeSolver, FindsTheMatrixAfterAnotherSolverHadIt) {
  Solved s = solved(core::Comm(), jittered_cube(5), 1e-8);
  const std::vector<ConstrainedAxes> held(static_cast<std::size_t>(s.mesh.num_node_slots()), 0);
  StepMatrix matrix(s.mesh);
  const auto fill = [&](double step_s) {
    matrix.fill(s.mesh, s.mesh.motion.span(), {}, implicit_euler(step_s), {}, held);
  };
  const auto digest_by = [&](LatticeSolver& lattice) {
    std::ranges::fill(s.found, Vec3::Zero());
    EXPECT_TRUE(lattice.solve(s.mesh, matrix, held, s.right, {}, s.found).converged);
    return digest_of(s);
  };
  fill(kStep);
  LatticeSolver lattice(s.mesh, matrix, 1e-8);
  const std::int64_t before = digest_by(lattice);
  StepSolver multigrid(s.mesh, matrix, 1e-4, true);
  la::Vector right = matrix.vector(), unknown = matrix.vector();
  la::check(VecSet(right.raw(), 1), "VecSet");
  EXPECT_TRUE(multigrid.solve(s.mesh, matrix, right, {}, unknown).converged);
  fill(0.5 * kStep);
  const std::int64_t after = digest_by(lattice);
  LatticeSolver afresh(s.mesh, matrix, 1e-8);
  EXPECT_EQ(after, digest_by(afresh));
  EXPECT_NE(after, before);
}

// The digest detects a change in a last bit, and another order of a row's sum.
TEST(LatticeSolver, AnotherOrderOfSumsWouldBeNoticed) {
  Solved s = solved(core::Comm(), jittered_cube(5), 1e-6);
  const std::int64_t before = digest_of(s);
  if (s.mesh.comm().is_root())
    for (std::int32_t i = 1; i < s.mesh.num_node_slots(); ++i)
      if (s.mesh.is_owned(LocalNode(i))) {
        double& x = s.found[static_cast<std::size_t>(i)][0];
        x = std::nextafter(x, 1e9);
        break;
      }
  EXPECT_NE(digest_of(s), before);

  StepMatrix matrix(s.mesh);
  matrix.fill(s.mesh, s.mesh.motion.span(), {}, implicit_euler(kStep), {},
              std::vector<ConstrainedAxes>(static_cast<std::size_t>(s.mesh.num_node_slots()), 0));
  const OrderedRows rows(s.mesh, matrix);
  s.mesh.halo().update_ghosts(std::span(s.found));
  int differing = 0;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    double up = 0, down = 0;
    for (std::size_t k = rows.first(r); k < rows.first(r + 1); ++k) {
      const std::size_t mirrored = rows.first(r) + rows.first(r + 1) - 1 - k;
      up += rows.block(k)[0] * s.found[rows.column_slot(k)][0];
      down += rows.block(mirrored)[0] * s.found[rows.column_slot(mirrored)][0];
      if (k > rows.first(r)) {
        EXPECT_LT(s.mesh.node_id[LocalNode(static_cast<std::int32_t>(rows.column_slot(k - 1)))],
                  s.mesh.node_id[LocalNode(static_cast<std::int32_t>(rows.column_slot(k)))]);
      }
    }
    differing += up != down ? 1 : 0;
  }
  EXPECT_GT(s.mesh.comm().sum(differing), 20);
}

// Iterations stay bounded while the mesh is made finer.
TEST(LatticeSolver, IterationsDoNotGrowWithTheMesh) {
  std::vector<int> iterations;
  for (const int cells : {6, 12, 18})
    iterations.push_back(solved(core::Comm(), jittered_cube(cells), 1e-6).report.iterations);
  for (const int i : iterations) EXPECT_LT(i, 40);
  EXPECT_LT(iterations[2], 1.5 * iterations[0]);
}

// Two bodies at the same place: each has lattice points of its own, so it costs no iterations.
TEST(LatticeSolver, PiecesThatTouchHaveLatticesOfTheirOwn) {
  mesh::TetMesh two = jittered_cube(8);
  const mesh::TetMesh one = two;
  const auto count = static_cast<std::int32_t>(two.nodes.size());
  for (const Vec3& x : one.nodes) two.nodes.push_back(Vec3(1e-3 - x.x(), x.y(), 1 - x.z()));
  for (auto tet : one.tets) {
    for (std::int32_t& corner : tet) corner += count;
    two.tets.push_back(tet);
  }
  const int apart = solved(core::Comm(), one, 1e-6).report.iterations;
  EXPECT_LE(solved(core::Comm(), two, 1e-6).report.iterations, apart + 5);
}

// Single tets have fewer nodes than their cell has points.
TEST(LatticeSolver, SolvesCrumbs) {
  mesh::TetMesh crumbs;
  for (int i = 0; i < 5; ++i) {
    const Vec3 at(0.3 * i, 0.1 * i, 0);
    for (const Vec3& x : {Vec3(0, 0, 0), Vec3(0.2, 0, 0), Vec3(0, 0.2, 0), Vec3(0, 0, 0.2)})
      crumbs.nodes.push_back(at + x);
    crumbs.tets.push_back({4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3});
  }
  const Solved here = solved(core::Comm(), crumbs, 1e-8), alone = solved(core::Comm(MPI_COMM_SELF), crumbs, 1e-8);
  EXPECT_TRUE(here.report.converged) << here.report.reason;
  EXPECT_LT(here.report.iterations, 30);
  EXPECT_EQ(digest_of(here), digest_of(alone));
}

/// Error message with an option set.
std::string message_with(const char* option, const char* value) {
  la::check(PetscOptionsSetValue(nullptr, option, value), "PetscOptionsSetValue");
  std::string message;
  try {
    (void)solved(core::Comm(), jittered_cube(3), 1e-6);
  } catch (const core::Error& e) {
    message = e.what();
  }
  la::check(PetscOptionsClearValue(nullptr, option), "PetscOptionsClearValue");
  return message;
}

TEST(LatticeSolver, RefusesALatticeFinerThanTheMesh) {
  const std::string message = message_with("-dyn_pc_lattice_spacing", "0.5");
  EXPECT_NE(message.find("finer than the mesh"), std::string::npos) << message;
  EXPECT_NE(message.find("-dyn_pc_lattice_spacing 0.5"), std::string::npos) << message;
  EXPECT_NE(message_with("-dyn_pc_lattice_sweeps", "0").find("1 to 20"), std::string::npos);
}

TEST(LatticeSolver, SaysThatItDidNotConverge) {
  dist::Mesh mesh = distributed(core::Comm(), jittered_cube(5), stiff());
  StepMatrix matrix(mesh);
  const std::vector<ConstrainedAxes> held(static_cast<std::size_t>(mesh.num_node_slots()), 0);
  matrix.fill(mesh, mesh.motion.span(), {}, implicit_euler(kStep), {}, held);
  std::vector<Vec3> right(held.size(), Vec3(1, 0, 0)), found(held.size(), Vec3(5, 5, 5));
  la::check(PetscOptionsSetValue(nullptr, "-dyn_ksp_max_it", "1"), "PetscOptionsSetValue");
  LatticeSolver solver(mesh, matrix, 1e-12);
  la::check(PetscOptionsClearValue(nullptr, "-dyn_ksp_max_it"), "PetscOptionsClearValue");
  const SolveReport report = solver.solve(mesh, matrix, held, right, {}, found);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.reason, "DIVERGED_ITS");
  EXPECT_EQ(found.back(), Vec3(5, 5, 5));
}

}  // namespace
}  // namespace brisance::dynamics
