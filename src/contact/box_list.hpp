/// Axis-aligned boxes in single precision.
#pragma once

#include "brisance/core/types.hpp"

#include <cmath>
#include <limits>

namespace brisance::contact {

/// [m].
struct Box {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
};

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

}  // namespace brisance::contact
