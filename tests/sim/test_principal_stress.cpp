// Cracks by principal stress (VALIDATION C4, SYSTEMS D3): the mean Cauchy stress of a star, and whom it fails.
#include "brisance/fracture/criterion.hpp"

#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <random>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

constexpr int kCells = 4;
constexpr std::int64_t kCentre = (2 * (kCells + 1) + 2) * (kCells + 1) + 2, kCorner = 0;
constexpr double kStrength = 1e-3;  ///< of Young's modulus, which is 1

class Stretched {
public:
  explicit Stretched(const Mat3& f) : simulation_(core::Comm(MPI_COMM_SELF), scene(), body(f), {}) {}

  [[nodiscard]] Mat3 mean_stress(std::int64_t id) {
    const LocalNode node = mesh().find(GlobalNode(id));
    fracture::StarForces stars(corner_forces());
    stars.evaluate(mesh(), std::span(&node, 1));
    return full_matrix(stars.mean_stress(mesh(), node));
  }
  [[nodiscard]] dynamics::ElementState any_element() {
    dynamics::ElementState state;
    const std::int32_t first = mesh().star(mesh().find(GlobalNode(kCentre)))[0];
    dynamics::element_states(simulation_.element_spans(), mesh().materials, mesh().motion.span(), std::span(&first, 1),
                             std::span(&state, 1));
    return state;
  }
  [[nodiscard]] std::vector<fracture::Failure> failures(std::int64_t id) {
    const fracture::Parameters parameters{.criterion = fracture::FailureCriterion::principal_stress};
    fracture::Criterion criterion(mesh(), parameters, 0, corner_forces());
    const LocalNode node = mesh().find(GlobalNode(id));
    return criterion.failures(simulation_.mesh(), std::span(&node, 1), 0);
  }

private:
  static Scene scene() {
    Scene result = test::bare_scene(test::solid(1, 0.25, 1));
    result.materials[0].toughness = kStrength;
    return result;
  }
  static mesh::TetMesh body(const Mat3& f) {
    mesh::TetMesh whole = test::kuhn_box(kCells, kCells, kCells, 1, 1, 1);
    for (const Vec3& x : whole.nodes) whole.displacement.push_back(f * x - x);
    return whole;
  }
  [[nodiscard]] const dist::Mesh& mesh() const { return simulation_.mesh(); }
  [[nodiscard]] fracture::CornerForceFunction corner_forces() {
    return [this](std::span<const std::int32_t> chosen, std::span<dist::CornerForces> result) {
      dynamics::corner_forces(simulation_.element_spans(), mesh().materials, mesh().motion.span(), chosen, result);
    };
  }

  Simulation simulation_;
};

// F S Fᵀ / det F, at large strain and under any rotation; 1e-12: sums of some dozen forces of size one.
TEST(PrincipalStress, MeanOfAStarIsTheCauchyStress) {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> uniform(-0.4, 0.4);
  for (int trial = 0; trial < 20; ++trial) {
    Mat3 f = Mat3::Identity();
    for (double& entry : f.reshaped()) entry += uniform(generator);
    if (f.determinant() < 0.2) continue;
    Stretched body(f);
    const dynamics::ElementState state = body.any_element();
    Mat3 piola;  // the papers' σ is twice the second Piola–Kirchhoff stress
    piola << state.stress[0], state.stress[3], state.stress[5], state.stress[3], state.stress[1], state.stress[4],
        state.stress[5], state.stress[4], state.stress[2];
    const Mat3 cauchy = 0.5 * f * piola * f.transpose() / f.determinant();
    EXPECT_LT((body.mean_stress(kCentre) - cauchy).norm(), 1e-12 * (1 + cauchy.norm())) << trial;
    EXPECT_LT((body.mean_stress(kCorner) - cauchy).norm(), 1e-12 * (1 + cauchy.norm())) << trial;
  }
}

/// The strain of uniaxial stress s along x, to first order.
Mat3 pulled_along_x(double s) { return Vec3(1 + s, 1 - 0.25 * s, 1 - 0.25 * s).asDiagonal(); }

// C4: fires if and only if the largest principal stress is beyond the strength. 1 %: strains of a thousandth are not
// quite linear.
TEST(PrincipalStress, C4FailsBeyondTheStrengthAndNotUnderPressure) {
  EXPECT_TRUE(Stretched(pulled_along_x(0.99 * kStrength)).failures(kCentre).empty());
  const auto failing = Stretched(pulled_along_x(1.01 * kStrength)).failures(kCentre);
  ASSERT_EQ(failing.size(), 1u);
  EXPECT_NEAR(failing[0].severity, 1.01, 0.005);
  EXPECT_NEAR(std::abs(failing[0].normal.x()), 1, 1e-6);
  EXPECT_TRUE(Stretched(pulled_along_x(-50 * kStrength)).failures(kCentre).empty());
}

// At a corner of the body the separation tensor sees the few tets there; a stress is the same everywhere.
TEST(PrincipalStress, IsTheSameAtTheSurface) {
  const auto failing = Stretched(pulled_along_x(1.5 * kStrength)).failures(kCorner);
  ASSERT_EQ(failing.size(), 1u);
  EXPECT_NEAR(failing[0].severity, 1.5, 0.01);
}

}  // namespace
}  // namespace brisance::sim
