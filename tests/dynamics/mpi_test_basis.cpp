// The hierarchical basis: its functions, and the equations in them, against dense matrices, the equations of all nodes,
// and other partitions to the bit.
#include "brisance/core/error.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/core/random.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/dynamics/basis/choice.hpp"
#include "brisance/dynamics/basis/reduced_system.hpp"
#include "brisance/dynamics/element_stiffness.hpp"
#include "brisance/dynamics/lattice_solver.hpp"

#include "dynamics/bodies.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace brisance::dynamics {
namespace {

const dist::FieldList kFields = dist::mesh_fields().add(kBasisLevel);

dist::Mesh distributed(const core::Comm& comm, const mesh::TetMesh& whole) {
  dist::DistributeOptions options;
  options.partitioner = dist::Partitioner::random;
  options.cap_damping_ratio = false;
  options.fields = kFields;
  material::Material m = test::unit_material(0.3);
  m.damping_phi = 0.02 * m.lame_lambda;
  m.damping_psi = 0.01 * m.lame_mu;
  return dist::distribute(comm, whole, {}, {m}, options);
}

mesh::TetMesh jittered_cube(int cells) {
  mesh::TetMesh mesh = test::kuhn_box(cells, cells, cells, 1, 1, 1);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    for (int k = 0; k < 3; ++k)
      mesh.nodes[i][k] += 0.15 / cells * (2 * core::hash_uniform(1, i, static_cast<std::uint64_t>(k)) - 1);
  return mesh;
}

/// Two boxes with the same middle plane, which no element crosses.
mesh::TetMesh cut_box() {
  mesh::TetMesh mesh = test::kuhn_box(4, 4, 4, 1, 1, 1);
  const mesh::TetMesh half = mesh;
  const auto count = static_cast<std::int32_t>(half.nodes.size());
  for (const Vec3& node : half.nodes) mesh.nodes.push_back(node + Vec3(1, 0, 0));
  for (auto tet : half.tets) {
    for (auto& corner : tet) corner += count;
    mesh.tets.push_back(tet);
  }
  return mesh;
}

template <class Choose>
void ask(dist::Mesh& mesh, const Choose& level_of) {
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) mesh.field(kBasisLevel)[n] = level_of(mesh.rest[n]);
}

/// Coarse on one side, all nodes free in a corner, two lattices between.
std::uint8_t mixed(const Vec3& x) {
  if (x.x() > 0.75 && x.y() > 0.75) return kFree;
  return x.x() > 0.4 ? 1 : 0;
}

std::vector<Vec3> right_side(const dist::Mesh& mesh, std::span<const ConstrainedAxes> held) {
  std::vector<Vec3> right(held.size(), Vec3::Zero());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    for (int k = 0; k < 3; ++k)
      if (const auto s = static_cast<std::size_t>(i); mesh.is_owned(LocalNode(i)) && (held[s] >> k & 1) == 0)
        right[s][k] = core::hash_uniform(7, static_cast<std::uint64_t>(mesh.node_id[LocalNode(i)].value),
                                         static_cast<std::uint64_t>(k)) -
                      0.3;
  return right;
}

/// The number of motions of these functions without elastic energy, of an undistributed mesh.
int num_rigid_modes(const dist::Mesh& mesh, const Functions& functions) {
  const int nodes = mesh.num_node_slots(), count = functions.count();
  Eigen::MatrixXd p = Eigen::MatrixXd::Zero(3L * nodes, 3L * count), k = Eigen::MatrixXd::Zero(3L * nodes, 3L * nodes);
  for (int i = 1; i < nodes; ++i)
    for (const Functions::Link& link : functions.of(static_cast<std::size_t>(i)))
      for (int a = 0; a < 3; ++a) p(3L * i + a, 3L * link.function + a) = link.weight;
  for (std::int32_t slot = 0; slot < mesh.num_element_slots(); ++slot) {
    const LocalElement e(slot);
    if (!mesh.is_held(e)) continue;
    const auto of_tet = element_stiffness(mesh, e, mesh.motion.span(), Strain::linear,
                                          {.step_s = 1, .position_per_velocity = 1, .inertia = 0});
    const auto corners = mesh.corners(e);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        k.block<3, 3>(3L * corners[static_cast<std::size_t>(i)].value,
                      3L * corners[static_cast<std::size_t>(j)].value) += of_tet.block<3, 3>(3 * i, 3 * j);
  }
  // An orthonormal basis of the motions, since functions may depend on each other at the surface.
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr = p.colPivHouseholderQr();
  const Eigen::MatrixXd q = Eigen::MatrixXd(qr.householderQ()).leftCols(qr.rank());
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(q.transpose() * k * q, Eigen::EigenvaluesOnly).eigenvalues();
  return static_cast<int>((values.array() < 1e-9 * values.maxCoeff()).count());
}

