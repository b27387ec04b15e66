/// A smooth boundary between two media: how much it reflects, and where light turns to. Unpolarised light.
#pragma once

#include "brisance/core/types.hpp"

#include <optional>

namespace brisance::render::media {

/// Fresnel reflectance.
/// @param cosine  of the angle of incidence, in [0, 1]
/// @param ratio  index beyond the boundary over the index before it; below 1 there is total reflection
[[nodiscard]] double fresnel_reflectance(double cosine, double ratio);

/// Cosine of the refracted angle by Snell's law; 0 at and beyond total reflection.
[[nodiscard]] double refracted_cosine(double cosine, double ratio);

/// @param direction  unit, of travel; @param normal  unit, on either side
[[nodiscard]] Vec3 reflected(const Vec3& direction, const Vec3& normal);

/// Unit direction of travel beyond the boundary; nothing for total reflection.
/// @param direction  unit, of travel; @param normal  unit, on either side
[[nodiscard]] std::optional<Vec3> refracted(const Vec3& direction, const Vec3& normal, double ratio);

}  // namespace brisance::render::media
