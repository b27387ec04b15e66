/// Momentum, spin and energy of a body and of its pieces.
#include "brisance/rigid/world.hpp"

#include "boxes.hpp"

#include <gtest/gtest.h>

namespace brisance::rigid {
namespace {

TEST(Body, PiecesKeepMomentumSpinAndEnergyOfTheBody) {
  const BodyShape left = box({0.1, 0.2, 0.3}), right = box({0.25, 0.2, 0.3}, {0.1, 0, 0});
  const BodyShape whole = box({0.35, 0.2, 0.3});
  Motion motion = at({3, -1, 2}, {1, 2, -3});
  motion.orientation = Eigen::Quaterniond(0.3, 0.5, -0.2, 0.7).normalized();
  motion.angular_velocity = {5, -7, 11};
  const Motion l = motion_of_piece(motion, whole.centre, left.centre),
               r = motion_of_piece(motion, whole.centre, right.centre);
  const Vec3 about(0.3, 5, -2);
  const Momenta before = momenta(whole, motion, about);
  Momenta after = momenta(left, l, about);
  after += momenta(right, r, about);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-14 * before.linear_scale);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-14 * before.angular_scale);
  EXPECT_NEAR(after.energy, before.energy, 1e-14 * before.energy);
}

}  // namespace
}  // namespace brisance::rigid
