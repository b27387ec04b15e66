// Parametric surfaces: closed and manifold by their edges alone, the right volume, vertices on the ideal surface.
#include "brisance/core/error.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/surface/check.hpp"

#include "mesh/shapes/profiles.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

const ShapeKind kShapes[] = {
    ShapeKind::box,   ShapeKind::slab,          ShapeKind::wall,           ShapeKind::sheet,
    ShapeKind::bowl,  ShapeKind::hollow_ball,   ShapeKind::solid_cylinder, ShapeKind::hollow_cylinder,
    ShapeKind::torus, ShapeKind::notched_block, ShapeKind::dumbbell,       ShapeKind::goblet,
    ShapeKind::bone,  ShapeKind::mug,           ShapeKind::chair,          ShapeKind::amphora};

Request request_of(ShapeKind kind) {
  Request request;
  request.shape = kind;
  if (kind == ShapeKind::slab) request.size = {1, 0.8, 0.1};
  if (kind == ShapeKind::wall) request.size = {3, 0.25, 2};
  if (kind == ShapeKind::sheet) request.size = {1, 1, 0.01};
  if (kind == ShapeKind::goblet) request.radius_m = 0.1;
  if (kind == ShapeKind::bone || kind == ShapeKind::dumbbell)
    request.radius_m = 0.05, request.tube_radius_m = 0.02, request.length_m = 0.2;
  if (kind == ShapeKind::mug) request.radius_m = 0.1, request.tube_radius_m = 0.02, request.length_m = 0.24;
  if (kind == ShapeKind::amphora) request.tube_radius_m = 0.06;
  if (kind == ShapeKind::chair) request.size = {0.45, 0.45, 0.9}, request.thickness_m = 0.05;
  return request;
}

bool is_compound(ShapeKind kind) {
  return kind == ShapeKind::bone || kind == ShapeKind::mug || kind == ShapeKind::chair;
}

double edge_of(const Request& request) {
  return std::min(0.1 * std::cbrt(shape_volume_m3(request)), largest_edge_m(request));
}

double enclosed_volume(const Surface& surface) {
  double sum = 0;
  for (const auto& [a, b, c] : surface.triangles)
    sum += surface.vertices[a].dot(surface.vertices[b].cross(surface.vertices[c]));
  return sum / 6;
}

double smallest_angle_deg(const Surface& surface) {
  double largest_cosine = -1;
  for (const auto& t : surface.triangles)
    for (int i = 0; i < 3; ++i) {
      const Vec3 u = surface.vertices[t[(i + 1) % 3]] - surface.vertices[t[i]];
      const Vec3 v = surface.vertices[t[(i + 2) % 3]] - surface.vertices[t[i]];
      largest_cosine = std::max(largest_cosine, u.normalized().dot(v.normalized()));
    }
  return std::acos(largest_cosine) * 180 / std::numbers::pi;
}

class Shapes : public ::testing::TestWithParam<ShapeKind> {};

TEST_P(Shapes, EveryEdgeIsWalkedOnceEachWay) {
  const Request request = request_of(GetParam());
  const Surface surface = make_shape(request, edge_of(request));
  std::map<std::pair<int, int>, int> walks;
  for (const auto& t : surface.triangles)
    for (int i = 0; i < 3; ++i) ++walks[{t[i], t[(i + 1) % 3]}];
  for (const auto& [edge, count] : walks) {
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(walks.contains({edge.second, edge.first}));
  }
  // Euler's formula: 2 a component, less 2 a handle (a chair has one between seat and back).
  const auto euler = static_cast<long>(surface.vertices.size()) - static_cast<long>(walks.size() / 2) +
                     static_cast<long>(surface.triangles.size());
  const bool ring = GetParam() == ShapeKind::torus || GetParam() == ShapeKind::hollow_cylinder ||
                    GetParam() == ShapeKind::mug || GetParam() == ShapeKind::chair;
  EXPECT_EQ(euler, ring ? 0 : GetParam() == ShapeKind::hollow_ball ? 4 : 2);
  EXPECT_EQ(surface.source_face.size(), surface.triangles.size());
}

