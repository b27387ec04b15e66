// Tensile split and corner forces (VALIDATION C4–C6), and the bound computed in the force pass.
#include "brisance/dynamics/internal_forces.hpp"

#include "bodies.hpp"
#include "dynamics/tensile_part.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace brisance::dynamics {
namespace {

using namespace HWY_NAMESPACE;  // the baseline's copy of the kernel's parts
using test::SerialBlocks;

SymMat3 tensile_of_lane(const SymMat3& stress, int lane) {
  Symmetric s;
  HWY_ALIGN double row[kLanes];
  for (int k = 0; k < 6; ++k) {
    for (int l = 0; l < kLanes; ++l) row[l] = l == lane ? stress[k] : 1.0 + k + l;
    s.at[k] = hn::Load(kTag, row);
  }
  const Symmetric t = tensile_part(s);
  SymMat3 result;
  for (int k = 0; k < 6; ++k) {
    hn::Store(t.at[k], kTag, row);
    result[k] = row[lane];
  }
  return result;
}

/// σ⁺ from Eigen's iterative solver.
Mat3 reference_tensile(const Mat3& stress) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(stress);
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).asDiagonal() * solver.eigenvectors().transpose();
}

Mat3 with_eigenvalues(const Vec3& values, std::mt19937& generator) {
  const Vec3 axis = test::random_vector(generator, 1).normalized();
  const Mat3 q = Eigen::AngleAxisd(std::uniform_real_distribution<double>(0, 6.3)(generator), axis).toRotationMatrix();
  const Mat3 m = q * values.asDiagonal() * q.transpose();
  return 0.5 * (m + m.transpose());
}

/// ‖σ⁺ − reference‖ / ‖σ‖.
double tensile_error(const Mat3& stress) {
  const double largest = stress.cwiseAbs().maxCoeff();
  const double size = largest > 0 ? largest * (stress / largest).norm() : 0;
  const Mat3 unit = size > 0 ? Mat3(stress / size) : stress;  // Eigen's own scaling is not under test
  const Mat3 found = full_matrix(tensile_of_lane(symmetric_part(stress), 0));
  return size > 0 ? (found / size - reference_tensile(unit)).norm() : found.norm();
}

// VALIDATION C4, C5
TEST(TensilePart, AgreesWithEigenOnRandomTensorsOfAllScales) {
  std::mt19937 generator(11);
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    const double scale = std::pow(10.0, std::uniform_real_distribution<double>(-20, 20)(generator));
    worst = std::max(worst, tensile_error(with_eigenvalues(scale * test::random_vector(generator, 1), generator)));
  }
  EXPECT_LT(worst, 4e-15);
  RecordProperty("worst_relative_error_1e15", std::to_string(worst * 1e15));
}

TEST(TensilePart, AgreesWithEigenOnDegenerateTensors) {
  std::mt19937 generator(12);
  const Vec3 kSpectra[] = {{1, 1, 1},  {-1, -1, -1}, {1, 1, -1},   {-1, -1, 1}, {1, 0, 0},
                           {-1, 0, 0}, {1, 1, 0},    {-1, -1, 0},  {1, -1, 0},  {2, 1, 0},
                           {-2, 1, 0}, {1, 1, 2},    {1, 1, -0.5}, {-1, -1, 2}, {0, 0, 0}};
  double worst = 0;
  for (const Vec3& spectrum : kSpectra)
    for (const double apart : {0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2})
      for (const double scale : {1e-280, 1e-20, 1.0, 1e20, 1e280})
        for (int i = 0; i < 20; ++i) {
          const Vec3 values = scale * (spectrum + apart * test::random_vector(generator, 1));
          worst =
              std::max({worst, tensile_error(values.asDiagonal()), tensile_error(with_eigenvalues(values, generator))});
        }
  EXPECT_LT(worst, 4e-15);
  RecordProperty("worst_relative_error_1e15", std::to_string(worst * 1e15));
}

TEST(TensilePart, SimpleTensorsAreExact) {
  const SymMat3 zero = SymMat3::Zero();
  EXPECT_EQ(tensile_of_lane(zero, 0), zero);
  SymMat3 hydrostatic;
  hydrostatic << 3, 3, 3, 0, 0, 0;
  EXPECT_LT((tensile_of_lane(hydrostatic, 0) - hydrostatic).norm(), 1e-15);
  EXPECT_EQ(tensile_of_lane(-hydrostatic, 0), zero);
}

