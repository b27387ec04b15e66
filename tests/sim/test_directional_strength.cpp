// Strength that depends on the direction: a star under tension in any direction breaks by Hankinson's formula, across a
// plane inclined to the weak directions, and both rotate with the body.
#include "brisance/fracture/criteria/failure_search.hpp"
#include "brisance/fracture/criteria/node_area.hpp"
#include "brisance/fracture/criteria/separation.hpp"

#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <optional>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

constexpr double kStrain = 1e-7;  ///< small enough for results linear to 1e-6
constexpr std::int64_t kCentre = (2 * 5 + 2) * 5 + 2;
const Vec3 kRatio(20, 1, 2);

/// E = 1, ν = 0.25; along the strongest axis half as strong as PulledCube's stress.
material::Material grained(const Vec3& ratio = kRatio) {
  material::Material m = test::solid(1, 0.25, 1);
  m.toughness_mode = material::ToughnessMode::stress;
  m.toughness = 0.5 * kStrain / 20;
  m.strength_ratio = ratio;
  m.grain = Vec3(2, 1, 0.5);
  m.second_axis = Vec3(0, 1, 1);
  return m;
}

class PulledCube {
public:
  /// Under the physical stress kStrain · n nᵀ, and then turned.
  PulledCube(const material::Material& m, const Vec3& n, const Mat3& turn) {
    const Mat3 stress = n * n.transpose();
    const Mat3 f = Mat3::Identity() + kStrain * (1.25 * stress - 0.25 * stress.trace() * Mat3::Identity());
    mesh::TetMesh whole = test::kuhn_box(4, 4, 4, 1, 1, 1);
    for (const Vec3& x : whole.nodes) whole.displacement.push_back(turn * f * x - x);
    simulation_.emplace(core::Comm(MPI_COMM_SELF), test::bare_scene(m), whole, std::vector<std::uint32_t>{});
    node_ = simulation_->mesh().find(GlobalNode(kCentre));
  }

  [[nodiscard]] fracture::CornerForceFunction corner_forces() {
    return [&](std::span<const std::int32_t> chosen, std::span<dist::CornerForces> result) {
      dynamics::corner_forces(simulation_->element_spans(), mesh().materials, mesh().motion.span(), chosen, result);
    };
  }
  [[nodiscard]] dist::Mesh& mesh() { return simulation_->mesh(); }
  [[nodiscard]] LocalNode node() const { return node_; }

private:
  std::optional<Simulation> simulation_;
  LocalNode node_;
};

const Vec3 kDirections[] = {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, -2, 3), Vec3(2, 1, 0.5), Vec3(0.3, 1, 1)};
const Mat3 kTurns[] = {Mat3::Identity(), Eigen::AngleAxisd(2, Vec3(1, 2, 3).normalized()).toRotationMatrix()};

/// Stress over strength along n by Hankinson's formula, and the plane's normal, for a body at rest.
std::pair<double, Vec3> expected(const material::Material& m, const Vec3& n) {
  const Mat3 axes = material::axes_of(m.grain, m.second_axis);
  const Vec3 along = axes.transpose() * n;
  const double share = (along.array().square() / m.strength_ratio.array()).sum() * kStrain / m.toughness;
  return {share, (axes * (along.array() / m.strength_ratio.array().sqrt()).matrix()).normalized()};
}

// ζ = σ A_n n nᵀ, so that v⁺ of the scaled tensor is σ A_n Σ n_i²/r_i; its plane has an area of its own.
TEST(DirectionalStrength, OfSeparationIsHankinsons) {
  const material::Material m = grained();
  for (const Mat3& turn : kTurns)
    for (const Vec3& direction : kDirections) {
      const Vec3 n = direction.normalized();
      const auto [share, normal] = expected(m, n);
      PulledCube cube(m, n, turn);
      const LocalNode node = cube.node();
      const auto s = fracture::separations(cube.mesh(), std::span(&node, 1), cube.corner_forces())[0];
      const fracture::Severity found = fracture::severity_of(cube.mesh(), s);
      const double areas = fracture::projected_area(cube.mesh(), node, turn * n) /
                           fracture::projected_area(cube.mesh(), node, turn * normal);
      EXPECT_NEAR(found.share, share * areas, 1e-5 * share * areas) << n.transpose();
      EXPECT_LT(found.normal.cross(turn * normal).norm(), 1e-4) << n.transpose();
    }
}

TEST(DirectionalStrength, OfPrincipalStressIsHankinsons) {
  const material::Material m = grained();
  for (const auto of : {fracture::StressOf::star, fracture::StressOf::element})
    for (const Mat3& turn : kTurns)
      for (const Vec3& direction : kDirections) {
        const Vec3 n = direction.normalized();
        const auto [share, normal] = expected(m, n);
        PulledCube cube(m, n, turn);
        const fracture::Parameters parameters{.criterion = "principal_stress", .principal_stress_of = of};
        fracture::FailureSearch criterion(cube.mesh(), parameters, {}, cube.corner_forces());
        const LocalNode node = cube.node();
        const auto failures = criterion.failures(cube.mesh(), std::span(&node, 1), 0);
        ASSERT_EQ(failures.size(), 1u);
        EXPECT_NEAR(failures[0].severity, share, 1e-5 * share) << n.transpose();
        EXPECT_LT(failures[0].normal.cross(turn * normal).norm(), 1e-4) << n.transpose();
      }
}

// The cheap bound never misses a node that fails, and a strength that is weak far from the direction of tension
// suffices.
TEST(DirectionalStrength, DecidesWhoFails) {
  for (const double ratio : {1.9, 2.1}) {
    material::Material m = grained(Vec3(ratio, 0.5, 0.5));
    m.toughness = kStrain / 2;
    const Vec3 n = m.grain.normalized();
    PulledCube cube(m, n, kTurns[1]);
    fracture::FailureSearch criterion(cube.mesh(), {}, {}, cube.corner_forces());
    std::vector<dist::NodeForce> forces(cube.mesh().node_id.size());
    for (dist::NodeForce& f : forces) f.force[3] = 2 * kStrain;  // far above: all are candidates
    const auto candidates = criterion.candidates(cube.mesh(), forces, 0);
    EXPECT_NE(std::ranges::find(candidates, cube.node()), candidates.end());
    const auto failures = criterion.failures(cube.mesh(), candidates, 0);
    const bool fails = std::ranges::any_of(failures, [&](const auto& f) { return f.node == cube.node(); });
    EXPECT_EQ(fails, ratio < 2) << ratio;
  }
}

}  // namespace
}  // namespace brisance::sim
