#include "render/materials/diffuse.hpp"

#include "render/sampling/warp.hpp"

#include <numbers>

namespace brisance::render {
namespace {

constexpr float kInversePi = std::numbers::inv_pi_v<float>;

}  // namespace

Rgb Diffuse::evaluate(const SurfacePoint& at, const Vec3f& /*wo*/, const Vec3f& wi) const {
  return wi.z() > 0 ? Rgb(kInversePi * albedo(at)) : Rgb(Rgb::Zero());
}

std::optional<Scattered> Diffuse::sample(const SurfacePoint& at, const Vec3f& /*wo*/, Point2 random,
                                         float /*choice*/) const {
  const Vec3f wi = cosine_direction(Vec3f::UnitZ(), random);
  return Scattered{.wi = wi, .weight = albedo(at), .pdf = kInversePi * wi.z()};
}

float Diffuse::pdf(const SurfacePoint& /*at*/, const Vec3f& /*wo*/, const Vec3f& wi) const {
  return wi.z() > 0 ? kInversePi * wi.z() : 0;
}

Kind diffuse_kind() {
  return {.name = "diffuse",
          .sentence = "matt, equally bright from all sides",
          .parameters = {{.name = "colour",
                          .sentence = "diffuse: albedo, in linear red, green, blue; without it the colour of the "
                                      "default palette.",
                          .form = ParameterForm::triple,
                          .low = 0,
                          .high = 1}}};
}

std::unique_ptr<Material> make_diffuse(const Values& values) {
  return values.has("colour") ? std::make_unique<Diffuse>(values.colour("colour")) : std::make_unique<Diffuse>();
}

}  // namespace brisance::render
