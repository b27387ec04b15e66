// The law that depends on the direction in the kernels: its isotropic limit, bars, energy, step bound and bits.
#include "brisance/dynamics/critical_step.hpp"
#include "brisance/dynamics/vector_units.hpp"

#include "bodies.hpp"

#include <cstring>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace brisance::dynamics {
namespace {

using test::SerialBlocks;

TEST(Anisotropic, WithIsotropicConstantsIsStVenantKirchhoff) {
  material::Material hooke = test::unit_material(0.3), same = hooke;
  hooke.damping_psi = same.damping_psi = 0.1;
  same.elastic_law = material::ElasticLaw::anisotropic;
  same.anisotropy.orthotropic = {Vec3::Ones(), Vec3::Constant(0.3), Vec3::Constant(hooke.lame_mu)};
  same.grain = Vec3(1, 2, 3);
  material::follow_constants(same);
  std::mt19937 generator(11);
  SerialBlocks expected(test::jittered_box(3, 2, 2, generator), {hooke});
  test::shake(expected, generator, 0.1, 1);
  SerialBlocks found = expected;
  found.materials = {same};
  expected.update_forces();
  found.update_forces();
  for (std::size_t i = 0; i < expected.num_nodes(); ++i) EXPECT_LT((found.force(i) - expected.force(i)).norm(), 1e-14);
  EXPECT_NEAR(found.elastic_energy(), expected.elastic_energy(), 1e-14 * expected.elastic_energy());
  EXPECT_NEAR(found.critical_step_s(), expected.critical_step_s(), 1e-8 * expected.critical_step_s());
}

TEST(Anisotropic, ForcesAreTheGradientOfTheEnergy) {
  std::mt19937 generator(12);
  SerialBlocks body(test::jittered_box(2, 2, 1, generator), {test::grained()});
  test::shake(body, generator, 0.1, 0);
  body.update_forces();
  constexpr double kStep = 1e-6;
  double size = 0;
  for (std::size_t i = 0; i < body.num_nodes(); ++i)
    for (int k = 0; k < 3; ++k) {
      SerialBlocks there = body, back = body;
      there.nodes[i + 1].position[k] += kStep;
      back.nodes[i + 1].position[k] -= kStep;
      const double slope = (there.elastic_energy() - back.elastic_energy()) / (2 * kStep);
      EXPECT_NEAR(body.force(i)[k], -slope, 1e-8);
      size = std::max(size, std::abs(slope));
    }
  EXPECT_GT(size, 0.1);
}

/// Physical stress of a body stretched to the Green strain e = ½ (FᵀF − I).
Mat3 stress_of(const material::Material& m, const Mat3& green_strain) {
  SerialBlocks body(test::single_tet(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()), {m});
  const Mat3 right = Mat3::Identity() + 2 * green_strain;
  test::deform(body, Eigen::SelfAdjointEigenSolver<Mat3>(right).operatorSqrt());
  return 0.5 * full_matrix(SymMat3(body.states()[0].stress));
}

// Pulled along axis i alone: E_i, and −ν_ij of it across; sheared between i and j: 2 G_ij.
TEST(Anisotropic, BarsHaveTheModuliGiven) {
  const material::Material m = test::grained();
  const auto& c = m.anisotropy.orthotropic;
  const Mat3 axes = material::axes_of(m.grain, m.second_axis);
  const double e1 = c.youngs_moduli[0], e2 = c.youngs_moduli[1];
  const Vec3 pulled[3] = {
      Vec3(1, -c.poissons_ratios[0], -c.poissons_ratios[1]),
      Vec3(-c.poissons_ratios[0] * e2 / e1, 1, -c.poissons_ratios[2]),
      Vec3(-c.poissons_ratios[1] * c.youngs_moduli[2] / e1, -c.poissons_ratios[2] * c.youngs_moduli[2] / e2, 1)};
  constexpr double kStrain = 0.01;
  for (int i = 0; i < 3; ++i) {
    const Mat3 found =
        axes.transpose() * stress_of(m, axes * (kStrain * pulled[i]).asDiagonal() * axes.transpose()) * axes;
    Mat3 expected = Mat3::Zero();
    expected(i, i) = kStrain * c.youngs_moduli[i];
    EXPECT_LT((found - expected).norm(), 1e-14) << i;
  }
  const int kPlanes[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int k = 0; k < 3; ++k) {
    Mat3 shear = Mat3::Zero();
    shear(kPlanes[k][0], kPlanes[k][1]) = shear(kPlanes[k][1], kPlanes[k][0]) = kStrain;
    const Mat3 found = axes.transpose() * stress_of(m, axes * shear * axes.transpose()) * axes;
    EXPECT_LT((found - 2 * c.shear_moduli[k] * shear).norm(), 1e-14) << k;
  }
}

/// Largest eigenvalue of M⁻¹(dt² K/4 + dt C/2) of a body in its present state, by differences of the forces: 1 at the
/// true limit.
double share_of_limit(const SerialBlocks& body, double dt) {
  constexpr double kSmall = 1e-7;
  const auto size = static_cast<Eigen::Index>(3 * body.num_nodes());
  Eigen::MatrixXd scaled(size, size);
  for (Eigen::Index j = 0; j < size; ++j) {
    const auto moved = [&](double sign) {
      SerialBlocks there = body;
      const Vec3 by = sign * kSmall * Vec3::Unit(j % 3);
      there.place(j / 3, body.position(j / 3) + by * dt * dt / 4, by * dt / 2);
      there.update_forces();
      return there;
    };
    const SerialBlocks plus = moved(1), minus = moved(-1);
    for (Eigen::Index i = 0; i < size; ++i)
      scaled(i, j) = (minus.force(i / 3)[i % 3] - plus.force(i / 3)[i % 3]) / (2 * kSmall) /
                     std::sqrt(body.mass[i / 3 + 1] * body.mass[j / 3 + 1]);
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (scaled + scaled.transpose()), Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

TEST(Anisotropic, StepBoundIsBelowTheTrueLimit) {
  std::mt19937 generator(13);
  double least = 1;
  for (const double damping_time_s : {0.0, 0.3})
    for (const double strained : {0.0, 0.15})
      for (int trial = 0; trial < 4; ++trial) {
        material::Material m = test::grained(damping_time_s);
        m.grain = test::random_vector(generator, 1);
        m.second_axis = test::random_vector(generator, 1);
        material::follow_constants(m);
        SerialBlocks body(test::jittered_box(2, 2, 2, generator), {m, test::unit_material(0.3)});
        for (int e = 0; e < body.num_elements; ++e) body.material_of[e] = static_cast<material::Index>(e % 5 == 0);
        test::deform(body, Mat3::Identity() + Mat3(strained * Vec3(1, 0.5, 0.8).asDiagonal()));
        const double share = share_of_limit(body, body.critical_step_s());
        EXPECT_LT(share, 1) << damping_time_s << ' ' << strained << ' ' << trial;
        least = std::min(least, share);
      }
  EXPECT_GT(least, 0.05);
}

/// Three laws, side by side and mixed within blocks.
SerialBlocks mixed_body() {
  std::mt19937 generator(14);
  mesh::TetMesh mesh = test::jittered_box(3, 3, 2, generator);
  for (std::size_t e = 0; e < mesh.tets.size(); ++e)
    mesh.region.push_back(e < 24 ? 0 : e < 40 ? 2 : static_cast<int>(e * 7 % 3));
  material::Material resisting = test::unit_material(0.3);
  resisting.elastic_law = material::ElasticLaw::neo_hookean;
  SerialBlocks body(mesh, {test::soft_viscous(), resisting, test::grained(0.1)});
  test::shake(body, generator, 0.05, 0.1);
  return body;
}

core::AlignedVector<dist::NodeForce> forces_of(const SerialBlocks& body, material::Index material) {
  std::vector<std::int32_t> chosen;
  for (int e = 0; e < body.num_elements; ++e)
    if (body.material_of[e] == material) chosen.push_back(e);
  core::AlignedVector<dist::NodeForce> forces(body.nodes.size());
  internal_forces_of(body.spans(), body.materials, body.nodes, chosen, forces, {});
  return forces;
}

// Elements of one law have the same bits with or without those of others beside them.
TEST(Anisotropic, OneLawDoesNotTouchTheOthers) {
  const SerialBlocks mixed = mixed_body();
  for (const material::Index k : {0, 1, 2}) {
    SerialBlocks pure = mixed;
    for (material::Material& m : pure.materials) m = mixed.materials[k];
    const auto wanted = forces_of(pure, k), found = forces_of(mixed, k);
    EXPECT_EQ(std::memcmp(wanted.data(), found.data(), wanted.size() * sizeof(dist::NodeForce)), 0) << k;
  }
}

TEST(Anisotropic, SameBitsWithAllVectorUnits) {
  std::vector<double> first;
  for (const std::string& units : available_vector_units()) {
    use_vector_units(units);
    SerialBlocks body = mixed_body();
    body.update_forces();
    std::vector<double> found{body.elastic_energy(), body.critical_step_s()};
    for (const auto& f : body.forces) found.insert(found.end(), f.force, f.force + 4);
    std::vector<std::int32_t> slots(body.num_elements);
    for (int e = 0; e < body.num_elements; ++e) slots[e] = e;
    std::vector<CornerForces> corners(slots.size());
    corner_forces(body.spans(), body.materials, body.nodes, slots, corners);
    for (const CornerForces& c : corners)
      for (const auto& corner : c.corner) found.insert(found.end(), corner.tensile, corner.tensile + 3);
    if (first.empty()) first = found;
    EXPECT_EQ(std::memcmp(first.data(), found.data(), first.size() * sizeof(double)), 0) << units;
  }
  use_vector_units(available_vector_units().front());
}

}  // namespace
}  // namespace brisance::dynamics
