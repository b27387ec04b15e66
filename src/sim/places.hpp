/// Tests of points against simple shapes; any struct of parameters that has the shape's members will do.
#pragma once

#include "brisance/core/types.hpp"

#include <cmath>

namespace brisance::sim {

/// `box` has low and high, its corners.
[[nodiscard]] bool in_box(const auto& box, const Vec3& x) {
  return (x.array() >= box.low.array()).all() && (x.array() <= box.high.array()).all();
}

/// `sphere` has centre and radius_m.
[[nodiscard]] bool in_sphere(const auto& sphere, const Vec3& x) {
  return (x - sphere.centre).squaredNorm() <= sphere.radius_m * sphere.radius_m;
}

/// `half_space` has centre, a point on its plane, and the outward normal.
[[nodiscard]] bool in_half_space(const auto& half_space, const Vec3& x) {
  return (x - half_space.centre).dot(half_space.normal) <= 0;
}

/// `torus` has centre, normal along its axis, radius_m of the circle in its middle, and tube_radius_m.
[[nodiscard]] bool in_torus(const auto& torus, const Vec3& x) {
  const Vec3 axis = torus.normal.normalized(), from_centre = x - torus.centre;
  const double along = from_centre.dot(axis), across = (from_centre - along * axis).norm();
  return std::hypot(along, across - torus.radius_m) <= torus.tube_radius_m;
}

/// `cylinder` has from and to, the ends of its axis, and radius_m.
[[nodiscard]] bool in_cylinder(const auto& cylinder, const Vec3& x) {
  const Vec3 axis = cylinder.to - cylinder.from, from_end = x - cylinder.from;
  const double along = from_end.dot(axis) / axis.squaredNorm();
  return along >= 0 && along <= 1 && (from_end - along * axis).squaredNorm() <= cylinder.radius_m * cylinder.radius_m;
}

}  // namespace brisance::sim
