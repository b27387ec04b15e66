#include "smooth_boundary.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::render::media {

double refracted_cosine(double cosine, double ratio) {
  return std::sqrt(std::max(0.0, 1 - (1 - cosine * cosine) / (ratio * ratio)));
}

double fresnel_reflectance(double cosine, double ratio) {
  const double beyond = refracted_cosine(cosine, ratio);
  if (beyond == 0) return 1;
  const double perpendicular = (cosine - ratio * beyond) / (cosine + ratio * beyond);
  const double parallel = (ratio * cosine - beyond) / (ratio * cosine + beyond);
  return 0.5 * (perpendicular * perpendicular + parallel * parallel);
}

Vec3 reflected(const Vec3& direction, const Vec3& normal) { return direction - 2 * direction.dot(normal) * normal; }

std::optional<Vec3> refracted(const Vec3& direction, const Vec3& normal, double ratio) {
  const double along = direction.dot(normal);
  const double beyond = refracted_cosine(std::abs(along), ratio);
  if (beyond == 0) return std::nullopt;
  const Vec3 across = (direction - along * normal) / ratio;
  return Vec3(across + std::copysign(beyond, along) * normal).normalized();
}

}  // namespace brisance::render::media
