/// A tumbling body against its closed form.
#include "brisance/rigid/world.hpp"

#include "boxes.hpp"

#include <gtest/gtest.h>

namespace brisance::rigid {
namespace {

TEST(AngularMomentum, ATumblingSymmetricTopFollowsItsClosedFormAndKeepsItsAngularMomentum) {
  WorldParameters p = weightless(0.1);
  p.keeps_angular_momentum = true;
  const BodyShape shape = box({0.1, 0.1, 0.3});
  const Vec3 moments = shape.inertia.diagonal();
  Motion start = at({0, 0, 0});
  start.angular_velocity = {3, 1, 7};
  const Vec3 momentum = moments.cwiseProduct(start.angular_velocity);
  // The axis e₃ goes round L with |L|/I₁, the body round e₃ with ω₃ (1 − I₃/I₁).
  const double time_s = 1;
  const Eigen::Quaterniond exact =
      Eigen::AngleAxisd(momentum.norm() / moments[0] * time_s, momentum.normalized()) *
      Eigen::AngleAxisd(start.angular_velocity.z() * (1 - moments[2] / moments[0]) * time_s, Vec3::UnitZ());
  double last = 0;
  for (const int steps : {480, 960, 1920}) {
    World world(p);
    const BodyNumber body = world.add_body(shape, start);
    for (int i = 0; i < steps; ++i) world.step(time_s / steps);
    const Motion now = world.motion(body);
    const Momenta m = momenta(shape, now, Vec3::Zero());
    EXPECT_LT((m.angular - momentum).norm(), 1e-12 * momentum.norm());
    EXPECT_NEAR(m.energy / momenta(shape, start, Vec3::Zero()).energy, 1, 1e-4);
    const double error = now.orientation.angularDistance(exact);
    if (last > 0) {
      EXPECT_NEAR(error / last, 0.25, 0.03) << "second order";
    }
    last = error;
  }
  EXPECT_LT(last, 1e-4);
}

}  // namespace
}  // namespace brisance::rigid
