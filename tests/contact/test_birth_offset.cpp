#include "brisance/core/random.hpp"

#include "mass_points.hpp"

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using testing::MassPoints;

ColliderParameters ball_of_one_metre() {
  ColliderParameters p;
  p.name = "ball";
  p.shape = ColliderShape::sphere;
  p.radius_m = 1;
  p.damping_ratio = 0;
  p.friction = 0;
  return p;
}

TEST(BirthOffset, IsTheSagOfAChordOfTheBall) {
  const RigidColliders colliders({ball_of_one_metre()});
  // both ends touch the surface; the middle of the chord lies 1 − cos 0.4 inside
  const EdgeEnd a{Vec3(std::sin(0.4), 0, std::cos(0.4))}, b{Vec3(-std::sin(0.4), 0, std::cos(0.4))};
  const Vec3 middle = 0.5 * (a.position + b.position);
  EXPECT_NEAR(offset_at_birth(colliders, middle, 0.5, a, b), 1 - std::cos(0.4), 1e-15);
  // ends that penetrate the body share their depth
  const EdgeEnd pressed{0.99 * a.position}, pressed_offset{0.99 * b.position, 0.004};
  const Vec3 between = 0.75 * pressed.position + 0.25 * pressed_offset.position;
  EXPECT_NEAR(offset_at_birth(colliders, between, 0.25, pressed, pressed_offset),
              1 - between.norm() - (0.75 * 0.01 + 0.25 * 0.006), 1e-15);
  // outside the body the offset is zero
  EXPECT_EQ(offset_at_birth(colliders, Vec3(0, 0, 2), 0.5, {Vec3(0, 1, 2)}, {Vec3(0, -1, 2)}), 0);
}

// On a plane depth is linear along an edge, so contact offsets of births are never more than round-off.
TEST(BirthOffset, IsZeroOnAPlaneThatHoldsBothEnds) {
  ColliderParameters plane;
  plane.name = "ground";
  const RigidColliders colliders({plane});
  const EdgeEnd a{Vec3(0, 0, -0.01)}, b{Vec3(1, 0, -0.03)};
  EXPECT_LT(offset_at_birth(colliders, 0.3 * a.position + 0.7 * b.position, 0.7, a, b), 1e-16);
}

// Splitting an edge moves mass from its ends to the new node; no such birth may add contact energy.
TEST(BirthOffset, NoBirthAddsContactEnergy) {
  const RigidColliders colliders({ball_of_one_metre()});
  constexpr std::uint64_t seed = 3;
  for (std::uint64_t id = 0; id < 2000; ++id) {
    const auto uniform = [&](std::uint64_t k) { return core::hash_uniform(seed, id, k); };
    const auto place = [&](std::uint64_t k) -> Vec3 { return Vec3(uniform(k), uniform(k + 1), uniform(k + 2)) * 0.8; };
    const EdgeEnd a{place(0), 0.1 * uniform(6)}, b{place(3), 0.1 * uniform(7)};
    const double t = uniform(8), moved = 0.2 * uniform(9);
    MassPoints before, after;
    for (MassPoints* points : {&before, &after}) {
      const double lost = points == &after ? moved : 0;
      points->offset[points->add(a.position, Vec3::Zero(), 1 - (1 - t) * lost, 1000)] = a.offset;
      points->offset[points->add(b.position, Vec3::Zero(), 1 - t * lost, 1000)] = b.offset;
    }
    const Vec3 born = (1 - t) * a.position + t * b.position;
    after.offset[after.add(born, Vec3::Zero(), moved, 1000)] = offset_at_birth(colliders, born, t, a, b);
    const double energy = colliders.stored_energy(before.view(), before.offset).value();
    EXPECT_LE(colliders.stored_energy(after.view(), after.offset).value(), energy * (1 + 1e-13)) << seed << ' ' << id;
  }
}

TEST(BirthOffset, ShrinksWithTheDepthAndIsForgottenOutside) {
  RigidColliders colliders({ball_of_one_metre()});
  MassPoints points;
  const auto i = points.add(Vec3(0, 0, 0.9), Vec3::Zero(), 1, 1000);
  points.offset[i] = 0.08;
  const auto force_at = [&](double height) {
    points.motion[i].position[2] = height;
    points.find_forces(colliders, 1e-5, Vec3::Zero());
    return points.force(i).z();
  };
  EXPECT_NEAR(force_at(0.9), 1e6 * (0.1 - 0.08), 1e-6);
  EXPECT_EQ(points.offset[i], 0.08);
  EXPECT_EQ(force_at(0.97), 0);
  EXPECT_NEAR(points.offset[i], 0.03, 1e-15);
  EXPECT_NEAR(force_at(0.9), 1e6 * (0.1 - 0.03), 1e-6);
  EXPECT_EQ(force_at(0.999), 0);
  EXPECT_EQ(force_at(1.5), 0);
  EXPECT_EQ(points.offset[i], 0);
}

}  // namespace
}  // namespace brisance::contact
