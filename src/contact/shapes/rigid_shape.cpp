#include "brisance/contact/shapes/rigid_shape.hpp"

namespace brisance::contact {
namespace {

bool reaches(const PlacedShape& half_space, const PlacedShape& other) {
  const Extent extent = other.shape->extent(other, half_space.shape->half_space(half_space)->normal);
  return signed_distance(half_space, extent.middle).distance < extent.half;
}

}  // namespace

bool may_overlap(const PlacedShape& a, const PlacedShape& b) {
  const bool a_is_bounded = is_bounded(a), b_is_bounded = is_bounded(b);
  if (!a_is_bounded) return !b_is_bounded || reaches(a, b);
  if (!b_is_bounded) return reaches(b, a);
  return (a.centre - b.centre).norm() < reach(a) + reach(b) && a.shape->may_hold_part_of(a, b) &&
         b.shape->may_hold_part_of(b, a);
}

}  // namespace brisance::contact