TEST(Basis, ACutBodyHasTwelveRigidModesAndAWholeOneSix) {
  for (const std::uint8_t level : {std::uint8_t{0}, std::uint8_t{1}}) {
    // The middle plane is inside the cells, so that functions cross it.
    const auto count = [&](const mesh::TetMesh& whole) {
      dist::Mesh mesh = distributed(core::Comm(MPI_COMM_SELF), whole);
      ask(mesh, [&](const Vec3& x) { return x.z() > 0.8 ? level : std::uint8_t{0}; });
      const Functions functions(mesh, basis_grid(mesh, 0.8, 2));
      EXPECT_LT(functions.count(), functions.num_nodes());
      return num_rigid_modes(mesh, functions);
    };
    EXPECT_EQ(count(test::kuhn_box(8, 4, 4, 2, 1, 1)), 6);
    EXPECT_EQ(count(cut_box()), 12);
  }
}

struct Solved {
  dist::Mesh mesh;
  std::vector<ConstrainedAxes> held;
  std::vector<Vec3> right, found;
  SolveReport report;
  std::int32_t num_functions = 0;
};

constexpr double kStep = 3;

/// @param turned  the body stands turned by so much
template <class Choose>
Solved solved(const core::Comm& comm, const Choose& level_of, ConstrainedAxes held_at_start, double tolerance,
              double turned = 0) {
  Solved s{distributed(comm, jittered_cube(9)), {}, {}, {}, {}};
  ask(s.mesh, level_of);
  const Mat3 turn = Eigen::AngleAxisd(turned, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  s.held.assign(static_cast<std::size_t>(s.mesh.num_node_slots()), 0);
  for (std::int32_t i = 1; i < s.mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!s.mesh.is_used(n)) continue;
    Eigen::Map<Vec3>(s.mesh.motion[n].position) = turn * s.mesh.rest[n];
    if (s.mesh.rest[n].x() < 0.1) s.held[static_cast<std::size_t>(i)] = held_at_start;
  }
  s.right = right_side(s.mesh, s.held);
  s.found.assign(s.held.size(), Vec3::Zero());
  ReducedSystem system(s.mesh, basis_grid(s.mesh, 0.5, 2), s.held);
  system.fill(s.mesh, s.mesh.motion.span(), {}, implicit_euler(kStep), {});
  s.report = system.solve(s.mesh, s.right, {}, tolerance, s.found);
  EXPECT_TRUE(s.report.converged) << s.report.reason;
  s.num_functions = system.functions().count();

  // The residual by the matrix of all nodes vanishes in the functions.
  StepMatrix matrix(s.mesh);
  matrix.fill(s.mesh, s.mesh.motion.span(), {}, implicit_euler(kStep), {}, s.held);
  OrderedRows rows(s.mesh, matrix);
  std::vector<Vec3> residual(s.held.size(), Vec3::Zero()), x = s.found;
  rows.multiply(s.mesh, x, residual);
  for (std::size_t i = 0; i < residual.size(); ++i) residual[i] -= s.right[i];
  EXPECT_LT(system.norm(s.mesh, residual), (3 * tolerance + 1e-10) * system.norm(s.mesh, s.right));
  return s;
}

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

