/// Colours for materials that have only a name.
#pragma once

#include "brisance/core/types.hpp"

#include <cmath>
#include <cstddef>

namespace brisance::exports {

/// In linear light: of cracks that of pale clay, of the first material that of fired clay, of others different hues.
/// @param count  number of materials; the last is that of cracks
[[nodiscard]] inline Vec3 material_colour(std::size_t material, std::size_t count) {
  if (material + 1 == count) return {0.70, 0.60, 0.45};
  if (material == 0) return {0.40, 0.15, 0.075};
  constexpr double kGolden = 0.6180339887498949;
  const double hue = std::fmod(static_cast<double>(material) * kGolden, 1.0);
  Vec3 colour;
  for (int k = 0; k < 3; ++k) colour[k] = 0.15 + 0.4 * std::pow(std::cos(3.14159265358979 * (hue - k / 3.0)), 2);
  return colour;
}

}  // namespace brisance::exports
