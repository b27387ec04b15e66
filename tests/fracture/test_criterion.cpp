/// When a sound node is looked at again.
#include "brisance/dist/distribute.hpp"
#include "brisance/fracture/criterion.hpp"

#include "support/fracture_mesh.hpp"
#include "support/kuhn.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace brisance::fracture {
namespace {

/// No element exerts any force: every node is sound, whatever the bound says.
void no_forces(std::span<const std::int32_t> chosen, std::span<dist::CornerForces> result) {
  std::fill_n(result.begin(), chosen.size(), dist::CornerForces{});
}

class CalmNode : public ::testing::Test {
protected:
  explicit CalmNode(double interval_share = 0.1)
      : mesh_(dist::distribute(core::Comm(), test::kuhn_box(4, 4, 4, 1, 1, 1), {}, {test::stone()},
                               test::with_fracture_fields())),
        criterion_(mesh_, {.evaluate_interval_share = interval_share}, 0, no_forces),
        forces_(mesh_.node_id.size()) {}

  [[nodiscard]] bool is_looked_at(double bound_newtons, double time_s) {
    for (dist::NodeForce& f : forces_.span()) f.force[3] = 2 * bound_newtons;
    const std::vector<LocalNode> found = criterion_.candidates(mesh_, forces_.span(), time_s);
    EXPECT_TRUE(criterion_.failures(mesh_, found, time_s).empty());
    return std::ranges::find(found, node_) != found.end();
  }

  dist::Mesh mesh_;
  Criterion criterion_;
  AlignedNodeField<dist::NodeForce> forces_;
  LocalNode node_{62};
  double limit_newtons_ = mesh_.materials[0].toughness;
  double passage_s_ = mesh_.field(dist::kUncutEdgeLength)[node_] / material::pressure_wave_speed(mesh_.materials[0]);
};

class NodeWithoutCalm : public CalmNode {
protected:
  NodeWithoutCalm() : CalmNode(0) {}
};

TEST_F(CalmNode, IsLeftAloneForTwoPassagesOfAWave) {
  const double bound = 3 * limit_newtons_;
  EXPECT_TRUE(is_looked_at(bound, 0));
  EXPECT_FALSE(is_looked_at(bound, 0.1 * passage_s_));
  EXPECT_FALSE(is_looked_at(bound, 1.9 * passage_s_));
  EXPECT_TRUE(is_looked_at(bound, 2.1 * passage_s_));
}

TEST_F(CalmNode, IsLookedAtOnceItStirs) {
  const double bound = 3 * limit_newtons_;
  EXPECT_TRUE(is_looked_at(bound, 0));
  EXPECT_FALSE(is_looked_at(1.9 * bound, 0.1 * passage_s_));
  EXPECT_TRUE(is_looked_at(2.1 * bound, 0.2 * passage_s_));
  EXPECT_FALSE(is_looked_at(2.1 * bound, 0.3 * passage_s_));  // from then on as before
}

TEST_F(NodeWithoutCalm, IsLookedAtAlways) {
  EXPECT_TRUE(is_looked_at(3 * limit_newtons_, 0));
  EXPECT_TRUE(is_looked_at(3 * limit_newtons_, 0.1 * passage_s_));
}

}  // namespace
}  // namespace brisance::fracture