TEST(Basis, SolvesTheEquationsOfAllNodesInItsFunctions) {
  for (const double turned : {0.0, 1.0}) {
    const Solved s = solved(core::Comm(), mixed, 0, 1e-9, turned);
    EXPECT_LT(s.report.iterations, 70);
    EXPECT_LT(s.num_functions, 600);
    EXPECT_GT(s.num_functions, 100);
  }
}

// Between a clamp and the free nodes at its rim are so few nodes that many lattice functions are combinations of
// others: then the matrix is singular. Refined on three lattices.
TEST(Basis, SolvesInFewIterationsWhereFunctionsDependOnEachOther) {
  for (const double clamped : {1.27, 1.4, 1.52}) {
    dist::Mesh mesh = distributed(core::Comm(), test::kuhn_box(40, 8, 6, 5, 1, 0.75));
    const BasisGrid grid = basis_grid(mesh, 0, 3);
    std::vector<ConstrainedAxes> held(static_cast<std::size_t>(mesh.num_node_slots()), 0);
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.is_used(n) && mesh.rest[n].x() < clamped) held[static_cast<std::size_t>(i)] = 7;
    ask(mesh, [&](const Vec3& x) {
      if (x.x() >= clamped && x.x() < clamped + 0.125) return kFree;
      return static_cast<std::uint8_t>(x.x() < 4 ? 2 : 1);
    });
    const std::vector<Vec3> right = right_side(mesh, held);
    std::vector<Vec3> found(held.size(), Vec3::Zero());
    ReducedSystem system(mesh, grid, held);
    EXPECT_GE(system.num_dependent(), 10);
    system.fill(mesh, mesh.motion.span(), {}, implicit_euler(kStep), {});
    const SolveReport report = system.solve(mesh, right, {}, 1e-9, found);
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_LT(report.iterations, 40);
    if (mesh.comm().is_root()) std::printf("%d iterations, %d dependent\n", report.iterations, system.num_dependent());
  }
}

// The factor of the body at rest, turned, conditions a bent and turned body nearly as well as one at rest; what it was
// used for before leaves no trace.
TEST(Basis, AFactorOfTheBodyAtRestServesWhereverItMoves) {
  dist::Mesh mesh = distributed(core::Comm(), test::kuhn_box(24, 6, 6, 4, 1, 1));
  ask(mesh, [](const Vec3& x) { return x.x() < 0.3 ? kFree : std::uint8_t{1}; });
  const std::vector<ConstrainedAxes> held(static_cast<std::size_t>(mesh.num_node_slots()), 0);
  const BasisGrid grid = basis_grid(mesh, 0, 2);
  const auto move = [&](double bend, double turned) {
    const Mat3 turn = Eigen::AngleAxisd(turned, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
      const LocalNode n(i);
      if (!mesh.is_used(n)) continue;
      const Vec3& x = mesh.rest[n];
      Eigen::Map<Vec3>(mesh.motion[n].position) = turn * (x + Vec3(0, 0, bend * x.x() * x.x()));
    }
  };
  const std::vector<Vec3> right = right_side(mesh, held);
  const auto solve = [&](ReducedSystem& system, std::vector<Vec3>& found) {
    system.fill(mesh, mesh.motion.span(), {}, implicit_euler(kStep), {});
    const SolveReport report = system.solve(mesh, right, {}, 1e-8, found);
    EXPECT_TRUE(report.converged) << report.reason;
    return report.iterations;
  };
  std::vector<Vec3> before(held.size(), Vec3::Zero()), used = before, fresh = before;
  ReducedSystem system(mesh, grid, held), other(mesh, grid, held);
  move(0, 0);
  const int at_rest = solve(system, before);
  move(0.002, 2);
  const int moved = solve(system, used);
  if (mesh.comm().is_root()) std::printf("%d iterations at rest, %d where it moved\n", at_rest, moved);
  EXPECT_LE(moved, at_rest + at_rest / 2);
  EXPECT_EQ(solve(other, fresh), moved);
  bool is_equal = true;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const auto slot = static_cast<std::size_t>(i); mesh.is_owned(LocalNode(i)))
      is_equal = is_equal && used[slot] == fresh[slot];
  EXPECT_TRUE(is_equal);
}

