// [[region]] tables: the places that they contain, and refusals.
#include "brisance/sim/simulation.hpp"

#include "app/small_scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::app {
namespace {

using ::testing::HasSubstr;

sim::Scene read(const std::string& keys) { return parse_scene(kSmallScene + "[[region]]\n" + keys, "scene.toml"); }

std::string error_of_region(const std::string& keys) { return error_of(kSmallScene + "[[region]]\n" + keys); }

// About a slanted axis: contains places near the circle around its middle, and no other place as far from its centre.
TEST(RegionScene, ATorusHoldsWhatIsNearItsCircle) {
  const sim::Scene scene =
      read("shape = \"torus\"\ncentre_m = [1, 0, 0]\nradius_m = 2\ntube_radius_m = 0.1\nnormal = [0, 3, 3]\n");
  const Vec3 along = Vec3(0, 1, 1).normalized(), across = Vec3(0, 1, -1).normalized(), centre(1, 0, 0);
  for (const Vec3& out : {Vec3(1, 0, 0), across}) {
    EXPECT_EQ(sim::regions_at(scene, centre + 2.09 * out), 1U);
    EXPECT_EQ(sim::regions_at(scene, centre + 2 * out + 0.09 * along), 1U);
    EXPECT_EQ(sim::regions_at(scene, centre + 2 * out + 0.11 * along), 0U);
    EXPECT_EQ(sim::regions_at(scene, centre + 1.89 * out), 0U);
    EXPECT_EQ(sim::regions_at(scene, centre + 2.08 * out + 0.08 * along), 0U);
  }
  EXPECT_EQ(sim::regions_at(scene, centre + 2 * along), 0U);
}

TEST(RegionScene, ATorusNeedsBothRadiiAndAnAxis) {
  EXPECT_THAT(error_of_region("shape = \"torus\"\ntube_radius_m = 1\n"), HasSubstr("a torus needs region.radius_m"));
  EXPECT_THAT(error_of_region("shape = \"torus\"\nradius_m = 1\n"), HasSubstr("a torus needs region.tube_radius_m"));
  EXPECT_THAT(error_of_region("shape = \"torus\"\nradius_m = 1\ntube_radius_m = 1\nnormal = [0, 0, 0]\n"),
              HasSubstr("region.normal must not be zero"));
}

}  // namespace
}  // namespace brisance::app