TEST_P(Shapes, VolumeIsExactForFlatFacesAndConvergesForOthers) {
  const Request request = request_of(GetParam());
  const double exact = shape_volume_m3(request), edge = edge_of(request) / 2;
  auto error = [&](double h) { return std::abs(enclosed_volume(make_shape(request, h)) / exact - 1); };
  const bool flat =
      GetParam() <= ShapeKind::sheet || GetParam() == ShapeKind::notched_block || GetParam() == ShapeKind::chair;
  if (flat) {
    EXPECT_LT(error(edge), 1e-11);
  } else if (is_compound(GetParam())) {
    EXPECT_LT(error(edge), 0.03);  // the reference is itself a fine union
    EXPECT_LT(error(edge / 2), 0.7 * error(edge));
  } else {
    EXPECT_LT(error(edge), 0.02);
    EXPECT_GT(std::log2(error(edge) / error(edge / 2)), 1.65);  // faster where bulge and hollow cancel
  }
}

TEST_P(Shapes, EdgesHaveTheWantedLengthAndTrianglesAreNotFlat) {
  const Request request = request_of(GetParam());
  const double edge = edge_of(request);
  const Surface surface = make_shape(request, edge);
  double sum = 0;
  for (const auto& t : surface.triangles)
    for (int i = 0; i < 3; ++i) sum += (surface.vertices[t[i]] - surface.vertices[t[(i + 1) % 3]]).norm();
  EXPECT_NEAR(sum / (3 * static_cast<double>(surface.triangles.size())) / edge, 1, 0.2);
  const bool thin =
      GetParam() == ShapeKind::sheet || GetParam() == ShapeKind::notched_block;  // rim, mouth below an edge
  EXPECT_GT(smallest_angle_deg(surface), is_compound(GetParam()) ? 1 : thin ? 5 : 20);
  EXPECT_TRUE(check_surface(surface).meshable());
}

TEST_P(Shapes, TwoCallsGiveTheSameBits) {
  const Request request = request_of(GetParam());
  const Surface one = make_shape(request, edge_of(request)), two = make_shape(request, edge_of(request));
  EXPECT_EQ(one.vertices, two.vertices);
  EXPECT_EQ(one.triangles, two.triangles);
}

INSTANTIATE_TEST_SUITE_P(All, Shapes, ::testing::ValuesIn(kShapes),
                         [](const auto& tested) { return std::string(shape_name(tested.param)); });

TEST(Shape, AWallStandsInXZAndASlabLiesInXY) {
  for (const auto kind : {ShapeKind::wall, ShapeKind::slab}) {
    const Request request = request_of(kind);
    Vec3 low = Vec3::Constant(1e9), high = -low;
    for (const Vec3& x : make_shape(request, 0.1).vertices) low = low.cwiseMin(x), high = high.cwiseMax(x);
    EXPECT_EQ(high, request.size / 2);
    EXPECT_EQ(low, -request.size / 2);
  }
}

TEST(Shape, BowlVerticesLieOnItsSpheresOrItsRim) {
  const Request request = request_of(ShapeKind::bowl);
  const double half = request.thickness_m / 2, middle = request.radius_m - half;
  for (const Vec3& x : make_shape(request, 0.02).vertices) {
    const double polar = std::acos(-x.z() / x.norm());
    if (polar <= request.opening_angle_rad + 1e-9) {
      EXPECT_NEAR(std::abs(x.norm() - middle), half, 1e-12);
    } else {
      const Vec3 rim(std::hypot(x.x(), x.y()) - middle * std::sin(request.opening_angle_rad), 0,
                     x.z() + middle * std::cos(request.opening_angle_rad));
      EXPECT_NEAR(rim.norm(), half, 1e-12);
    }
  }
}

TEST(Shape, NotchTipSitsNotchDepthBelowTheTopFace) {
  Request request = request_of(ShapeKind::notched_block);
  request.notch_depth_m = 0.3;
  int on_tip = 0;
  for (const Vec3& x : make_shape(request, 0.1).vertices) on_tip += x.x() == 0 && std::abs(x.y() - 0.2) < 1e-12;
  EXPECT_EQ(on_tip, 11);
}

