/// Quantities of an element that follow from its rest shape alone.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <span>

namespace brisance::elements {

struct RestShape {
  std::array<Vec3, 3> gradient;          ///< ∇b of corners b, c, d [1/m]; that of a is minus their sum
  double volume = 0;                     ///< [m³]; not positive for an inverted or flat element
  double inverse_altitudes_squared = 0;  ///< Σ 1/h_i² over the four altitudes [1/m²] (step bound, VALIDATION A8)
  double smallest_altitude = 0;          ///< [m]
};

/// A pure function of the four rest positions in this order: the same bits wherever it is called.
[[nodiscard]] RestShape rest_shape(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Smallest of the four altitudes alone [m].
[[nodiscard]] double smallest_altitude(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace brisance::elements