TEST(Basis, GivesTheSameBitsHoweverNodesAreDivided) {
  for (const ConstrainedAxes held : {ConstrainedAxes{0}, ConstrainedAxes{1 | 4}, ConstrainedAxes{7}}) {
    const Solved here = solved(core::Comm(), mixed, held, 1e-8),
                 alone = solved(core::Comm(MPI_COMM_SELF), mixed, held, 1e-8);
    EXPECT_EQ(here.num_functions, alone.num_functions);
    EXPECT_EQ(here.report.iterations, alone.report.iterations);
    EXPECT_EQ(digest_of(here), digest_of(alone));
  }
}

TEST(Basis, WithAllNodesFreeIsTheNodalSolution) {
  Solved s = solved(
      core::Comm(), [](const Vec3&) { return kFree; }, ConstrainedAxes{7}, 1e-13);
  StepMatrix matrix(s.mesh);
  matrix.fill(s.mesh, s.mesh.motion.span(), {}, implicit_euler(kStep), {}, s.held);
  LatticeSolver solver(s.mesh, matrix, 1e-13);
  std::vector<Vec3> nodal(s.held.size(), Vec3::Zero());
  ASSERT_TRUE(solver.solve(s.mesh, matrix, s.held, s.right, {}, nodal).converged);
  double off = 0, largest = 0;
  for (std::int32_t i = 1; i < s.mesh.num_node_slots(); ++i)
    if (const auto slot = static_cast<std::size_t>(i); s.mesh.is_owned(LocalNode(i))) {
      off = std::max(off, (nodal[slot] - s.found[slot]).norm());
      largest = std::max(largest, nodal[slot].norm());
    }
  EXPECT_LT(s.mesh.comm().max(off), 1e-10 * s.mesh.comm().max(largest));
}

TEST(Basis, ProjectionKeepsMomentumAndRigidMotion) {
  Solved s{distributed(core::Comm(), jittered_cube(9)), {}, {}, {}, {}};
  ask(s.mesh, mixed);
  s.held.assign(static_cast<std::size_t>(s.mesh.num_node_slots()), 0);
  ReducedSystem system(s.mesh, basis_grid(s.mesh, 0.5, 2), s.held);
  std::vector<Vec3> rough = right_side(s.mesh, s.held), rigid = rough;
  for (std::int32_t i = 1; i < s.mesh.num_node_slots(); ++i)
    rigid[static_cast<std::size_t>(i)] = Vec3(1, 2, 3) + Vec3(-2, 1, 0.5).cross(s.mesh.rest[LocalNode(i)]);
  const std::vector<Vec3> rigid_before = rigid, rough_before = rough;
  system.project(s.mesh, rigid);
  system.project(s.mesh, rough);
  std::array<core::ExactSum, 3> lost;
  core::ExactSum energy;
  double off = 0;
  for (std::int32_t i = 1; i < s.mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    const auto slot = static_cast<std::size_t>(i);
    if (!s.mesh.is_owned(n)) continue;
    off = std::max(off, (rigid[slot] - rigid_before[slot]).norm());
    for (int k = 0; k < 3; ++k)
      lost[static_cast<std::size_t>(k)].add(s.mesh.mass[n] * (rough_before[slot] - rough[slot])[k]);
    energy.add(s.mesh.mass[n] * (rough_before[slot].squaredNorm() - rough[slot].squaredNorm()));
  }
  EXPECT_LT(s.mesh.comm().max(off), 1e-9);
  for (core::ExactSum& sum : lost) {
    sum.reduce(s.mesh.comm());
    EXPECT_NEAR(sum.value(), 0, 1e-12);
  }
  energy.reduce(s.mesh.comm());
  EXPECT_GT(energy.value(), 0.01);  // of what functions cannot hold
}

