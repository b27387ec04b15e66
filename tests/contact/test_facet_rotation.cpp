/// The couple on a facet has no resultant and the wanted moment; spin is conjugate to it.
#include "contact/surface/facet_rotation.hpp"

#include <array>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

const FacetCorners kCorners{Vec3(0.1, 0.2, -0.3), Vec3(1.3, 0.1, 0.2), Vec3(0.4, 0.9, 0.5)};

TEST(FacetRotation, ACoupleHasItsMomentAboutAnyPointAndNoResultant) {
  const Vec3 moment(0.3, -2, 0.7);
  const std::array<Vec3, 3> force = couple(kCorners, moment);
  for (const Vec3& about : {Vec3(0, 0, 0), Vec3(5, -3, 2)}) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k) sum += (kCorners[k] - about).cross(force[k]);
    EXPECT_LT((sum - moment).norm(), 1e-13);
  }
  EXPECT_LT((force[0] + force[1] + force[2]).norm(), 1e-14);
}

TEST(FacetRotation, SpinIsThatOfARigidRotationAndConjugateToTheCouple) {
  const Vec3 spin(1, -0.4, 2), moment(-0.2, 0.1, 0.9);
  std::array<Vec3, 3> rigid, any{Vec3(1, 2, 3), Vec3(-1, 0.5, 0), Vec3(0.2, 0, -2)};
  for (std::size_t k = 0; k < 3; ++k) rigid[k] = Vec3(7, 8, 9) + spin.cross(kCorners[k]);
  EXPECT_LT((spin_of(kCorners, rigid) - spin).norm(), 1e-13);
  const std::array<Vec3, 3> force = couple(kCorners, moment);
  double power = 0;
  for (std::size_t k = 0; k < 3; ++k) power += force[k].dot(any[k]);
  EXPECT_NEAR(power, moment.dot(spin_of(kCorners, any)), 1e-13);
}

// Corners in a line have no inertia about it: the part of the moment across the line remains.
TEST(FacetRotation, CornersInALineTakeTheMomentAcrossIt) {
  const FacetCorners line{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(3, 0, 0)};
  const std::array<Vec3, 3> force = couple(line, Vec3(5, 2, 0));
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < 3; ++k) sum += line[k].cross(force[k]);
  EXPECT_LT((sum - Vec3(0, 2, 0)).norm(), 1e-12);
}

}  // namespace
}  // namespace brisance::contact
