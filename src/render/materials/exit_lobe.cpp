#include "render/materials/exit_lobe.hpp"

#include "render/materials/fresnel.hpp"
#include "render/media/fresnel_moments.hpp"
#include "render/sampling/warp.hpp"

#include <numbers>

namespace brisance::render {

ExitLobe::ExitLobe(float index)
    : index_(index), scale_(static_cast<float>(std::numbers::inv_pi / (1 - media::external_reflectance(index)))) {}

float ExitLobe::value(float cosine) const {
  return cosine > 0 ? scale_ * (1 - fresnel_dielectric(std::min(1.0F, cosine), index_)) : 0;
}

Rgb ExitLobe::evaluate(const SurfacePoint& /*at*/, const Vec3f& /*wo*/, const Vec3f& wi) const {
  return Rgb::Constant(value(wi.z()));
}

std::optional<Scattered> ExitLobe::sample(const SurfacePoint& /*at*/, const Vec3f& /*wo*/, Point2 random,
                                          float /*choice*/) const {
  const Vec3f wi = cosine_direction(Vec3f::UnitZ(), random);
  if (!(wi.z() > 0)) return std::nullopt;
  constexpr float kPi = std::numbers::pi_v<float>;
  return Scattered{.wi = wi, .weight = Rgb::Constant(kPi * value(wi.z())), .pdf = wi.z() / kPi};
}

float ExitLobe::pdf(const SurfacePoint& /*at*/, const Vec3f& /*wo*/, const Vec3f& wi) const {
  return std::max(0.0F, wi.z()) * std::numbers::inv_pi_v<float>;
}

}  // namespace brisance::render
