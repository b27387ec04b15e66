// The matrix of an implicit step on any number of ranks: against differences of its forces, and against the eigenvalues
// of VALIDATION A4.
#include "brisance/core/random.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/dynamics/step_matrix.hpp"
#include "brisance/dynamics/step_solver.hpp"
#include "brisance/la/sums.hpp"

#include "dynamics/bodies.hpp"
#include "la/whole_matrix.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace brisance::dynamics {
namespace {

dist::Mesh distributed(const mesh::TetMesh& whole, const material::Material& m) {
  dist::DistributeOptions options;
  options.partitioner = dist::Partitioner::random;
  options.cap_damping_ratio = false;
  return dist::distribute(core::Comm(), whole, {}, {m}, options);
}

/// The same on every rank: x = rest + a random shift, a random velocity.
void shake(dist::Mesh& mesh, double shift, double speed) {
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    for (int k = 0; k < 3; ++k) {
      const auto id = static_cast<std::uint64_t>(mesh.node_id[LocalNode(i)].value);
      mesh.motion[LocalNode(i)].position[k] = mesh.rest[LocalNode(i)][k] + shift * (core::hash_uniform(1, id, k) - 0.5);
      mesh.motion[LocalNode(i)].velocity[k] = speed * (core::hash_uniform(2, id, k) - 0.5);
    }
}

/// The dense matrix, in ascending global id, on every rank.
Eigen::MatrixXd filled(const dist::Mesh& mesh, StepMatrix& matrix, const Parameters& parameters,
                       const StepEquation& equation, const std::vector<NodeBlock>& blocks,
                       const std::vector<ConstrainedAxes>& held) {
  matrix.fill(mesh, mesh.motion.span(), parameters, equation, blocks, held);
  std::vector<std::int64_t> id;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) id.push_back(mesh.node_id[LocalNode(i)].value);
  std::sort(id.begin(), id.end());  // as the rows are numbered
  return test::whole_matrix(mesh.comm(), matrix.raw(), id);
}

Eigen::MatrixXd filled(const dist::Mesh& mesh, const Parameters& parameters, const StepEquation& equation) {
  StepMatrix matrix(mesh);
  return filled(mesh, matrix, parameters, equation, {}, std::vector<ConstrainedAxes>(mesh.node_id.size(), 0));
}

double mass_of(const dist::Mesh& mesh, std::int64_t id) {
  const LocalNode n = mesh.find(GlobalNode(id));
  return mesh.comm().max(n.valid() && mesh.is_owned(n) ? mesh.mass[n] : 0.0);
}

/// Force on node `to` when component `axis` of node `moved` is shifted by `by`; the same on every rank.
Vec3 force_with(dist::Mesh& mesh, std::int64_t moved, int axis, double by, bool velocity, std::int64_t to,
                Strain strain) {
  std::vector<dist::NodeForce> forces(mesh.node_id.size());
  const LocalNode m = mesh.find(GlobalNode(moved)), n = mesh.find(GlobalNode(to));
  double* const moving = !m.valid() ? nullptr
                         : velocity ? &mesh.motion[m].velocity[axis]
                                    : &mesh.motion[m].position[axis];
  const double before = moving != nullptr ? *moving : 0;
  if (moving != nullptr) *moving += by;
  corotational_forces(mesh, mesh.motion.span(), strain, forces);
  if (moving != nullptr) *moving = before;
  Vec3 force;
  for (int k = 0; k < 3; ++k) {
    const bool here = n.valid() && mesh.is_owned(n);
    force[k] = la::sum_over_ranks(mesh.comm(), here ? forces[static_cast<std::size_t>(n.value)].force[k] : 0.0);
  }
  return force;
}