// Strain varies at one end alone: there functions are refined, and as many as the share allows.
TEST(Basis, ChoosesFunctionsWhereStrainVaries) {
  dist::Mesh mesh = distributed(core::Comm(), test::kuhn_box(24, 6, 6, 4, 1, 1));
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_used(n)) continue;
    const double x = mesh.rest[n].x() - 3;
    if (x > 0) mesh.motion[n].position[0] += 0.02 * x * x * x;
  }
  const std::vector<double> wanted(static_cast<std::size_t>(mesh.num_node_slots()), 1);
  const BasisGrid grid = basis_grid(mesh, 0.8, 2);
  const BasisChoice choice = choose_basis_levels(mesh, grid, 0.2, Strain::corotational, wanted);
  EXPECT_EQ(choice.num_nodes, 25 * 7 * 7);
  EXPECT_LE(static_cast<double>(choice.num_asked), 0.2 * static_cast<double>(choice.num_nodes));
  EXPECT_GE(static_cast<double>(choice.num_asked), 0.15 * static_cast<double>(choice.num_nodes));
  std::int64_t fine_here = 0, fine_elsewhere = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n) && mesh.field(kBasisLevel)[n] > 0)
      ++(mesh.rest[n].x() >= 3 ? fine_here : fine_elsewhere);
  EXPECT_GT(mesh.comm().sum(fine_here), 50);
  EXPECT_EQ(mesh.comm().sum(fine_elsewhere), 0);
}

/// Lowest vibrations of a body clamped at x = 0, by inverse iteration from fields near them.
class Vibrations {
public:
  explicit Vibrations(dist::Mesh& mesh) : mesh_(mesh), held_(static_cast<std::size_t>(mesh.num_node_slots()), 0) {
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.is_used(n) && mesh.rest[n].x() == 0) held_[static_cast<std::size_t>(i)] = 7;
  }
  [[nodiscard]] const std::vector<ConstrainedAxes>& held() const { return held_; }

  /// Squared frequencies of bending along z and y, and of torsion. @param solve  K⁻¹ of a right-hand side
  template <class Solve>
  [[nodiscard]] std::array<double, 3> squared(const Solve& solve) const {
    std::array<double, 3> values{};
    for (std::size_t mode = 0; mode < 3; ++mode) {
      std::vector<Vec3> x(held_.size(), Vec3::Zero());
      for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i) {
        const LocalNode n(i);
        if (!mesh_.is_owned(n) || held_[static_cast<std::size_t>(i)] != 0) continue;
        const Vec3 at = mesh_.rest[n] - Vec3(0, 0.6, 0.5);
        x[static_cast<std::size_t>(i)] = mode == 0   ? Vec3(0, 0, at.x() * at.x())
                                         : mode == 1 ? Vec3(0, at.x() * at.x(), 0)
                                                     : Vec3(at.x() * Vec3::UnitX().cross(at));
      }
      for (int iteration = 0; iteration < 4; ++iteration) {
        std::vector<Vec3> right(x.size(), Vec3::Zero()), next(x.size(), Vec3::Zero());
        for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i)
          if (const auto s = static_cast<std::size_t>(i); mesh_.is_owned(LocalNode(i)))
            right[s] = mesh_.mass[LocalNode(i)] * x[s];
        solve(right, next);
        values[mode] = dot(x, next) / dot(next, next);
        x = next;
      }
    }
    return values;
  }

private:
  [[nodiscard]] double dot(std::span<const Vec3> a, std::span<const Vec3> b) const {
    core::ExactSum sum;
    for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i)
      if (const auto s = static_cast<std::size_t>(i); mesh_.is_owned(LocalNode(i)))
        sum.add(mesh_.mass[LocalNode(i)] * a[s].dot(b[s]));
    sum.reduce(mesh_.comm());
    return sum.value();
  }

  dist::Mesh& mesh_;
  std::vector<ConstrainedAxes> held_;
};

/// Nodes beside clamped ones are free.
std::vector<double> wanted_at_clamp(const dist::Mesh& mesh, double width) {
  std::vector<double> wanted(static_cast<std::size_t>(mesh.num_node_slots()), 1);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n) && mesh.rest[n].x() > 0 && mesh.rest[n].x() < width)
      wanted[static_cast<std::size_t>(i)] = INFINITY;
  return wanted;
}

