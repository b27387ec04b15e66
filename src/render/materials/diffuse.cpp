#include "render/materials/diffuse.hpp"

#include "render/sampling/warp.hpp"

#include <numbers>

namespace brisance::render {
namespace {

constexpr float kInversePi = std::numbers::inv_pi_v<float>;

}  // namespace

Rgb Diffuse::albedo(const SurfacePoint& at) const {
  const Rgb plain = albedo_.value_or(at.albedo);
  return pattern_.is_plain() ? plain : Rgb(plain * pattern_.factor(at.rest_position));
}

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
  Kind kind{.name = "diffuse",
            .sentence = "matt, equally bright from all sides",
            .parameters = {{.name = "colour",
                            .sentence = "diffuse, glazed: albedo, in linear red, green, blue, of glazed below its "
                                        "layer; without it the colour of the default palette.",
                            .form = ParameterForm::triple,
                            .low = 0,
                            .high = 1}}};
  for (const Parameter& each : pattern_parameters()) kind.parameters.push_back(each);
  return kind;
}

std::unique_ptr<Material> make_diffuse(const Values& values) {
  std::optional<Rgb> colour;
  if (values.has("colour")) colour = values.colour("colour");
  return std::make_unique<Diffuse>(colour, Pattern(values));
}

}  // namespace brisance::render