void expect_minus_derivative_of_forces(const material::Material& m) {
  dist::Mesh mesh = distributed(test::kuhn_box(2, 1, 1, 2, 1, 1), m);
  shake(mesh, 0.4, 1);
  Parameters parameters;
  parameters.mass_damping_per_s = 0.7;
  for (const Strain strain : {Strain::linear, Strain::corotational}) {
    parameters.strain = strain;
    const StepEquation equation = implicit_euler(0.3);
    const Eigen::MatrixXd all = filled(mesh, parameters, equation);
    EXPECT_LT((all - all.transpose()).norm(), 1e-14 * all.norm());
    const StepEquation no_stiffness{0.3, 0, 1};
    const Eigen::MatrixXd without = filled(mesh, parameters, no_stiffness);
    for (const std::int64_t moved : {0, 5, 7})
      for (int axis = 0; axis < 3; ++axis)
        for (std::int64_t to = 0; to < 12; ++to) {
          const auto derivative = [&](bool velocity) -> Vec3 {
            return (force_with(mesh, moved, axis, 0.5, velocity, to, strain) -
                    force_with(mesh, moved, axis, -0.5, velocity, to, strain));
          };
          Vec3 expected = -0.3 * derivative(true);
          if (moved == to) expected[axis] += (1 + 0.3 * 0.7) * mass_of(mesh, to);
          EXPECT_LT((without.block<3, 1>(3 * to, 3 * moved + axis) - expected).norm(), 1e-13);
          if (strain == Strain::linear) {
            expected -= 0.09 * derivative(false);
            EXPECT_LT((all.block<3, 1>(3 * to, 3 * moved + axis) - expected).norm(), 1e-13);
          }
        }
  }
}

// The forces are linear in velocities, and with a linear strain in positions: differences are exact.
TEST(StepMatrix, IsMinusTheDerivativeOfTheForces) { expect_minus_derivative_of_forces(test::soft_viscous()); }
TEST(StepMatrix, OfAnAnisotropicLawIsMinusTheDerivativeOfTheForces) {
  expect_minus_derivative_of_forces(test::grained(0.2));
}

// For a rotated body without strain the corotational matrix is the derivative, for every law.
TEST(StepMatrix, OfATurnedAnisotropicBodyIsMinusTheDerivativeOfTheForces) {
  dist::Mesh mesh = distributed(test::kuhn_box(2, 1, 1, 2, 1, 1), test::grained());
  const Mat3 r = Eigen::AngleAxisd(2, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    Eigen::Map<Vec3>(mesh.motion[LocalNode(i)].position) = r * mesh.rest[LocalNode(i)];
  const Eigen::MatrixXd found = filled(mesh, {}, balance_of_forces(TurnStiffness::none));
  for (const std::int64_t moved : {0, 7})
    for (int axis = 0; axis < 3; ++axis)
      for (std::int64_t to = 0; to < 12; ++to) {
        constexpr double kBy = 1e-5;
        const Vec3 expected = (force_with(mesh, moved, axis, -kBy, false, to, Strain::corotational) -
                               force_with(mesh, moved, axis, kBy, false, to, Strain::corotational)) /
                              (2 * kBy);
        EXPECT_LT((found.block<3, 1>(3 * to, 3 * moved + axis) - expected).norm(), 1e-8 * found.norm());
      }
}

// Corotational forces of any state are the gradient of the energy, and have no net moment.
TEST(StepMatrix, ForcesOfAnAnisotropicLawAreTheGradientOfItsEnergy) {
  dist::Mesh mesh = distributed(test::kuhn_box(2, 1, 1, 2, 1, 1), test::grained());
  shake(mesh, 0.4, 0);
  const std::vector<std::int32_t> home = dist::home_elements(mesh);
  for (const Strain strain : {Strain::linear, Strain::corotational})
    for (const std::int64_t id : {0, 5, 7, 11})
      for (int axis = 0; axis < 3; ++axis) {
        constexpr double kBy = 1e-6;
        const auto energy = [&](double by) {
          const LocalNode n = mesh.find(GlobalNode(id));
          if (n.valid()) mesh.motion[n].position[axis] += by;
          const double local = corotational_energy(mesh, mesh.motion.span(), strain, home).value();
          if (n.valid()) mesh.motion[n].position[axis] -= by;
          return la::sum_over_ranks(mesh.comm(), local);
        };
        const double slope = (energy(kBy) - energy(-kBy)) / (2 * kBy);
        EXPECT_NEAR(force_with(mesh, id, axis, 0, false, id, strain)[axis], -slope, 1e-8);
      }
}

// With the stress stiffness against rotations the matrix is the derivative of forces at any strain and rotation:
// central differences, whose error is 1e-10 here; without it, it is a tenth off. Its tensile part alone is never less
// than the whole.
TEST(StepMatrix, WithTurnsIsTheWholeDerivative) {
  dist::Mesh mesh = distributed(test::kuhn_box(2, 1, 1, 2, 1, 1), test::soft_viscous());
  shake(mesh, 0.4, 0);
  const Mat3 r = Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    Eigen::Map<Vec3> x(mesh.motion[LocalNode(i)].position);
    x = Vec3(r * x);
  }
  const Eigen::MatrixXd whole = filled(mesh, {}, balance_of_forces(TurnStiffness::whole)),
                        tension = filled(mesh, {}, balance_of_forces(TurnStiffness::tension)),
                        none = filled(mesh, {}, balance_of_forces(TurnStiffness::none));
  EXPECT_LT((whole - whole.transpose()).norm(), 1e-14 * whole.norm());
  EXPECT_LT((tension - tension.transpose()).norm(), 1e-14 * tension.norm());
  double worst = 0, worst_without = 0;
  for (const std::int64_t moved : {0, 5, 7})
    for (int axis = 0; axis < 3; ++axis)
      for (std::int64_t to = 0; to < 12; ++to) {
        constexpr double kBy = 1e-5;
        const Vec3 expected = (force_with(mesh, moved, axis, -kBy, false, to, Strain::corotational) -
                               force_with(mesh, moved, axis, kBy, false, to, Strain::corotational)) /
                              (2 * kBy);
        worst = std::max(worst, (whole.block<3, 1>(3 * to, 3 * moved + axis) - expected).norm());
        worst_without = std::max(worst_without, (none.block<3, 1>(3 * to, 3 * moved + axis) - expected).norm());
      }
  EXPECT_LT(worst, 1e-8 * whole.norm());
  EXPECT_GT(worst_without, 1e-3 * whole.norm());
  const auto least = [](const Eigen::MatrixXd& m) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m, Eigen::EigenvaluesOnly).eigenvalues()[0];
  };
  EXPECT_GT(least(tension - whole), -1e-12 * whole.norm());
  EXPECT_GT(least(tension - none), -1e-12 * whole.norm());
}