// With a tenth of the functions a cantilever bends under its end load as with all, and swings at the
// same frequencies.
TEST(Basis, ATenthOfTheFunctionsBendsAndSwingsACantileverAsAllNodes) {
  const char* const finer = std::getenv("BRISANCE_BASIS_CELLS");  // for the figures of docs/IMPLICIT.md
  const int cells = finer != nullptr ? std::atoi(finer) : 8;
  dist::Mesh mesh = distributed(core::Comm(), test::kuhn_box(4 * cells, cells * 6 / 5, cells, 4, 1.2, 1));
  Vibrations vibrations(mesh);
  const auto& held = vibrations.held();
  std::vector<Vec3> load(held.size(), Vec3::Zero());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n) && mesh.rest[n].x() > 3.99)
      load[static_cast<std::size_t>(i)] = Vec3(0, 0, mesh.mass[n]);
  const auto work = [&](std::span<const Vec3> moved) {
    core::ExactSum sum;
    for (std::size_t s = 1; s < moved.size(); ++s) sum.add(load[s].dot(moved[s]));
    sum.reduce(mesh.comm());
    return sum.value();
  };
  const StepEquation balance = balance_of_forces(TurnStiffness::none);
  StepMatrix matrix(mesh);
  matrix.fill(mesh, mesh.motion.span(), {}, balance, {}, held);
  LatticeSolver of_nodes(mesh, matrix, 1e-9);
  const auto solve_nodes = [&](std::span<const Vec3> right, std::span<Vec3> found) {
    ASSERT_TRUE(of_nodes.solve(mesh, matrix, held, right, {}, found).converged);
  };
  std::vector<Vec3> bent(held.size(), Vec3::Zero()), bent_reduced = bent;
  solve_nodes(load, bent);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n))
      Eigen::Map<Vec3>(mesh.motion[n].position) += 1e-6 * bent[static_cast<std::size_t>(i)];
  mesh.update_ghost_motion();
  const BasisGrid grid = basis_grid(mesh, 0, 2);
  (void)choose_basis_levels(mesh, grid, 0.1, Strain::corotational, wanted_at_clamp(mesh, 1.01 / cells));
  ReducedSystem reduced(mesh, grid, held);
  reduced.fill(mesh, mesh.motion.span(), {}, balance, {});
  const auto solve_reduced = [&](std::span<const Vec3> right, std::span<Vec3> found) {
    ASSERT_TRUE(reduced.solve(mesh, right, {}, 1e-9, found).converged);
  };
  solve_reduced(load, bent_reduced);
  const std::array<double, 3> all = vibrations.squared(solve_nodes), few = vibrations.squared(solve_reduced);
  const double share =
      static_cast<double>(reduced.functions().count()) / static_cast<double>(reduced.functions().num_nodes());
  const double tip = work(bent_reduced) / work(bent) - 1;
  if (mesh.comm().is_root())
    std::printf("%lld nodes, %.3g active, tip %+.2f %%, frequencies %+.2f %+.2f %+.2f %%\n",
                static_cast<long long>(reduced.functions().num_nodes()), share, 100 * tip,
                100 * (std::sqrt(few[0] / all[0]) - 1), 100 * (std::sqrt(few[1] / all[1]) - 1),
                100 * (std::sqrt(few[2] / all[2]) - 1));
  EXPECT_LT(share, 0.13);
  EXPECT_LT(std::abs(tip), finer != nullptr ? 0.02 : 0.035);
  for (std::size_t mode = 0; mode < 3; ++mode) {
    EXPECT_GE(few[mode], all[mode] * (1 - 1e-3));  // fewer functions are stiffer
    EXPECT_LT(std::sqrt(few[mode] / all[mode]), 1.02);
  }
}

TEST(Basis, RefusesALatticeFinerThanTheMesh) {
  const dist::Mesh mesh = distributed(core::Comm(), jittered_cube(4));
  try {
    (void)basis_grid(mesh, 0.4, 3);
    FAIL();
  } catch (const core::Error& e) {
    EXPECT_NE(std::string(e.what()).find("finer than the mesh"), std::string::npos) << e.what();
  }
  EXPECT_GT(basis_grid(mesh, 0, 2).width_m[0], basis_grid(mesh, 0, 1).width_m[0]);
}

}  // namespace
}  // namespace brisance::dynamics
