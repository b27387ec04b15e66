#include "render/materials/ggx.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::render {

float Ggx::distribution(const Vec3f& m) const {
  // sin²θ from x and y: 1 − cos²θ would lose it where facets are nearly flat
  const float sin2 = m.x() * m.x() + m.y() * m.y(), cos2 = m.z() * m.z(), alpha2 = alpha_ * alpha_;
  const float width = sin2 + alpha2 * cos2;
  return alpha2 / (std::numbers::pi_v<float> * width * width);
}

float Ggx::lambda(const Vec3f& w) const {
  const float cos2 = w.z() * w.z(), sin2 = w.x() * w.x() + w.y() * w.y();
  return 0.5F * (std::sqrt(1 + alpha_ * alpha_ * sin2 / cos2) - 1);
}

Vec3f Ggx::visible_normal(const Vec3f& wo, Point2 random) const {
  // Stretched by α the facets are a hemisphere, whose part seen from ω is a spherical cap of uniform density.
  const Vec3f stretched = Vec3f(alpha_ * wo.x(), alpha_ * wo.y(), wo.z()).normalized();
  const float angle = 2 * std::numbers::pi_v<float> * random.u;
  const float z = (1 - random.v) * (1 + stretched.z()) - stretched.z();
  const float radius = std::sqrt(std::clamp(1 - z * z, 0.0F, 1.0F));
  const Vec3f half = Vec3f(radius * std::cos(angle), radius * std::sin(angle), z) + stretched;
  return Vec3f(alpha_ * half.x(), alpha_ * half.y(), std::max(half.z(), 1e-7F)).normalized();
}

float Ggx::visible_pdf(const Vec3f& wo, const Vec3f& m) const {
  return masking(wo) * distribution(m) * std::max(0.0F, wo.dot(m)) / std::abs(wo.z());
}

}  // namespace brisance::render
