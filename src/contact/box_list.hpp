/// Boxes around points and boxes, and bounds in single precision.
#pragma once

#include "brisance/contact/box.hpp"
#include "brisance/core/types.hpp"

#include <cmath>
#include <limits>
#include <span>

namespace brisance::contact {

/// The nearest float that is not larger, and the nearest that is not smaller, than x.
[[nodiscard]] inline float below(double x) {
  const auto near = static_cast<float>(x);
  return near <= x ? near : std::nextafter(near, -std::numeric_limits<float>::infinity());
}
[[nodiscard]] inline float above(double x) { return -below(-x); }

/// Are the boxes at most `reach` apart along every axis?
[[nodiscard]] inline bool meet(const Box& a, const Box& b, double reach) {
  for (int k = 0; k < 3; ++k)
    if (a.low[k] > b.high[k] + reach || b.low[k] > a.high[k] + reach) return false;
  return true;
}

/// The smallest box around both.
[[nodiscard]] inline Box around(const Box& a, const Box& b) { return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)}; }

/// The smallest box around points; there must be one.
[[nodiscard]] inline Box box_around(std::span<const Vec3> points) {
  Box box{points.front(), points.front()};
  for (const Vec3& x : points) box = around(box, {x, x});
  return box;
}

}  // namespace brisance::contact
