#include "render/materials/glazed.hpp"

#include "render/materials/fresnel.hpp"
#include "render/media/fresnel_moments.hpp"
#include "render/sampling/warp.hpp"

#include <algorithm>
#include <numbers>

namespace brisance::render {
Glazed::Glazed(std::optional<Rgb> albedo, const Pattern& pattern, float index, float roughness)
    : albedo_(std::move(albedo)),
      pattern_(pattern),
      facets_(std::max(roughness, kLeastRoughness)),
      index_(index),
      internal_(static_cast<float>(media::internal_reflectance(index))) {}

Rgb Glazed::ground(const SurfacePoint& at) const {
  Rgb albedo = albedo_.value_or(at.albedo);
  if (!pattern_.is_plain()) albedo *= pattern_.factor(at.rest_position);
  return albedo / (1 - internal_ * albedo) / (index_ * index_);
}

Rgb Glazed::evaluate(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const {
  if (wo.z() <= 0 || wi.z() <= 0) return Rgb::Zero();
  const Vec3f m = (wo + wi).normalized();
  const Ggx facets = facets_.at_least(at.least_alpha);
  const float layer = facets.distribution(m) * facets.masking_shadowing(wo, wi) *
                      fresnel_dielectric(std::min(1.0F, wo.dot(m)), index_) / (4 * wo.z() * wi.z());
  const float passing = (1 - fresnel_dielectric(std::min(1.0F, wo.z()), index_)) *
                        (1 - fresnel_dielectric(std::min(1.0F, wi.z()), index_));
  return layer + passing * std::numbers::inv_pi_v<float> * ground(at);
}

float Glazed::chance_of_layer(const SurfacePoint& at, const Vec3f& wo) const {
  constexpr float kLeast = 0.2F;  // highlights vary more than what is matt
  const float reflectance = fresnel_dielectric(std::min(1.0F, wo.z()), index_);
  const float matt = (1 - reflectance) * ground(at).mean() * index_ * index_ * (1 - internal_);
  return std::max(kLeast, reflectance / (reflectance + matt));
}

float Glazed::pdf(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const {
  if (wo.z() <= 0 || wi.z() <= 0) return 0;
  const Vec3f m = (wo + wi).normalized();
  const float of_layer = facets_.at_least(at.least_alpha).visible_pdf(wo, m) / (4 * wo.dot(m)),
              chance = chance_of_layer(at, wo);
  return chance * of_layer + (1 - chance) * std::numbers::inv_pi_v<float> * wi.z();
}

std::optional<Scattered> Glazed::sample(const SurfacePoint& at, const Vec3f& wo, Point2 random, float choice) const {
  Vec3f wi;
  if (choice < chance_of_layer(at, wo)) {
    const Vec3f m = facets_.at_least(at.least_alpha).visible_normal(wo, random);
    wi = (2 * wo.dot(m) * m - wo).normalized();
  } else {
    wi = cosine_direction(Vec3f::UnitZ(), random);
  }
  if (!(wi.z() > 0)) return std::nullopt;
  const float density = pdf(at, wo, wi);
  if (!(density > 0)) return std::nullopt;
  return Scattered{.wi = wi, .weight = evaluate(at, wo, wi) * (wi.z() / density), .pdf = density};
}

Kind glazed_kind() {
  Kind kind{.name = "glazed",
            .sentence = "ceramic, porcelain, varnish, polished stone: matt under a clear layer",
            .parameters = {
                {.name = "colour", .sentence = "as of diffuse.", .form = ParameterForm::triple, .low = 0, .high = 1},
                {.name = "index", .sentence = "as of dielectric.", .normal = 1.5, .low = 1.01, .high = 4},
                {.name = "roughness", .sentence = "as of dielectric.", .normal = 0.1, .low = 0, .high = 1}}};
  for (const Parameter& each : pattern_parameters()) kind.parameters.push_back(each);
  return kind;
}

std::unique_ptr<Material> make_glazed(const Values& values) {
  std::optional<Rgb> albedo;
  if (values.has("colour")) albedo = values.colour("colour");
  return std::make_unique<Glazed>(albedo, Pattern(values), values.number("index"), values.number("roughness"));
}

}  // namespace brisance::render
