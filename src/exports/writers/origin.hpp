/// A point near an object, for formats with single precision.
#pragma once

#include "brisance/core/types.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace brisance::exports {

/// The world's origin, or a rounded point amid the box where that is more than a hundred of its diagonals away [m].
[[nodiscard]] inline Vec3 chosen_origin(const Eigen::AlignedBox3d& box) {
  if (box.isEmpty()) return Vec3::Zero();
  const double farthest = std::max(box.min().cwiseAbs().maxCoeff(), box.max().cwiseAbs().maxCoeff());
  const double size = box.diagonal().norm();
  if (farthest <= 100 * size || !(size > 0)) return Vec3::Zero();
  const double step = std::exp2(std::ceil(std::log2(size)));
  return step * (box.center() / step).array().round();
}

}  // namespace brisance::exports
