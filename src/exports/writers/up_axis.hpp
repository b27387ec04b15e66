/// Turns the world, whose z is up, for programs whose y is up.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/exports/export.hpp"

#include <Eigen/Geometry>

namespace brisance::exports {

[[nodiscard]] inline Vec3 turned(const Vec3& v, Up up) { return up == Up::z ? v : Vec3(v.x(), v.z(), -v.y()); }

/// A rotation of the turned world: of a body whose own axes are turned likewise.
[[nodiscard]] inline Eigen::Quaterniond turned(const Eigen::Quaterniond& q, Up up) {
  return up == Up::z ? q : Eigen::Quaterniond(q.w(), q.x(), q.z(), -q.y());
}

}  // namespace brisance::exports