// Rotating a body as a whole rotates its matrix. A body whose nodes have moved along straight lines as if it rotated by
// 0.1 is stretched by the square of that, a stress that vanishes in the next iteration: relative to the start of the
// displacement it is zero, and there is no stiffness against rotations.
TEST(StepMatrix, ForeseesNoStressOfTheSecondOrderOfAWay) {
  dist::Mesh mesh = distributed(test::kuhn_box(2, 1, 1, 2, 1, 1), test::soft_viscous());
  const AlignedNodeField<dist::NodeMotion> before = mesh.motion;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    Eigen::Map<Vec3> x(mesh.motion[LocalNode(i)].position);
    x += 0.1 * Vec3(1, 2, 3).normalized().cross(Vec3(x));
  }
  const Eigen::MatrixXd none = filled(mesh, {}, balance_of_forces(TurnStiffness::none)),
                        found = filled(mesh, {}, balance_of_forces(TurnStiffness::whole)),
                        foreseen = filled(mesh, {}, balance_of_forces(TurnStiffness::whole, before.span()));
  EXPECT_LT((foreseen - none).norm(), 1e-14 * none.norm());
  EXPECT_GT((found - none).norm(), 1e-3 * none.norm());
}

TEST(StepMatrix, TurnsWithTheBody) {
  dist::Mesh mesh = distributed(test::kuhn_box(2, 1, 1, 2, 1, 1), test::soft_viscous());
  const Eigen::MatrixXd at_rest = filled(mesh, {}, implicit_euler(0.3));
  const Mat3 r = Eigen::AngleAxisd(2, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    Eigen::Map<Vec3>(mesh.motion[LocalNode(i)].position) = r * mesh.rest[LocalNode(i)];
  const Eigen::MatrixXd turned = filled(mesh, {}, implicit_euler(0.3));
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j)
      EXPECT_LT((turned.block<3, 3>(3 * i, 3 * j) - r * at_rest.block<3, 3>(3 * i, 3 * j) * r.transpose()).norm(),
                1e-13);
}

