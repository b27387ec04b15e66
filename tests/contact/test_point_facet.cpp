#include "brisance/contact/surface/point_facet.hpp"

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

const FacetCorners kFacet{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};  // outward is +z

NearFacet seen(const FacetCorners& facet, const Vec3& point, std::int64_t key) {
  return {.view = view_facet(facet, point), .key = key};
}

bool is_behind(const Vec3& point) { return has_come_through(seen(kFacet, point, 1), {}); }

TEST(PointFacet, FootHasTheWeightsOfItsPlaceAndTheGapLeadsThere) {
  const FacetView inside = view_facet(kFacet, Vec3(0.2, 0.3, -0.1));
  EXPECT_NEAR(inside.weight[0], 0.5, 1e-15);
  EXPECT_NEAR(inside.weight[1], 0.2, 1e-15);
  EXPECT_NEAR(inside.weight[2], 0.3, 1e-15);
  EXPECT_LT((inside.gap - Vec3(0, 0, 0.1)).norm(), 1e-15);
  EXPECT_NEAR(inside.behind(), 1, 1e-15);
  const FacetView beyond_an_edge = view_facet(kFacet, Vec3(0.5, -0.4, 0.3));
  EXPECT_NEAR(beyond_an_edge.distance, 0.5, 1e-15);
  EXPECT_NEAR(beyond_an_edge.behind(), -0.6, 1e-15);
}

TEST(PointFacet, IsPenetratedFromBehindAndNotFromInFrontNorFromBeside) {
  EXPECT_TRUE(is_behind(Vec3(0.2, 0.2, -0.1)));
  EXPECT_FALSE(is_behind(Vec3(0.2, 0.2, 0.1)));
  EXPECT_FALSE(is_behind(Vec3(0.5, -0.1, 0)));
  const FacetView inside = view_facet(kFacet, Vec3(0.2, 0.2, -0.1)),
                  on_edge = view_facet(kFacet, Vec3(0.2, -0.2, -0.1));
  EXPECT_TRUE(weighs(inside, 0) && weighs(inside, 1) && weighs(inside, 2));
  EXPECT_TRUE(weighs(on_edge, 0) && weighs(on_edge, 1) && !weighs(on_edge, 2));
  EXPECT_FALSE(nearest_facet({}));
}

// Beyond the tip of a wedge of 30° a point may be behind the plane of one side, but it is in front of the other, whose
// normal is nearer to its direction.
TEST(PointFacet, BeyondASharpEdgeIsOutside) {
  const double slope = std::tan(0.5236);
  const FacetCorners top{Vec3(0, 0, 0), Vec3(1, 0, slope), Vec3(0, 1, 0)};  // normal up and to −x
  const FacetCorners bottom{Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(1, 0, 0)};   // normal −z
  const Vec3 point(-0.05, 0.3, 0.08);
  const NearFacet from_top = seen(top, point, 1), from_bottom = seen(bottom, point, 2);
  ASSERT_GT(from_bottom.view.behind(), 0.5);
  EXPECT_TRUE(has_come_through(from_bottom, std::array{from_bottom}));
  EXPECT_FALSE(has_come_through(from_bottom, std::array{from_top, from_bottom}));
  EXPECT_FALSE(has_come_through(from_top, std::array{from_top, from_bottom}));
}

TEST(PointFacet, ChoiceDoesNotDependOnTheOrderNorOnFacetsFartherAway) {
  const Vec3 point(0.5, 0.5, -0.05);  // the foot is on the edge that the first two share
  const FacetCorners other{Vec3(1, 0, 0), Vec3(1, 1, 0.1), Vec3(0, 1, 0)};
  const FacetCorners far{Vec3(0, 0, 0.2), Vec3(1, 0, 0.2), Vec3(0, 1, 0.2)};
  const NearFacet a = seen(kFacet, point, 1), b = seen(other, point, 2), c = seen(far, point, 3);
  const std::array<NearFacet, 3> one{a, b, c}, two{c, b, a};
  ASSERT_TRUE(nearest_facet(one));
  EXPECT_EQ(one[*nearest_facet(one)].key, two[*nearest_facet(two)].key);
  EXPECT_EQ(one[*nearest_facet(one)].key, (std::array{a, b})[*nearest_facet(std::array{a, b})].key);
}

}  // namespace
}  // namespace brisance::contact
