// Solids given by triangles: distance, sign, volume integrals; the hierarchy against a loop over all triangles.
#include "brisance/contact/shapes/shape_kinds.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"

#include "contact/box_tree.hpp"
#include "contact/shapes/rigid_triangle.hpp"
#include "support/rigid_meshes.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using test::ClosedSurface;

constexpr std::uint64_t kSeed = 21;

Vec3 random_vector(std::uint64_t id) {
  return 2 * Vec3(core::hash_uniform(kSeed, id, 0), core::hash_uniform(kSeed, id, 1),
                  core::hash_uniform(kSeed, id, 2)) -
         Vec3::Ones();
}

Eigen::Quaterniond some_turn() { return Eigen::Quaterniond(0.3, -0.5, 0.7, 0.2).normalized(); }

NearestPoint nearest_of_all(const RigidMesh& mesh, const Vec3& point) {
  NearestPoint best;
  best.distance_squared = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < mesh.triangles().size(); ++t) {
    const auto& [a, b, c] = mesh.triangles()[t];
    const TrianglePoint on = nearest_of_triangle(mesh.vertices()[a], mesh.vertices()[b], mesh.vertices()[c], point);
    const double squared = (point - on.point).squaredNorm();
    if (squared < best.distance_squared) best = {static_cast<std::int32_t>(t), on, squared};
  }
  return best;
}