/// Eigenvalues of M⁻¹K, E = ρ = 1, ascending.
Eigen::VectorXd eigenvalues_of(const mesh::TetMesh& body, double poisson) {
  const dist::Mesh mesh = distributed(body, test::unit_material(poisson));
  const Eigen::MatrixXd mass = filled(mesh, {}, {1, 0, 1}), both = filled(mesh, {}, implicit_euler(1));
  const Eigen::VectorXd root = mass.diagonal().cwiseSqrt().cwiseInverse();
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(root.asDiagonal() * (both - mass) * root.asDiagonal(),
                                                        Eigen::EigenvaluesOnly)
      .eigenvalues();
}

// VALIDATION A4: single tets.
TEST(StepMatrix, A4EigenvaluesOfSingleTets) {
  const auto expect = [](const Eigen::VectorXd& found, const std::vector<double>& expected) {
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(found[i], 0, 1e-9);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(found[6 + i], expected[static_cast<std::size_t>(i)], 2e-9);
  };
  const mesh::TetMesh right = test::single_tet(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ());
  expect(eigenvalues_of(right, 0.3),
         {3.0769230769, 3.0769230769, 5.1005254793, 7.6923076923, 7.6923076923, 24.130243751});
  expect(eigenvalues_of(right, 0), {4, 4, 4, 10, 10, 16});
  const double a = 1 / std::sqrt(8.0);
  const mesh::TetMesh regular =
      test::single_tet(a * Vec3(1, 1, 1), a * Vec3(-1, 1, -1), a * Vec3(1, -1, -1), a * Vec3(-1, -1, 1));
  expect(eigenvalues_of(regular, 0.3), {6.1538461538, 6.1538461538, 6.1538461538, 6.1538461538, 6.1538461538, 20});
}

// VALIDATION A4: M⁻¹K of a unit cube of six Kuhn tets, E = 1, ν = 0.3, ρ = 1.
TEST(StepMatrix, A4EigenvaluesOfTheKuhnCube) {
  const std::vector<double> expected{2.0550307659,  2.5166029635,  2.5166029635, 3.0769230769,  3.1915524725,
                                     3.1915524725,  3.8461538462,  3.8461538462, 4.6153846154,  4.6153846154,
                                     5.3968980483,  6.1538461538,  10,           11.6802423990, 11.6802423990,
                                     12.8044814420, 13.6372431900, 13.6372431900};
  const dist::Mesh mesh = distributed(test::kuhn_box(1, 1, 1, 1, 1, 1), test::unit_material(0.3));
  const Eigen::MatrixXd mass = filled(mesh, {}, {1, 0, 1}), both = filled(mesh, {}, implicit_euler(1));
  const Eigen::VectorXd root = mass.diagonal().cwiseSqrt().cwiseInverse();
  EXPECT_LT((mass - Eigen::MatrixXd(mass.diagonal().asDiagonal())).norm(), 1e-15);
  const Eigen::MatrixXd k = root.asDiagonal() * (both - mass) * root.asDiagonal();
  const Eigen::VectorXd found = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues();
  EXPECT_NEAR((both - mass).trace(), 12.6923076923, 1e-9);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(found[i], 0, 1e-9);
  for (int i = 0; i < 18; ++i) EXPECT_NEAR(found[6 + i], expected[static_cast<std::size_t>(i)], 1e-9);
}