/// Tensors p I + e·(one of the four forms of deviator), |p| from 1e-12 to 1e12, e from a thousandth of |p| down to one
/// ulp; half of them turned, so that round-off stands in every entry.
Mat3 nearly_isotropic(const Vec3& form, std::mt19937& generator) {
  std::uniform_real_distribution<double> exponent(-12, 12), share(-16, -3);
  const double sign = generator() % 2 == 0 ? 1 : -1;
  const double p = sign * std::pow(10.0, exponent(generator));
  const double ulp = std::nextafter(std::abs(p), std::numeric_limits<double>::infinity()) - std::abs(p);
  const double e = generator() % 4 == 0 ? ulp : std::abs(p) * std::pow(10.0, share(generator));
  const Vec3 values = Vec3::Constant(p) + e * form;
  return generator() % 2 == 0 ? Mat3(values.asDiagonal()) : with_eigenvalues(values, generator);
}

/// ‖σ⁺ − Eigen's‖ / ‖σ‖ of kLanes tensors at once, the largest; infinite where a lane is not a number.
double worst_tensile_error(const std::array<Mat3, kLanes>& stress) {
  HWY_ALIGN double row[6][kLanes];
  for (int l = 0; l < kLanes; ++l)
    for (int k = 0; k < 6; ++k) row[k][l] = symmetric_part(stress[l])[k];
  Symmetric s;
  for (int k = 0; k < 6; ++k) s.at[k] = hn::Load(kTag, row[k]);
  s = tensile_part(s);
  for (int k = 0; k < 6; ++k) hn::Store(s.at[k], kTag, row[k]);
  double worst = 0;
  for (int l = 0; l < kLanes; ++l) {
    SymMat3 found;
    for (int k = 0; k < 6; ++k) found[k] = row[k][l];
    const double error = (full_matrix(found) - reference_tensile(stress[l])).norm() / stress[l].norm();
    worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(worst, error);
  }
  return worst;
}

// VALIDATION I3
TEST(TensilePart, IsRightWhereTheDeviatorIsRoundOff) {
  std::mt19937 generator(15);
  double worst = 0;
  for (const Vec3& form : {Vec3(1, 1, 0), Vec3(1, -1, 0), Vec3(1, 1, -2), Vec3(1, 0, 0)})
    for (int i = 0; i < 1000000; i += kLanes) {
      std::array<Mat3, kLanes> stress;
      for (Mat3& lane : stress) lane = nearly_isotropic(form, generator);
      worst = std::max(worst, worst_tensile_error(stress));
    }
  EXPECT_LT(worst, 1e-13);
  RecordProperty("worst_relative_error_1e15", std::to_string(worst * 1e15));
}

TEST(TensilePart, BitsDoNotDependOnTheLane) {
  std::mt19937 generator(13);
  for (int i = 0; i < 1000; ++i) {
    const SymMat3 stress = symmetric_part(with_eigenvalues(test::random_vector(generator, 1), generator));
    const SymMat3 first = tensile_of_lane(stress, 0);
    for (int lane = 1; lane < kLanes; ++lane) EXPECT_EQ(tensile_of_lane(stress, lane), first);
  }
}

SerialBlocks displaced_body(unsigned seed, double shift) {
  std::mt19937 generator(seed);
  SerialBlocks body(test::jittered_box(3, 3, 3, generator), {test::soft_viscous()});
  test::shake(body, generator, shift, 1.0);
  return body;
}

std::vector<CornerForces> corners_of(SerialBlocks& body, const std::vector<std::int32_t>& slots) {
  std::vector<CornerForces> result(slots.size());
  corner_forces(body.spans(), body.materials, body.nodes, slots, result);
  return result;
}

