// Cracks by principal stress (VALIDATION C4): the mean Cauchy stress of a star, and the nodes that fail.
#include "brisance/fracture/criteria/failure_search.hpp"

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
    stars.evaluate(mesh(), std::span(&node, 1), fracture::StarForces::Wanted::stresses);
    return full_matrix(stars.mean_stress(mesh(), node));
  }
  [[nodiscard]] dynamics::ElementState any_element() {
    dynamics::ElementState state;
    const std::int32_t first = mesh().star(mesh().find(GlobalNode(kCentre)))[0];
    dynamics::element_states(simulation_.element_spans(), mesh().materials, mesh().motion.span(), std::span(&first, 1),
                             std::span(&state, 1));
    return state;
  }
  [[nodiscard]] std::vector<fracture::Failure> failures(std::int64_t id,
                                                        fracture::StressOf of = fracture::StressOf::star) {
    const fracture::Parameters parameters{.criterion = "principal_stress", .principal_stress_of = of};
    fracture::FailureSearch criterion(mesh(), parameters, {}, corner_forces());
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

// At a corner of the body the separation tensor has only the few tets there; a stress is the same everywhere.
TEST(PrincipalStress, IsTheSameAtTheSurface) {
  const auto failing = Stretched(pulled_along_x(1.5 * kStrength)).failures(kCorner);
  ASSERT_EQ(failing.size(), 1u);
  EXPECT_NEAR(failing[0].severity, 1.5, 0.01);
}

/// Two tets on the sides of x = 0, one node of the face between them at the origin. Their ends are drawn out along x to
/// `stretch` of their length, so that each is in uniaxial strain by itself.
class TwoTets {
public:
  struct Half {
    double stretch, strength;
    double stress() const { return 0.5 * kModulus * stretch * (stretch * stretch - 1); }  // VALIDATION A2, P = σ here
  };
  static constexpr double kModulus = 1.2;  ///< λ + 2μ of E = 1, ν = ¼
  TwoTets(const Half& right, const Half& left)
      : simulation_(core::Comm(MPI_COMM_SELF), scene(right, left), body(right, left), {}) {}

  [[nodiscard]] std::vector<fracture::Failure> failures(fracture::StressOf of) {
    fracture::Parameters parameters;
    parameters.criterion = "principal_stress";
    parameters.principal_stress_of = of;
    dist::Mesh& mesh = simulation_.mesh();
    fracture::FailureSearch criterion(mesh, parameters, {}, [&](auto chosen, auto result) {
      dynamics::corner_forces(simulation_.element_spans(), mesh.materials, mesh.motion.span(), chosen, result);
    });
    const LocalNode node = mesh.find(GlobalNode(0));
    return criterion.failures(mesh, std::span(&node, 1), 0);
  }

private:
  static Scene scene(const Half& right, const Half& left) {
    Scene result = test::bare_scene(test::solid(1, 0.25, 1));
    result.materials.push_back(result.materials[0]);
    result.materials[0].toughness = right.strength;
    result.materials[1].toughness = left.strength;
    return result;
  }
  static mesh::TetMesh body(const Half& right, const Half& left) {
    mesh::TetMesh whole;
    whole.nodes = {Vec3::Zero(), Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX(), -Vec3::UnitX()};
    whole.tets = {{0, 3, 1, 2}, {0, 4, 2, 1}};
    whole.region = {0, 1};
    whole.displacement.assign(5, Vec3::Zero());
    whole.displacement[3].x() = right.stretch - 1;
    whole.displacement[4].x() = 1 - left.stretch;
    return whole;
  }
  Simulation simulation_;
};

// By hand: σ = ½ (λ+2μ) s (s² − 1) of each half, their mean by present volumes, which are proportional to s. The mean
// may be below the strength where one half is above; each half is compared with its own strength.
TEST(PrincipalStress, OfAnElementAndOfTheStarOfTwo) {
  using fracture::StressOf;
  const TwoTets::Half stretched{1.02, 0.02}, eased{0.99, 0.02};
  EXPECT_NEAR(stretched.stress(), 0.0247248, 1e-9);
  EXPECT_NEAR(eased.stress(), -0.0118206, 1e-9);
  TwoTets pulled(stretched, eased);
  EXPECT_TRUE(pulled.failures(StressOf::star).empty());  // (1.02·0.0247248 − 0.99·0.0118206)/2.01 = 0.0067247
  const auto failing = pulled.failures(StressOf::element);
  ASSERT_EQ(failing.size(), 1u);
  EXPECT_NEAR(failing[0].severity, 0.0247248 / 0.02, 1e-12);
  EXPECT_NEAR(failing[0].normal.x(), 1, 1e-12);

  const TwoTets::Half half_stretched{1.01, 0.005};  // 0.0121806, weak
  TwoTets weak({1.02, 0.1}, half_stretched);
  const auto by_element = weak.failures(StressOf::element), by_star = weak.failures(StressOf::star);
  ASSERT_EQ(by_element.size(), 1u);
  EXPECT_NEAR(by_element[0].severity, half_stretched.stress() / 0.005, 1e-12);
  ASSERT_EQ(by_star.size(), 1u);  // the mean against the weaker
  EXPECT_NEAR(by_star[0].severity, (1.02 * 0.0247248 + 1.01 * half_stretched.stress()) / 2.03 / 0.005, 1e-11);

  TwoTets strong({1.02, 0.025}, {1.01, 0.0125});
  EXPECT_TRUE(strong.failures(StressOf::element).empty());  // 0.99 and 0.97 of what each bears
}

// A rotated body has the same severity, across the rotated plane.
TEST(PrincipalStress, TurnsWithTheBody) {
  Mat3 f = pulled_along_x(1.5 * kStrength);
  f(0, 1) += 1e-4;
  for (const auto of : {fracture::StressOf::star, fracture::StressOf::element}) {
    const auto straight = Stretched(f).failures(kCentre, of);
    ASSERT_EQ(straight.size(), 1u);
    for (const double angle : {0.3, 1.0, 3.0}) {
      const Mat3 r = Eigen::AngleAxisd(angle, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
      const auto turned = Stretched(r * f).failures(kCentre, of);
      ASSERT_EQ(turned.size(), 1u);
      EXPECT_NEAR(turned[0].severity, straight[0].severity, 1e-11 * straight[0].severity);
      EXPECT_NEAR(std::abs(turned[0].normal.dot(r * straight[0].normal)), 1, 1e-10);
    }
  }
}

}  // namespace
}  // namespace brisance::sim
