#include "render/materials/conductor.hpp"

#include "brisance/core/error.hpp"

#include "render/materials/fresnel.hpp"
#include "render/materials/metals.hpp"

#include <cmath>

namespace brisance::render {

Rgb Conductor::reflectance(float cosine) const {
  Rgb share;
  for (int c = 0; c < 3; ++c) share[c] = fresnel_conductor(cosine, index_.eta[c], index_.kappa[c]);
  return share;
}

Scattered Conductor::mirrored(const Vec3f& wo) const {
  return {.wi = {-wo.x(), -wo.y(), wo.z()}, .weight = reflectance(wo.z()), .pdf = 1, .is_specular = true};
}

Rgb Conductor::evaluate(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const {
  if (is_specular() || wo.z() <= 0 || wi.z() <= 0) return Rgb::Zero();
  const Vec3f m = (wo + wi).normalized();
  const Ggx facets = facets_.at_least(at.least_alpha);
  return facets.distribution(m) * facets.masking_shadowing(wo, wi) / (4 * wo.z() * wi.z()) * reflectance(wo.dot(m));
}

std::optional<Scattered> Conductor::sample(const SurfacePoint& at, const Vec3f& wo, Point2 random,
                                           float /*choice*/) const {
  if (is_specular()) return mirrored(wo);
  const Ggx facets = facets_.at_least(at.least_alpha);
  const Vec3f m = facets.visible_normal(wo, random);
  const Vec3f wi = (2 * wo.dot(m) * m - wo).normalized();
  if (wi.z() <= 0) return std::nullopt;
  // f cos θi / pdf reduces to F G / G₁(ωo)
  const float seen = facets.masking_shadowing(wo, wi) / facets.masking(wo);
  return Scattered{.wi = wi, .weight = seen * reflectance(wo.dot(m)), .pdf = pdf(at, wo, wi)};
}

float Conductor::pdf(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const {
  if (is_specular() || wo.z() <= 0 || wi.z() <= 0) return 0;
  const Vec3f m = (wo + wi).normalized();
  return facets_.at_least(at.least_alpha).visible_pdf(wo, m) / (4 * wo.dot(m));
}

std::optional<SpecularPair> Conductor::branches(const SurfacePoint& /*at*/, const Vec3f& wo) const {
  if (!is_specular()) return std::nullopt;
  return SpecularPair{.reflected = mirrored(wo), .transmitted = std::nullopt};
}

namespace {

void require_both_or_none(const Specification& given) {
  if (given.values.contains("eta") != given.values.contains("kappa"))
    throw core::Error("eta and kappa belong together; give both.");
}

}  // namespace

Kind conductor_kind() {
  return {
      .name = "conductor",
      .sentence = "metal",
      .parameters = {{.name = "metal",
                      .unit = "",
                      .sentence = "conductor: a metal whose complex refractive index is known.",
                      .form = ParameterForm::choice,
                      .normal = std::string("aluminium"),
                      .choices = metal_names()},
                     {.name = "eta",
                      .sentence = "conductor: real part of the refractive index at red, green, blue, instead of a "
                                  "metal's.",
                      .form = ParameterForm::triple,
                      .low = 0,
                      .high = 100,
                      .low_open = true},
                     {.name = "kappa",
                      .sentence = "conductor: its imaginary part.",
                      .form = ParameterForm::triple,
                      .low = 0,
                      .high = 100},
                     {.name = "roughness",
                      .sentence = "conductor, dielectric, glazed, subsurface: 0 polished, 1 dull; its square is the "
                                  "α of microfacets. Default of glazed: 0.1, at least 0.05.",
                      .normal = 0.0,
                      .low = 0,
                      .high = 1}},
      .check_together = require_both_or_none};
}

std::unique_ptr<Material> make_conductor(const Values& values) {
  const ComplexIndex index = values.has("eta") ? ComplexIndex{values.colour("eta"), values.colour("kappa")}
                                               : metal_named(values.text("metal"));
  return std::make_unique<Conductor>(index, values.number("roughness"));
}

}  // namespace brisance::render