// VALIDATION C5: f_j⁺ is the force (24) of σ⁺; total and tensile forces of an element each add up to zero.
TEST(CornerForces, TensileForcesAreThoseOfTheTensileStress) {
  SerialBlocks body = displaced_body(14, 0.1);
  const auto states = body.states();
  std::vector<std::int32_t> slots(body.num_elements);
  for (int e = 0; e < body.num_elements; ++e) slots[e] = e;
  const auto corners = corners_of(body, slots);
  for (int e = 0; e < body.num_elements; ++e) {
    Mat3 f, gradient;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        f(i, k) = states[e].deformation_gradient[i][k];
        gradient(i, k) = body.blocks[e / 8].gradient[i][k][e % 8];
      }
    const Mat3 stress = full_matrix(SymMat3(states[e].stress));
    const double half_volume = body.blocks[e / 8].volume[e % 8] / 2;
    const Mat3 total = -half_volume * f * stress * gradient.transpose();
    const Mat3 tensile = -half_volume * f * reference_tensile(stress) * gradient.transpose();
    Vec3 sum = Vec3(corners[e].corner[0].tensile);
    for (int j = 1; j < 4; ++j) {
      EXPECT_LT((Vec3(corners[e].corner[j].total) - total.col(j - 1)).norm(), 1e-14);
      EXPECT_LT((Vec3(corners[e].corner[j].tensile) - tensile.col(j - 1)).norm(), 1e-14);
      sum += Vec3(corners[e].corner[j].tensile);
    }
    EXPECT_LT(sum.norm(), 1e-15);
  }
}

// VALIDATION I3: a cube under hydrostatic pressure has stresses that are multiples of the identity up to round-off.
TEST(CornerForces, AreNumbersUnderUniformCompression) {
  material::Material m;
  m.density = 1;
  m.lame_lambda = 1.3;
  m.lame_mu = 0.9;
  SerialBlocks body(test::kuhn_box(4, 4, 4, 1, 1, 1), {m});
  test::deform(body, 0.6 * Mat3::Identity());
  std::vector<std::int32_t> slots(body.num_elements);
  for (int e = 0; e < body.num_elements; ++e) slots[e] = e;
  for (const CornerForces& tet : corners_of(body, slots))
    for (const auto& corner : tet.corner)
      for (int k = 0; k < 6; ++k) {
        EXPECT_LE(corner.spread[k], k < 3 ? 0 : 1);  // compressed: no tension
        EXPECT_TRUE(std::isfinite(corner.spread[k]));
      }
}

// VALIDATION C5: the dyads are those of the forces beside them.
TEST(CornerForces, SpreadIsTheDyadOfTheTensileForceLessThatOfTheCompressive) {
  SerialBlocks body = displaced_body(20, 0.1);
  std::vector<std::int32_t> slots(body.num_elements);
  for (int e = 0; e < body.num_elements; ++e) slots[e] = e;
  auto dyad = [](const Vec3& a) { return a.norm() > 0 ? Mat3(a * a.transpose() / a.norm()) : Mat3(Mat3::Zero()); };
  for (const CornerForces& tet : corners_of(body, slots))
    for (int j = 0; j < 4; ++j) {
      const Vec3 tensile(tet.corner[j].tensile), compressive = Vec3(tet.corner[j].total) - tensile;
      const Mat3 spread = full_matrix(SymMat3(tet.corner[j].spread));
      EXPECT_LT((spread - dyad(tensile) + dyad(compressive)).norm(), 1e-14 * (tensile.norm() + compressive.norm()));
    }
}

TEST(CornerForces, SpreadIsZeroAtRest) {
  SerialBlocks body(test::kuhn_box(1, 1, 1, 1, 1, 1), {test::soft_viscous()});
  for (const CornerForces& tet : corners_of(body, {0, 1, 5}))
    for (int j = 0; j < 4; ++j)
      for (const double x : tet.corner[j].spread) EXPECT_EQ(x, 0);
}

TEST(CornerForces, BitsDoNotDependOnWhatElseWasChosen) {
  SerialBlocks body = displaced_body(15, 0.1);
  std::vector<std::int32_t> slots(body.num_elements);
  for (int e = 0; e < body.num_elements; ++e) slots[e] = e;
  const auto in_order = corners_of(body, slots);
  const auto states = body.states();
  std::shuffle(slots.begin(), slots.end(), std::mt19937(16));
  slots.resize(101);
  const auto permuted = corners_of(body, slots);
  std::vector<ElementState> permuted_states(slots.size());
  element_states(body.spans(), body.materials, body.nodes, slots, permuted_states);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    EXPECT_EQ(std::memcmp(&permuted[i], &in_order[slots[i]], sizeof(CornerForces)), 0);
    EXPECT_EQ(std::memcmp(&permuted_states[i], &states[slots[i]], sizeof(ElementState)), 0);
  }
}

