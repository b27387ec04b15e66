/// Colours: linear-light RGB internally, OKLab for choosing them, sRGB in files only.
#pragma once

#include <cstdint>

#include <Eigen/Dense>

namespace brisance::render {

using Vec3f = Eigen::Vector3f;
/// Linear-light Rec. 709 red, green, blue; an albedo or a radiance, 1 is a white Lambert surface in white light.
using Rgb = Eigen::Array3f;

/// OKLab colour by lightness (0 black … 1 white), chroma (0 grey … about 0.3) and hue [degrees], clipped to the sRGB
/// gamut.
[[nodiscard]] Rgb from_oklch(double lightness, double chroma, double hue_deg);

/// Colour map for a field: 0 ≤ t ≤ 1 from dark violet over teal to light yellow, lightness linear in t (so that it also
/// works in grey). Values outside are clamped.
[[nodiscard]] Rgb field_colour(double t);

/// A distinct colour for each key (equal keys, equal colours), all of similar lightness.
[[nodiscard]] Rgb distinct_colour(std::uint64_t key);

/// sRGB transfer curve: linear light, clamped to [0, 1], to the encoded value in [0, 1].
[[nodiscard]] float srgb_encoded(float linear);

}  // namespace brisance::render
