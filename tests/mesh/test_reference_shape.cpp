// Positions of the middles of edges: on rotated shapes by formulas, on triangles by closest points.
#include "brisance/mesh/generate/reference_shape.hpp"
#include "brisance/mesh/shapes/shapes.hpp"

#include "mesh/generate/make_reference.hpp"
#include "mesh/shapes/revolve.hpp"
#include "mesh/surface/nearest_on_triangles.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

constexpr double kPi = std::numbers::pi;

Request request_of(ShapeKind kind) {
  Request request;
  request.shape = kind;
  request.refine = 1;
  request.radius_m = 1, request.thickness_m = 0.3, request.length_m = 2;
  return request;
}

ReferenceShape turned(const Request& request) { return ReferenceShape(turned_reference(request, 0.2)); }

/// A surface of a file: a sphere of radius 1.
ReferenceShape triangulated_ball(double edge) {
  Surface surface;
  append_revolved(surface, {arc_piece(Vec2::Zero(), 1, -kPi / 2, kPi / 2)}, edge);
  return ReferenceShape(triangle_reference(surface, 30));
}

TEST(ProfileCurve, NearestPointIsThatOfManySamples) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(0, 1);
  for (int trial = 0; trial < 300; ++trial) {
    const double first = 2 * kPi * any(random) - kPi, turn = 2 * kPi * (2 * any(random) - 1);
    const Vec2 a(any(random), any(random)), b(any(random), any(random)), x(2 * any(random), 2 * any(random));
    for (const ProfilePiece& piece : {straight_piece(a, b), arc_piece(a, 0.1 + any(random), first, first + turn)}) {
      double least = std::numeric_limits<double>::infinity();
      constexpr int kSamples = 2000;
      for (int i = 0; i <= kSamples; ++i)
        least = std::min(least, (piece.point(static_cast<double>(i) / kSamples) - x).norm());
      const auto [at, direction] = piece.curve.nearest(x);
      EXPECT_NEAR((at - x).norm(), least, piece.length_m / kSamples) << trial;
      EXPECT_LE((at - x).norm(), least + 1e-12) << trial;
      EXPECT_NEAR(direction.norm(), 1, 1e-12);
    }
  }
}

TEST(ProfileCurve, DirectionsLeadAlongIt) {
  for (const ProfilePiece& piece :
       {straight_piece({1, 0}, {2, 3}), arc_piece({1, 1}, 2, 0.3, 2), arc_piece({1, 1}, 2, 2, 0.3)})
    for (const double t : {0.2, 0.5, 0.9}) {
      const Vec2 ahead = (piece.point(t + 1e-6) - piece.point(t - 1e-6)).normalized();
      EXPECT_LT((piece.curve.direction(t) - ahead).norm(), 1e-6);
      EXPECT_LT((piece.curve.nearest(piece.point(t)).direction - ahead).norm(), 1e-6);
    }
}

TEST(TriangleTree, FindsTheNearestPointOfAllTriangles) {
  Request request = request_of(ShapeKind::torus);
  request.tube_radius_m = 0.4;
  const Surface surface = make_shape(request, 0.4);
  const TriangleTree tree(surface.vertices, surface.triangles);
  std::vector<TriangleTree> each;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    each.emplace_back(surface.vertices, std::span(surface.triangles).subspan(t, 1));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1.5, 1.5);
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3 x(any(random), any(random), any(random));
    double least = std::numeric_limits<double>::infinity();
    for (const TriangleTree& one : each) least = std::min(least, (one.nearest(x).point - x).norm());
    const auto [point, triangle] = tree.nearest(x);
    EXPECT_NEAR((point - x).norm(), least, 1e-14);
    EXPECT_LT((each[triangle].nearest(x).point - point).norm(), 1e-14);
  }
}

TEST(ReferenceShape, MiddlesOfChordsGoToTheSphereOutsideAndInside) {
  const ReferenceShape ball = turned(request_of(ShapeKind::hollow_ball));
  const Vec3 a = Vec3(1, 0.2, 0.1).normalized(), b = Vec3(1, -0.2, 0.3).normalized(), middle = (a + b) / 2;
  const auto way = ball.way_of_middle({{a, b}, {a, b}});
  ASSERT_TRUE(way);
  EXPECT_NEAR((middle + *way).norm(), 1, 1e-15);
  EXPECT_LT(way->cross(middle).norm(), 1e-15);
  const auto inside = ball.way_of_middle({{0.7 * a, 0.7 * b}, {-a, -b}});
  ASSERT_TRUE(inside);
  EXPECT_NEAR((0.7 * middle + *inside).norm(), 0.7, 1e-15);
}

TEST(ReferenceShape, ASheetThatFacesTheOtherWayIsNotTaken) {
  Request thin = request_of(ShapeKind::hollow_ball);
  thin.thickness_m = 0.01;
  const Vec3 a = Vec3(1, 0.2, 0).normalized(), b = Vec3(1, -0.2, 0).normalized();  // the middle is at 0.98: inside
  const auto way = turned(thin).way_of_middle({{a, b}, {a, b}});
  ASSERT_TRUE(way);
  EXPECT_NEAR(((a + b) / 2 + *way).norm(), 1, 1e-15);
  const ReferenceShape file = triangulated_ball(0.05);
  EXPECT_TRUE(file.way_of_middle({{a, b}, {a, b}}));
  EXPECT_FALSE(file.way_of_middle({{a, b}, {-a, -b}}));
}