/// Sum of the triangles' solid angles over 4π: 1 inside, 0 outside (Van Oosterom and Strackee).
double winding_number(const RigidMesh& mesh, const Vec3& point) {
  double sum = 0;
  for (const auto& [i, j, k] : mesh.triangles()) {
    const Vec3 a = mesh.vertices()[i] - point, b = mesh.vertices()[j] - point, c = mesh.vertices()[k] - point;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (2 * std::numbers::pi);
}

/// Random points around the body, and points of equal distances: vertices, middles of edges, the centre, multiples of
/// them.
std::vector<Vec3> awkward_points(const RigidMesh& mesh, std::uint64_t random) {
  std::vector<Vec3> points{Vec3::Zero()};
  for (std::uint64_t id = 0; id < random; ++id) points.push_back(1.3 * mesh.reach() * random_vector(id));
  for (const auto& [a, b, c] : mesh.triangles()) {
    const Vec3 &x = mesh.vertices()[a], &y = mesh.vertices()[b];
    for (const double factor : {0.5, 1.0, 1.5}) {
      points.push_back(factor * x);
      points.push_back(factor * 0.5 * (x + y));
    }
    if (points.size() > 3 * random) break;
  }
  return points;
}

TEST(RigidMesh, HierarchyFindsTheBitsOfAllTriangles) {
  for (const ClosedSurface& surface :
       {test::block({1, 0.6, 0.4}), test::ball(0.5, 4), test::thorny_ball(0.5, 4, 3), test::step(1, 0.2)}) {
    const auto mesh = surface.solid();
    int ties = 0;
    for (const Vec3& point : awkward_points(*mesh, 2000)) {
      const NearestPoint found = mesh->nearest(point), expected = nearest_of_all(*mesh, point);
      ASSERT_EQ(found.triangle, expected.triangle) << "seed " << kSeed << ", " << point.transpose();
      ASSERT_EQ(found.distance_squared, expected.distance_squared);
      ASSERT_EQ(found.on.point, expected.on.point);
      ties += found.on.part != TrianglePart::inside ? 1 : 0;
    }
    EXPECT_GT(ties, 100);
  }
}

TEST(RigidMesh, BlockHasTheDistanceOfTheBox) {
  ColliderParameters box;
  box.shape = ColliderShape::box;
  box.size = Vec3(1.0, 0.6, 0.4);
  const ColliderParameters block = test::mesh_collider(test::block(box.size));
  const Vec3 place(0.1, -0.2, 0.05);
  const PlacedShape analytic = placed_shape(box, place, some_turn()), mesh = placed_shape(block, place, some_turn());
  int inside = 0;
  for (std::uint64_t id = 0; id < 20000; ++id) {
    const Vec3 point = place + random_vector(id);
    const SurfaceDistance a = signed_distance(analytic, point), b = signed_distance(mesh, point);
    ASSERT_NEAR(a.distance, b.distance, 1e-15) << id;
    ASSERT_NEAR((a.normal - b.normal).norm(), 0, 1e-8) << id;  // 1e-16 over the distance
    inside += a.distance < 0 ? 1 : 0;
  }
  EXPECT_GT(inside, 400);
}

TEST(RigidMesh, BallIsTheSphereUpToItsChords) {
  const double radius = 0.5;
  double coarser_sag = 0;
  for (const int halvings : {3, 4, 5}) {
    const auto mesh = test::ball(radius, halvings).solid();
    double sag = 0;  // of the flattest place of a triangle below the sphere
    for (const auto& [a, b, c] : mesh->triangles())
      sag = std::max(sag, radius - ((mesh->vertices()[a] + mesh->vertices()[b] + mesh->vertices()[c]) / 3).norm());
    if (coarser_sag > 0) {
      EXPECT_NEAR(coarser_sag / sag, 4, 0.1);  // second order
    }
    coarser_sag = sag;
    Vec3 normal;
    for (std::uint64_t id = 0; id < 2000; ++id) {
      const Vec3 point = random_vector(id);
      const double distance = mesh->signed_distance(point, normal);
      EXPECT_LE(distance, point.norm() - radius + sag + 1e-14);
      EXPECT_GE(distance, point.norm() - radius - 1e-14);
      if (point.norm() > 0.1) {
        EXPECT_GT(normal.dot(point.normalized()), 1 - 4 * std::pow(4.0, -halvings));
      }
    }
  }
}

TEST(RigidMesh, SignIsThatOfTheWindingNumber) {
  for (const ClosedSurface& surface : {test::thorny_ball(0.5, 3, 8), test::step(0.5, 0.2)}) {
    const auto mesh = surface.solid();
    Vec3 normal;
    int inside = 0;
    for (const Vec3& point : awkward_points(*mesh, 4000)) {
      const double distance = mesh->signed_distance(point, normal);
      if (std::abs(distance) < 1e-12) continue;  // on the surface itself
      ASSERT_EQ(distance<0, winding_number(*mesh, point)> 0.5) << "seed " << kSeed << ", " << point.transpose();
      inside += distance < 0 ? 1 : 0;
    }
    EXPECT_GT(inside, 200);
  }
}

TEST(RigidMesh, NormalIsTheGradientOfTheDistance) {
  const ColliderParameters thorns = test::mesh_collider(test::thorny_ball(0.5, 3, 5));
  const PlacedShape shape = placed_shape(thorns, Vec3(0.1, 0.2, 0.3), some_turn());
  int smooth = 0;
  for (std::uint64_t id = 0; id < 500; ++id) {
    const Vec3 point = shape.centre + random_vector(id);
    const double step = 1e-7;
    const auto gradient_by = [&](double h) {
      Vec3 gradient;
      for (int k = 0; k < 3; ++k)
        gradient[k] = (signed_distance(shape, point + h * Vec3::Unit(k)).distance -
                       signed_distance(shape, point - h * Vec3::Unit(k)).distance) /
                      (2 * h);
      return gradient;
    };
    const Vec3 gradient = gradient_by(step);
    if (std::abs(gradient.norm() - 1) > 1e-6) continue;  // equally near to two sides: no gradient
    ++smooth;
    EXPECT_NEAR((gradient - signed_distance(shape, point).normal).norm(), 0, 1e-5) << id;
  }
  EXPECT_GT(smooth, 490);
}

TEST(RigidMesh, TheTableOfTheOutsideHidesNoInside) {
  for (const ClosedSurface& surface : {test::thorny_ball(0.5, 3, 5), test::step(0.5, 0.4), test::block({1, 1, 0.01})}) {
    const auto mesh = surface.solid();
    const Vec3 size = mesh->bounds().high - mesh->bounds().low;
    Vec3 normal;
    int spared = 0, outside = 0;
    for (std::uint64_t id = 0; id < 20000; ++id) {
      const Vec3 point = mesh->bounds().low + 0.5 * (random_vector(id) + Vec3::Ones()).cwiseProduct(size);
      const bool is_outside = mesh->signed_distance(point, normal) > 0, may_be_inside = mesh->may_hold(point);
      ASSERT_TRUE(is_outside || may_be_inside) << id;
      outside += is_outside ? 1 : 0;
      spared += may_be_inside ? 0 : 1;
    }
    EXPECT_GE(spared, 0.8 * outside);
    for (const Vec3& x : mesh->vertices()) EXPECT_TRUE(mesh->may_hold(x));
    EXPECT_FALSE(mesh->may_hold(mesh->bounds().high + 1e-9 * size));
  }
}

TEST(RigidMesh, VolumeIntegralsOfBlockBallAndTurnedBlock) {
  ColliderParameters box;
  box.shape = ColliderShape::box;
  box.size = Vec3(1.0, 0.6, 0.4);
  box.mass_kg = 3;
  ClosedSurface shifted = test::block(box.size);
  for (Vec3& x : shifted.vertices) x += Vec3(7, -3, 2);
  ColliderParameters block = test::mesh_collider(shifted);
  block.mass_kg = 3;
  EXPECT_NEAR(make_shape(block)->volume(), 0.24, 1e-14);
  EXPECT_NEAR((block.mesh.mesh->centre_in_file() - Vec3(7, -3, 2)).norm(), 0, 1e-14);
  EXPECT_NEAR(
      (make_shape(block)->inertia(block.mass_kg).principal - make_shape(box)->inertia(box.mass_kg).principal).norm(), 0,
      1e-14);
  EXPECT_EQ(make_shape(block)->inertia(block.mass_kg).axes, Mat3::Identity());

  ClosedSurface turned = test::block(box.size);
  for (Vec3& x : turned.vertices) x = some_turn() * x;
  ColliderParameters oblique = test::mesh_collider(turned);
  oblique.mass_kg = 3;
  const Inertia found = make_shape(oblique)->inertia(oblique.mass_kg);
  const Mat3 tensor = found.axes * found.principal.asDiagonal() * found.axes.transpose();
  const Mat3 turn = some_turn().toRotationMatrix();
  EXPECT_NEAR((tensor - turn * make_shape(box)->inertia(box.mass_kg).principal.asDiagonal() * turn.transpose()).norm(),
              0, 1e-14);
  EXPECT_NEAR(found.axes.determinant(), 1, 1e-14);

  ColliderParameters round = test::mesh_collider(test::ball(0.5, 6));
  round.mass_kg = 2;
  EXPECT_NEAR(make_shape(round)->volume(), 4 * std::numbers::pi / 3 * 0.125, 1e-3);
  EXPECT_NEAR(make_shape(round)->inertia(round.mass_kg).principal.x(), 0.4 * 2 * 0.25, 1e-3);
}

TEST(RigidMesh, OverlapTestNeverMissesASharedPoint) {
  const ColliderParameters thorns = test::mesh_collider(test::thorny_ball(0.4, 2, 5));
  const PlacedShape fixed = placed_shape(thorns, Vec3::Zero(), some_turn());
  ColliderParameters ball, plane;
  ball.shape = ColliderShape::sphere;
  ball.radius_m = 0.3;
  plane.normal = Vec3(1, 2, -2);
  int shared = 0;
  for (std::uint64_t id = 0; id < 300; ++id) {
    const Vec3 place = random_vector(id);
    const Eigen::Quaterniond turn = Eigen::Quaterniond(Eigen::AngleAxisd(id, random_vector(id + 1).normalized()));
    for (const ColliderParameters* p : {&thorns, &std::as_const(ball), &std::as_const(plane)}) {
      const PlacedShape other = placed_shape(*p, place, turn);
      for (std::uint64_t k = 0; k < 50; ++k) {
        const Vec3 point = 0.5 * random_vector(1000 + k);
        if (signed_distance(fixed, point).distance >= 0 || signed_distance(other, point).distance >= 0) continue;
        ++shared;
        EXPECT_TRUE(may_overlap(fixed, other) && may_overlap(other, fixed));
      }
    }
  }
  EXPECT_GT(shared, 100);
  EXPECT_FALSE(may_overlap(fixed, placed_shape(ball, Vec3(1, 0, 0), some_turn())));
  EXPECT_FALSE(may_overlap(fixed, placed_shape(plane, Vec3(-1, -2, 2), Eigen::Quaterniond::Identity())));
}

std::string refusal(const ClosedSurface& surface) {
  try {
    static_cast<void>(surface.solid());
  } catch (const core::Error& e) {
    return e.what();
  }
  return "";
}

TEST(RigidMesh, WhatBoundsNoSolidIsRefused) {
  ClosedSurface open = test::block({1, 1, 1}), turned = open, inward = open, flat = open, doubled = open;
  open.triangles.pop_back();
  std::swap(turned.triangles[3][0], turned.triangles[3][1]);
  for (auto& t : inward.triangles) std::swap(t[0], t[1]);
  for (Vec3& x : flat.vertices) x.z() = 0;
  doubled.triangles.push_back(doubled.triangles.front());
  EXPECT_THAT(refusal(open), testing::HasSubstr("open"));
  EXPECT_THAT(refusal(turned), testing::HasSubstr("no consistent outside"));
  EXPECT_THAT(refusal(inward), testing::HasSubstr("face inwards"));
  EXPECT_THAT(refusal(flat), testing::HasSubstr("flat"));
  EXPECT_THAT(refusal(doubled), testing::HasSubstr("more than two triangles"));
  EXPECT_THAT(refusal({}), testing::HasSubstr("no triangle"));
}

TEST(RigidMesh, SamplesAreAboutAsStiffAsTheCornersOfABoxHoweverFineTheMeshIs) {
  const auto block = test::block({1.0, 0.6, 0.4}).solid();
  for (std::size_t v = 0; v < 8; ++v) EXPECT_NEAR(block->samples()[v].weight, 1, 1e-12);
  Vec3 normal;
  for (const ClosedSurface& surface : {test::block({1, 1, 1}), test::ball(1, 2), test::ball(1, 5)}) {
    const auto mesh = surface.solid();
    double sum = 0;
    for (const SurfaceSample& s : mesh->samples()) {
      sum += s.weight;
      EXPECT_NEAR(mesh->signed_distance(s.point, normal), 0, 1e-15);
    }
    EXPECT_GT(sum, 7.9);
    EXPECT_LT(sum, 12.1);
  }
}

}  // namespace
}  // namespace brisance::contact