TEST(Shape, AnAmphoraHasTheRadiusAndTheHeightAskedFor) {
  const Request request = request_of(ShapeKind::amphora);
  double widest = 0, low = 0, high = 0;
  for (const Vec3& x : make_shape(request, 0.005).vertices) {
    widest = std::max(widest, std::hypot(x.x(), x.y()));
    low = std::min(low, x.z()), high = std::max(high, x.z());
  }
  EXPECT_NEAR(widest, request.radius_m, 1e-12);
  EXPECT_NEAR(low, -request.length_m / 2, 1e-12);
  EXPECT_NEAR(high, request.length_m / 2, 1e-4);  // no vertex need be on top of the rim
}

// Its profile: three pieces of the foot, then from the waist to the rim and, after that, back down to the floor.
TEST(Shape, AnAmphoraHasAWallOfOneThicknessWithoutKinks) {
  const Request request = request_of(ShapeKind::amphora);
  const Profile profile = amphora_profile(request);
  const std::size_t waist = 3, rim = 8, body = 13;
  for (std::size_t above = 1; waist + above < rim; ++above)
    for (const double t : {0.0, 0.3, 1.0}) {
      const Vec2 outer = profile[waist + above].point(t), inner = profile[body - above].point(1 - t);
      EXPECT_NEAR((outer - inner).norm(), request.thickness_m, 1e-12);
    }
  for (std::size_t i = waist; i < body; ++i) {
    const Vec2 end = profile[i].point(1), start = profile[i + 1].point(0);
    const Vec2 before = end - profile[i].point(1 - 1e-6), after = profile[i + 1].point(1e-6) - start;
    EXPECT_LT((end - start).norm(), 1e-12);
    EXPECT_GT(before.normalized().dot(after.normalized()), 1 - 1e-9);
  }
}

TEST(Shape, AnAmphoraThatCannotBeMadeIsNamed) {
  auto message = [](auto change) -> std::string {
    Request request = request_of(ShapeKind::amphora);
    change(request);
    try {
      require_valid_shape(request);
    } catch (const core::Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message([](Request& r) { r.tube_radius_m = 0.1; }), ::testing::HasSubstr("tube_radius_m"));
  EXPECT_THAT(message([](Request& r) { r.thickness_m = 0.04; }), ::testing::HasSubstr("thickness_m"));
  EXPECT_THAT(message([](Request& r) { r.tube_radius_m = 0.01; }), ::testing::HasSubstr("thickness_m"));
  EXPECT_THAT(message([](Request& r) { r.length_m = 0.3; }), ::testing::HasSubstr("length_m = 0.3 is too short"));
}

TEST(Shape, LayersAndCurvatureLimitTheEdge) {
  Request request = request_of(ShapeKind::slab);
  EXPECT_TRUE(std::isinf(largest_edge_m(request)));
  request.layers = 4;
  EXPECT_DOUBLE_EQ(largest_edge_m(request), 0.025);
  EXPECT_DOUBLE_EQ(largest_edge_m(request_of(ShapeKind::bowl)), std::sqrt(2 * 0.15 * 0.02));
}

TEST(Shape, ContradictoryDimensionsAreNamed) {
  Request request = request_of(ShapeKind::hollow_ball);
  request.thickness_m = 0.2;
  try {
    (void)make_shape(request, 0.02);
    FAIL() << "thickness above the radius was accepted";
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), ::testing::AllOf(::testing::HasSubstr("thickness_m"), ::testing::HasSubstr("radius_m")));
  }
  request = request_of(ShapeKind::box);
  request.size.y() = -1;
  EXPECT_THROW((void)make_shape(request, 0.1), core::Error);
  request = request_of(ShapeKind::bowl);
  request.opening_angle_rad = 3.1;
  EXPECT_THROW((void)make_shape(request, 0.02), core::Error);
}

}  // namespace
}  // namespace brisance::mesh