TEST(ReferenceShape, RimsAreRoundAndFlatCapsStayToTheBit) {
  const ReferenceShape cylinder = turned(request_of(ShapeKind::solid_cylinder));
  const auto at = [](double angle, double z) { return Vec3(std::cos(angle), std::sin(angle), z); };
  const Vec3 up = Vec3::UnitZ();
  const Vec3 a = at(0.2, 1), b = at(0.8, 1), side = at(0.5, 0);
  const auto rim = cylinder.way_of_middle({{a, b}, {up, side}});
  ASSERT_TRUE(rim);
  EXPECT_LT(((a + b) / 2 + *rim - at(0.5, 1)).norm(), 1e-15);
  // a chord between points of the rim that lies in the cap, and the edge from rim to rim along the side
  EXPECT_FALSE(cylinder.way_of_middle({{a, b}, {up, up}}));
  EXPECT_FALSE(cylinder.way_of_middle({{at(0.2, 0.6), at(0.2, 1)}, {at(0, 0), at(1, 0)}}));
  // sharp by its facets alone: to the side, not to the rim
  const auto facet = cylinder.way_of_middle({{at(0.2, 0.4), at(0.8, 1)}, {at(0.1, 0), at(0.9, 0)}});
  ASSERT_TRUE(facet);
  EXPECT_NEAR(Vec2(((at(0.2, 0.4) + at(0.8, 1)) / 2 + *facet).head<2>()).norm(), 1, 1e-15);
  EXPECT_DOUBLE_EQ(facet->z(), 0);
}

TEST(ReferenceShape, SharpEdgesOfRoundedRidgesGoToTheTop) {
  // A cylinder along z of triangles is a ridge rounded off between any two planes that touch it.
  Surface surface;
  append_revolved(surface,
                  {straight_piece({0, -2}, {1, -2}), straight_piece({1, -2}, {1, 2}), straight_piece({1, 2}, {0, 2})},
                  0.05);
  const ReferenceShape shape(triangle_reference(surface, 30));
  const Vec3 a(0.9, 0, -0.3), b(0.9, 0, 0.3), left = Vec3(1, 0.6, 0).normalized(),
                                              right = Vec3(1, -0.4, 0).normalized();
  const auto way = shape.way_of_middle({{a, b}, {left, right}});
  ASSERT_TRUE(way);
  EXPECT_LT(way->cross(left + right).norm(), 1e-14) << "along the mean normal";
  EXPECT_NEAR(((a + b) / 2 + *way).norm(), 1, 5e-4);
}

TEST(ReferenceShape, SharpEdgesOfAFileGoToItsCreases) {
  Surface surface;
  append_revolved(surface,
                  {straight_piece({0, -1}, {1, -1}), straight_piece({1, -1}, {1, 1}), straight_piece({1, 1}, {0, 1})},
                  0.05);
  const ReferenceShape shape(triangle_reference(surface, 30));
  const auto at = [](double angle) { return Vec3(std::cos(angle), std::sin(angle), 1); };
  const auto way = shape.way_of_middle({{at(0.2), at(0.8)}, {Vec3::UnitZ(), Vec3(at(0.5) - Vec3::UnitZ())}});
  ASSERT_TRUE(way);
  EXPECT_LT(((at(0.2) + at(0.8)) / 2 + *way - at(0.5)).norm(), 1e-3);
  EXPECT_EQ(way->z(), 0);
}

TEST(ReferenceShape, PlacedBodiesAreFollowedWhereTheyArePlaced) {
  Reference placed = turned_reference(request_of(ShapeKind::solid_cylinder), 0.2);
  placed.rotation = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  placed.shift = {5, -3, 2};
  const ReferenceShape shape(std::move(placed)), own = turned(request_of(ShapeKind::solid_cylinder));
  const auto& [rotation, shift] = std::tie(shape.reference().rotation, shape.reference().shift);
  const Vec3 a(std::cos(0.2), std::sin(0.2), 0.3), b(std::cos(0.7), std::sin(0.7), 0.1), out(1, 0.5, 0);
  const auto there = shape.way_of_middle(
      {{rotation * a + shift, rotation * b + shift}, {rotation * out.normalized(), rotation * out.normalized()}});
  const auto here = own.way_of_middle({{a, b}, {out.normalized(), out.normalized()}});
  ASSERT_TRUE(there && here);
  EXPECT_LT((*there - rotation * *here).norm(), 1e-14);
}

TEST(ReferenceShape, CavitiesAreScaledAboutWhereTheMeshScalesThem) {
  Request request = request_of(ShapeKind::solid_cylinder);
  request.cavity_scale = 0.5;
  const ReferenceShape shape = turned(request);
  ASSERT_EQ(shape.reference().turned.size(), 2U);
  const Vec3 centre = 2 * shape.reference().turned[1].origin;
  EXPECT_LT(centre.norm(), 0.05);
  const auto wall = [&](double angle) -> Vec3 {
    return 0.5 * centre + 0.5 * Vec3(std::cos(angle), std::sin(angle), 0.1);
  };
  const Vec3 in(-std::cos(0.5), -std::sin(0.5), 0);
  const auto way = shape.way_of_middle({{wall(0.2), wall(0.8)}, {in, in}});
  ASSERT_TRUE(way);
  EXPECT_LT(((wall(0.2) + wall(0.8)) / 2 + *way - wall(0.5)).norm(), 1e-15);
}

TEST(ReferenceShape, FlatShapesAndCagesAreFollowedNowhere) {
  EXPECT_FALSE(is_followed(request_of(ShapeKind::box)));
  EXPECT_FALSE(is_followed(request_of(ShapeKind::chair)));
  EXPECT_TRUE(is_followed(request_of(ShapeKind::torus)));
  Request file = request_of(ShapeKind::file);
  EXPECT_TRUE(is_followed(file));
  file.cage = true;
  EXPECT_FALSE(is_followed(file));
  file.cage = false, file.follow_surface = false;
  EXPECT_FALSE(is_followed(file));
}

}  // namespace
}  // namespace brisance::mesh
