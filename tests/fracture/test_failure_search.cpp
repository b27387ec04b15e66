/// When a sound node is evaluated again, and the area by which a cut one is judged.
#include "brisance/dist/distribute.hpp"
#include "brisance/fracture/criteria/failure_search.hpp"
#include "brisance/fracture/criteria/node_area.hpp"
#include "brisance/fracture/criteria/separation.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/fracture/rounds.hpp"

#include "support/fracture_mesh.hpp"
#include "support/kuhn.hpp"
#include "support/plane_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::fracture {
namespace {

/// No element exerts any force: every node is sound, for any value of the bound.
void no_forces(std::span<const std::int32_t> chosen, std::span<dist::CornerForces> result) {
  std::fill_n(result.begin(), chosen.size(), dist::CornerForces{});
}

class SoundNode : public ::testing::Test {
protected:
  explicit SoundNode(double interval_share = 0.1)
      : mesh_(dist::distribute(core::Comm(), test::kuhn_box(4, 4, 4, 1, 1, 1), {}, {test::stone()},
                               test::with_fracture_fields())),
        criterion_(mesh_, {.evaluate_interval_share = interval_share}, {}, no_forces),
        forces_(mesh_.node_id.size()) {}

  [[nodiscard]] bool is_evaluated(double bound_newtons, double time_s) {
    for (dist::NodeForce& f : forces_.span()) f.force[3] = 2 * bound_newtons;
    const std::vector<LocalNode> found = criterion_.candidates(mesh_, forces_.span(), time_s);
    EXPECT_TRUE(criterion_.failures(mesh_, found, time_s).empty());
    return std::ranges::find(found, node_) != found.end();
  }

  dist::Mesh mesh_;
  FailureSearch criterion_;
  AlignedNodeField<dist::NodeForce> forces_;
  LocalNode node_{62};
  double limit_newtons_ = mesh_.materials[0].toughness;
  double passage_s_ = mesh_.field(dist::kUncutEdgeLength)[node_] / material::pressure_wave_speed(mesh_.materials[0]);
};

class NodeWithoutCalm : public SoundNode {
protected:
  NodeWithoutCalm() : SoundNode(0) {}
};

TEST_F(SoundNode, IsLeftAloneForTwoPassagesOfAWave) {
  const double bound = 3 * limit_newtons_;
  EXPECT_TRUE(is_evaluated(bound, 0));
  EXPECT_FALSE(is_evaluated(bound, 0.1 * passage_s_));
  EXPECT_FALSE(is_evaluated(bound, 1.9 * passage_s_));
  EXPECT_TRUE(is_evaluated(bound, 2.1 * passage_s_));
}

TEST_F(SoundNode, IsLookedAtOnceItStirs) {
  const double bound = 3 * limit_newtons_;
  EXPECT_TRUE(is_evaluated(bound, 0));
  EXPECT_FALSE(is_evaluated(1.9 * bound, 0.1 * passage_s_));
  EXPECT_TRUE(is_evaluated(2.1 * bound, 0.2 * passage_s_));
  EXPECT_FALSE(is_evaluated(2.1 * bound, 0.3 * passage_s_));  // from then on as before
}

TEST_F(NodeWithoutCalm, IsLookedAtAlways) {
  EXPECT_TRUE(is_evaluated(3 * limit_newtons_, 0));
  EXPECT_TRUE(is_evaluated(3 * limit_newtons_, 0.1 * passage_s_));
}

/// Every element pulls its corners apart along x.
struct Pull {
  double newtons = 0;
  void operator()(std::span<const std::int32_t> chosen, std::span<dist::CornerForces> result) const {
    no_forces(chosen, result);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      for (auto& corner : result[i].corner) corner.spread[0] = 2 * newtons;
  }
};

// A node with a refused cut is not tried again for the same plane: with a factor of growth not until its severity has
// grown by that factor, without one never.
TEST(RefusedNode, IsTriedAgainOnceItIsMoreSevere) {
  for (const double growth : {0.0, 1.25}) {
    dist::Mesh mesh = dist::distribute(core::Comm(), test::kuhn_box(4, 4, 4, 1, 1, 1), {}, {test::stone()},
                                       test::with_fracture_fields());
    const LocalNode node(62);
    Pull pull{3.0 / static_cast<double>(mesh.star(node).size())};
    FailureSearch criterion(mesh, {.refusal_growth = growth}, {},
                            [&](auto chosen, auto result) { pull(chosen, result); });
    const std::vector<LocalNode> nodes{node};
    const std::vector<Failure> first = criterion.failures(mesh, nodes, 0);
    ASSERT_EQ(first.size(), 1U);
    EXPECT_GT(first[0].severity, 1);
    const Vec3 refused = growth > 0 ? Vec3(first[0].severity * first[0].normal) : first[0].normal;
    mesh.field(kRefusal)[node] = {refused.x(), refused.y(), refused.z()};
    EXPECT_TRUE(criterion.failures(mesh, nodes, 0).empty());
    pull.newtons *= 1.24;
    EXPECT_TRUE(criterion.failures(mesh, nodes, 0).empty());
    pull.newtons *= 1.02;
    EXPECT_EQ(criterion.failures(mesh, nodes, 0).size(), growth > 0 ? 1U : 0U);
  }
}

/// Largest severity, under uniform tension along x that just reaches the strength, among the nodes of the plane z = 1/2
/// in the middle of a cube cut there.
double severity_on_a_crack_face(double least_area_share) {
  material::Material m = test::stone();
  m.toughness_mode = material::ToughnessMode::stress;
  dist::Mesh mesh =
      dist::distribute(core::Comm(), test::kuhn_box(4, 4, 4, 1, 1, 1), {}, {m}, test::with_fracture_fields());
  note_uncut_areas(mesh);
  Rounds rounds(mesh, {}, {}, {});
  test::sweep(mesh, rounds, {Vec3(0.5, 0.5, 0.5), Vec3::UnitZ()}, 1e-9);
  double most = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    const Vec3& x = mesh.rest[n];
    if (std::abs(x.z() - 0.5) > 1e-9 || std::max(std::abs(x.x() - 0.5), std::abs(x.y() - 0.5)) > 0.3) continue;
    EXPECT_EQ(mesh.field(kCut)[n], 1U);
    const double force = m.toughness * projected_area(mesh, n, Vec3::UnitX());
    const NodeSeparation separation{n, force * Vec3::UnitX() * Vec3::UnitX().transpose(), {force, Vec3::UnitX()}};
    most = std::max(most, severity(mesh, separation, {.least_area_share = least_area_share}));
  }
  return most;
}

// A second crack across a crack face of the first. With the area of the uncut node it takes twice the strength of an
// uncut node, with half of that area as much as an uncut one: 0.83 of the severity that the area across x alone would
// give, A_n across an axis of this grid being the least of all directions and A_0 their mean.
TEST(CutNode, IsJudgedByTheAreaLeftToItWhereAsked) {
  const double of_the_mean = 2 * (std::numbers::sqrt2 - 1);
  EXPECT_NEAR(severity_on_a_crack_face(1), of_the_mean / 2, 1e-12);
  EXPECT_NEAR(severity_on_a_crack_face(0.5), of_the_mean, 1e-12);
  EXPECT_NEAR(severity_on_a_crack_face(0), 1, 1e-12);
}

}  // namespace
}  // namespace brisance::fracture
