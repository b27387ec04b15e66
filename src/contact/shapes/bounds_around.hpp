/// Bounding boxes that rounding does not make too small.
#pragma once

#include "brisance/contact/box.hpp"
#include "brisance/contact/shapes/rigid_shape.hpp"

namespace brisance::contact {

/// The box of half edge lengths `half` about `middle`, of a body at a pose: rounding may leave the computed box a hair
/// too small; a part in 10^12 of the numbers involved is ample.
[[nodiscard]] inline Box bounds_around(const Vec3& middle, Vec3 half, const Pose& at) {
  half.array() += 1e-12 * (half.sum() + at.centre.cwiseAbs().sum());
  return {middle - half, middle + half};
}

/// A point in the frame of the body.
[[nodiscard]] inline Vec3 in_body(const Pose& at, const Vec3& point) {
  return at.axes.transpose() * (point - at.centre);
}

}  // namespace brisance::contact
