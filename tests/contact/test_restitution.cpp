#include "contact/restitution.hpp"

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

// VALIDATION E1, to the digits printed there.
TEST(Restitution, HasTheNumbersOfAMassOnASpringThatDoesNotPull) {
  EXPECT_NEAR(restitution(0.05), 0.85876, 5e-6);
  EXPECT_NEAR(restitution(0.1), 0.74408, 5e-6);
  EXPECT_NEAR(restitution(0.2), 0.57174, 5e-6);
  EXPECT_NEAR(restitution(0.5), 0.29844, 5e-6);
}

TEST(Restitution, DampingIsItsInverse) {
  for (const double e : {0.2, 0.5, 0.9, 0.999}) EXPECT_NEAR(restitution(damping_ratio(e)), e, 1e-12);
  EXPECT_NEAR(damping_ratio(1), 0, 1e-15);
  EXPECT_NEAR(damping_ratio(0), 0.999, 1e-12);
}

}  // namespace
}  // namespace brisance::contact