// Repeated filling gives the same matrix; blocks of nodes are added; constrained components keep their diagonal alone.
TEST(StepMatrix, TakesBlocksOfNodesAndLeavesHeldComponentsOut) {
  dist::Mesh mesh = distributed(test::kuhn_box(1, 1, 1, 1, 1, 1), test::soft_viscous());
  StepMatrix matrix(mesh);
  std::vector<ConstrainedAxes> held(mesh.node_id.size(), 0);
  const Eigen::MatrixXd plain = filled(mesh, matrix, {}, implicit_euler(0.3), {}, held);
  std::vector<NodeBlock> blocks;
  Mat3 added;
  added << 2, 1, 0.5, 1, 3, 0.2, 0.5, 0.2, 4;
  if (const LocalNode n = mesh.find(GlobalNode(5)); n.valid()) {
    held[static_cast<std::size_t>(n.value)] = 1 | 4;
    if (mesh.is_owned(n)) blocks.push_back({n.value, added});
  }
  const Eigen::MatrixXd changed = filled(mesh, matrix, {}, implicit_euler(0.3), blocks, held);
  Eigen::MatrixXd expected = plain;
  expected.block<3, 3>(15, 15) += added;
  for (const int row : {15, 17})
    for (int column = 0; column < 24; ++column)
      if (row != column) expected(row, column) = expected(column, row) = 0;
  EXPECT_LT((changed - expected).norm(), 1e-15 * plain.norm());
  std::ranges::fill(held, 0);
  EXPECT_EQ(filled(mesh, matrix, {}, implicit_euler(0.3), {}, held), plain);
}

TEST(StepSolver, SolvesByEitherPreconditioner) {
  dist::Mesh mesh = distributed(test::kuhn_box(6, 5, 4, 6, 5, 4), test::soft_viscous());
  StepMatrix matrix(mesh);
  matrix.fill(mesh, mesh.motion.span(), {}, implicit_euler(1), {},
              std::vector<ConstrainedAxes>(mesh.node_id.size(), 0));
  la::Vector wanted = matrix.vector(), right = matrix.vector(), found = matrix.vector();
  la::check(VecSet(wanted.raw(), 0.25), "VecSet");
  la::check(MatMult(matrix.raw(), wanted.raw(), right.raw()), "MatMult");
  for (const bool stiff : {false, true}) {
    StepSolver solver(mesh, matrix, 1e-12, stiff);
    for (int solve = 0; solve < 2; ++solve) {
      la::check(VecZeroEntries(found.raw()), "VecZeroEntries");
      const SolveReport report = solver.solve(mesh, matrix, right, {}, found);
      EXPECT_TRUE(report.converged) << report.reason;
      EXPECT_EQ(report.preconditioner, stiff ? "gamg" : "bjacobi");
      EXPECT_EQ(report.preconditioner_age, stiff ? solve : 0);
      EXPECT_LT(report.residual, 1e-12);
      la::check(VecAXPY(found.raw(), -1, wanted.raw()), "VecAXPY");
      PetscReal off = 0;
      la::check(VecNorm(found.raw(), NORM_INFINITY, &off), "VecNorm");
      EXPECT_LT(off, 1e-8);
    }
  }
}

// Too few iterations allowed: the report says so and nothing is thrown; another solver reads the options of that time.
TEST(StepSolver, SaysThatItDidNotConverge) {
  dist::Mesh mesh = distributed(test::kuhn_box(6, 5, 4, 6, 5, 4), test::soft_viscous());
  StepMatrix matrix(mesh);
  matrix.fill(mesh, mesh.motion.span(), {}, implicit_euler(10), {},
              std::vector<ConstrainedAxes>(mesh.node_id.size(), 0));
  la::Vector right = matrix.vector(), found = matrix.vector();
  la::check(VecSetRandom(right.raw(), nullptr), "VecSetRandom");
  la::check(VecZeroEntries(found.raw()), "VecZeroEntries");
  la::check(PetscOptionsSetValue(nullptr, "-dyn_ksp_max_it", "1"), "PetscOptionsSetValue");
  la::check(PetscOptionsSetValue(nullptr, "-dyn_ksp_mxa_it", "7"), "PetscOptionsSetValue");
  StepSolver solver(mesh, matrix, 1e-12, false);
  const SolveReport report = solver.solve(mesh, matrix, right, {}, found);
  la::check(PetscOptionsClearValue(nullptr, "-dyn_ksp_max_it"), "PetscOptionsClearValue");
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.reason, "DIVERGED_ITS");
  EXPECT_TRUE(solver.is_stiff());  // it has tried multigrid, too
  EXPECT_EQ(unknown_step_options(), std::vector<std::string>{"-dyn_ksp_mxa_it"});
  la::check(PetscOptionsClearValue(nullptr, "-dyn_ksp_mxa_it"), "PetscOptionsClearValue");
}

}  // namespace
}  // namespace brisance::dynamics
