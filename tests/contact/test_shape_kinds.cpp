// Every kind of the table of collider shapes: names, keys, and mass properties and surfaces against its distance.
#include "brisance/contact/shapes/rigid_mesh.hpp"
#include "brisance/contact/shapes/shape_kinds.hpp"
#include "brisance/core/random.hpp"

#include "support/rigid_meshes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <variant>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

Vec3 random_vector(std::uint64_t id) {
  constexpr std::uint64_t kSeed = 11;
  return 2 * Vec3(core::hash_uniform(kSeed, id, 0), core::hash_uniform(kSeed, id, 1),
                  core::hash_uniform(kSeed, id, 2)) -
         Vec3::Ones();
}

/// A collider of a kind with values for all keys.
ColliderParameters example(std::size_t kind) {
  ColliderParameters p;
  if (shape_kinds()[kind]->reads_file) p = test::mesh_collider(test::thorny_ball(0.4, 2, 5));
  p.shape = static_cast<ColliderShape>(kind);
  for (const ShapeKey& key : shape_kinds()[kind]->keys)
    if (const auto* length = std::get_if<double ColliderParameters::*>(&key.member)) p.*(*length) = 0.3;
  p.size = Vec3(1.0, 0.6, 0.4);
  return p;
}

class Kinds : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(All, Kinds, testing::Range(std::size_t{0}, shape_kinds().size()),
                         [](const auto& kind) { return std::string(shape_kinds()[kind.param]->name); });

TEST(ShapeKinds, NamesAreDistinctAndKeysOfOneNameAreOneMember) {
  std::set<std::string> names;
  std::map<std::string, decltype(ShapeKey::member)> members;
  for (const ShapeKind* kind : shape_kinds()) {
    EXPECT_TRUE(names.insert(kind->name).second) << kind->name;
    for (const ShapeKey& key : kind->keys) EXPECT_EQ(members.emplace(key.name, key.member).first->second, key.member);
  }
}

TEST_P(Kinds, DefaultsAreRefusedByAKeyOfTheKindAndTheExampleIsNot) {
  const ShapeKind& kind = *shape_kinds()[GetParam()];
  EXPECT_FALSE(kind.fault(example(GetParam())));
  if (kind.reads_file) return;  // its keys are checked with the file
  ColliderParameters bare;
  bare.shape = static_cast<ColliderShape>(GetParam());
  bare.normal = Vec3::Zero();
  const auto fault = kind.fault(bare);
  ASSERT_TRUE(fault);
  EXPECT_TRUE(std::ranges::any_of(kind.keys, [&](const ShapeKey& key) { return fault->key == std::string(key.name); }));
}

// Sums over a grid of points: the surface cuts about 6/n of its cells, with errors that mostly cancel.
TEST_P(Kinds, VolumeAndInertiaAreThoseOfTheInside) {
  const ColliderParameters p = example(GetParam());
  const PlacedShape shape = placed_shape(p, Vec3::Zero(), Eigen::Quaterniond::Identity());
  if (!is_bounded(shape)) return;
  constexpr int kPoints = 60;
  const Box box = bounds(shape);
  const Vec3 cell = (box.high - box.low) / kPoints;
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (int i = 0; i < kPoints; ++i)
    for (int j = 0; j < kPoints; ++j)
      for (int k = 0; k < kPoints; ++k) {
        const Vec3 x = box.low + (Vec3(i, j, k).array() + 0.5).matrix().cwiseProduct(cell);
        if (!(distance_inside(shape, x).distance < 0)) continue;
        volume += cell.prod();
        first += cell.prod() * x;
        second += cell.prod() * x * x.transpose();
      }
  EXPECT_NEAR(shape.shape->volume(), volume, 0.01 * volume);
  EXPECT_NEAR(first.norm(), 0, 0.01 * volume * reach(shape));
  const Mat3 tensor = second.trace() * Mat3::Identity() - second;
  const Inertia inertia = shape.shape->inertia(volume);
  const Mat3 found = inertia.axes * inertia.principal.asDiagonal() * inertia.axes.transpose();
  EXPECT_NEAR((found - tensor).norm(), 0, 0.02 * tensor.norm());
}

TEST_P(Kinds, ExtentsAndReachHoldEveryInsidePoint) {
  const PlacedShape shape =
      placed_shape(example(GetParam()), Vec3(0.1, -0.2, 0.05), Eigen::Quaterniond(0.3, -0.5, 0.7, 0.2).normalized());
  if (!is_bounded(shape)) return;
  const Box box = bounds(shape);
  const Vec3 direction = Vec3(1, -2, 0.7).normalized();
  const Extent extent = shape.shape->extent(shape, direction);
  int inside = 0;
  for (std::uint64_t id = 0; id < 20000; ++id) {
    const Vec3 x = shape.centre + 1.2 * reach(shape) * random_vector(id);
    if (signed_distance(shape, x).distance >= 0) continue;
    ++inside;
    ASSERT_LT((x - shape.centre).norm(), reach(shape));
    ASSERT_LT(std::abs(direction.dot(x - extent.middle)), extent.half);
    ASSERT_TRUE((x.array() > box.low.array()).all() && (x.array() < box.high.array()).all());
  }
  EXPECT_GT(inside, 200);
}

// Frames have three numbers of planes, spheres and boxes, and triangles of every other shape (docs/FORMAT.md).
TEST_P(Kinds, SurfaceInFramesIsClosedAndThatOfTheSolid) {
  const PlacedShape shape = placed_shape(example(GetParam()), Vec3::Zero(), Eigen::Quaterniond::Identity());
  const ShapeSurface surface = shape.shape->surface_in_frame();
  const std::string name = shape_kinds()[GetParam()]->name;
  ASSERT_EQ(surface.triangles.empty(), name == "plane" || name == "sphere" || name == "box");
  if (surface.triangles.empty()) return;
  for (const Vec3& x : surface.vertices) EXPECT_NEAR(signed_distance(shape, x).distance, 0, 1e-14);
  const RigidMesh solid(surface.vertices, surface.triangles);  // throws unless closed and outward
  EXPECT_LE(solid.volume_m3(), shape.shape->volume() * (1 + 1e-12));
  EXPECT_GT(solid.volume_m3(), 0.98 * shape.shape->volume());  // chords below the arcs
  EXPECT_NEAR(
      (shape.shape->size_in_frame(Eigen::Quaterniond::Identity()) - (solid.bounds().high - solid.bounds().low)).norm(),
      0, 0.01 * reach(shape));
}

}  // namespace
}  // namespace brisance::contact
