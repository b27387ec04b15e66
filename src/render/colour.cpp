#include "brisance/render/colour.hpp"

#include "brisance/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::render {

Rgb from_oklch(double lightness, double chroma, double hue_deg) {
  // OKLab (Ottosson 2020): Lab → cube roots of cone responses → cones → linear Rec. 709.
  const double hue = hue_deg * std::numbers::pi / 180;
  const double a = chroma * std::cos(hue), b = chroma * std::sin(hue);
  const Eigen::Array3d roots(lightness + 0.3963377774 * a + 0.2158037573 * b,
                             lightness - 0.1055613458 * a - 0.0638541728 * b,
                             lightness - 0.0894841775 * a - 1.2914855480 * b);
  const Eigen::Array3d cones = roots.cube();
  Eigen::Matrix3d to_rgb;
  to_rgb << 4.0767416621, -3.3077115913, 0.2309699292, -1.2684380046, 2.6097574011, -0.3413193965, -0.0041960863,
      -0.7034186147, 1.7076147010;
  return (to_rgb * cones.matrix()).array().max(0.0).min(1.0).cast<float>();
}

Rgb field_colour(double t) {
  const double s = std::clamp(t, 0.0, 1.0);
  const double lightness = 0.22 + 0.70 * s;
  const double chroma = 0.10 + 0.07 * s;
  const double hue_deg = 310 - 205 * std::pow(s, 0.85);
  return from_oklch(lightness, chroma, hue_deg);
}

Rgb distinct_colour(std::uint64_t key) {
  const double hue_deg = 360 * core::hash_uniform(7, key, 0);
  const double lightness = 0.56 + 0.18 * core::hash_uniform(7, key, 1);
  return from_oklch(lightness, 0.115, hue_deg);
}

float srgb_encoded(float linear) {
  const float x = std::clamp(linear, 0.0F, 1.0F);
  return x <= 0.0031308F ? 12.92F * x : 1.055F * std::pow(x, 1 / 2.4F) - 0.055F;
}

}  // namespace brisance::render