// VALIDATION C6: σ⁺ is a material tensor, so the tensile forces turn with the world.
TEST(CornerForces, TensileForcesTurnWithTheWorld) {
  SerialBlocks body = displaced_body(17, 0.1);
  const Mat3 turn = Eigen::AngleAxisd(0.8, Vec3(1, 1, -2).normalized()).toRotationMatrix();
  SerialBlocks turned = body;
  for (std::size_t i = 0; i < body.num_nodes(); ++i) turned.place(i, turn * body.position(i), turn * body.velocity(i));
  const std::vector<std::int32_t> slots{0, 17, 80, 161};
  const auto here = corners_of(body, slots), there = corners_of(turned, slots);
  for (std::size_t i = 0; i < slots.size(); ++i)
    for (int j = 0; j < 4; ++j)
      EXPECT_LT((Vec3(there[i].corner[j].tensile) - turn * Vec3(here[i].corner[j].tensile)).norm(), 1e-13);
}

TEST(SeparationBound, IsNeverBelowTheTensileForcesAndNotFarAbove) {
  for (const double scale : {1e-12, 1e-3, 1.0, 1e12})
    for (const double shift : {1e-9, 1e-3, 0.15}) {
      SerialBlocks body = displaced_body(18, shift);
      material::Material& law = body.materials[0];
      for (double* constant : {&law.lame_lambda, &law.lame_mu, &law.damping_phi, &law.damping_psi}) *constant *= scale;
      body.update_forces({false, true});
      std::vector<std::int32_t> slots(body.num_elements);
      for (int e = 0; e < body.num_elements; ++e) slots[e] = e;
      const auto corners = corners_of(body, slots);
      std::vector<double> exact(body.nodes.size(), 0.0);
      for (int e = 0; e < body.num_elements; ++e)
        for (int j = 0; j < 4; ++j)
          exact[body.blocks[e / 8].corner[j][e % 8]] += Vec3(corners[e].corner[j].tensile).norm();
      double sum = 0, exact_sum = 0;
      for (std::size_t n = 1; n < body.nodes.size(); ++n) {
        EXPECT_GE(body.forces[n].force[3], exact[n]);
        sum += body.forces[n].force[3];
        exact_sum += exact[n];
      }
      EXPECT_LT(sum, 1.7 * exact_sum);
    }
}

// Uniaxial tension along a gradient: every inequality behind the bound is an equality but that of the stretch.
TEST(SeparationBound, IsTightForUniaxialTension) {
  SerialBlocks body(test::single_tet({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), {test::unit_material(0)});
  test::deform(body, Vec3(1 + 1e-7, 1, 1).asDiagonal());
  body.update_forces({false, true});
  const double force = std::abs(body.force(1)[0]);
  EXPECT_GE(body.forces[2].force[3], force);
  EXPECT_LT(body.forces[2].force[3], force * (1 + 1e-5));
}

// One eigenvalue negative, two zero: there is no tension, and the bound must be zero (q + 2p would give a third of the
// stress).
TEST(SeparationBound, VanishesUnderUniaxialCompression) {
  SerialBlocks body(test::single_tet({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), {test::unit_material(0)});
  test::deform(body, Vec3(0.99, 1, 1).asDiagonal());
  body.update_forces({false, true});
  EXPECT_LT(body.forces[2].force[3], 1e-3 * std::abs(body.force(1)[0]));  // single-precision roots cost √1e-6
}

TEST(SeparationBound, IsZeroUnderHydrostaticPressure) {
  SerialBlocks body(test::kuhn_box(2, 2, 2, 1, 1, 1), {test::soft_viscous()});
  test::deform(body, 0.9 * Mat3::Identity());
  body.update_forces({false, true});
  for (std::size_t n = 1; n < body.nodes.size(); ++n) EXPECT_EQ(body.forces[n].force[3], 0);
}

}  // namespace
}  // namespace brisance::dynamics
