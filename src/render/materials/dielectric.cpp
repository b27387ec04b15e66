#include "render/materials/dielectric.hpp"

#include "render/materials/fresnel.hpp"

#include <cmath>

namespace brisance::render {
namespace {

/// The facet that turns wo into wi, and what follows from it.
struct Facet {
  Vec3f m;
  float to_o, to_i;   ///< ωo·m, ωi·m
  float reflectance;  ///< F
  bool is_reflection;
};

/// Nothing if no facet seen from both sides does it.
std::optional<Facet> facet_between(const Vec3f& wo, const Vec3f& wi, float relative_index) {
  if (wo.z() <= 0 || wi.z() == 0) return std::nullopt;
  const bool is_reflection = wi.z() > 0;
  Vec3f m = (wo + (is_reflection ? 1 : relative_index) * wi).normalized();
  if (m.z() < 0) m = -m;
  const float to_o = wo.dot(m), to_i = wi.dot(m);
  if (!(to_o > 0) || !(to_i * wi.z() > 0)) return std::nullopt;
  return Facet{m, to_o, to_i, fresnel_dielectric(to_o, relative_index), is_reflection};
}

/// (ωi·m + ωo·m/η)², the square in the density of refracted directions.
float refraction_spread(const Facet& facet, float relative_index) {
  const float sum = facet.to_i + facet.to_o / relative_index;
  return sum * sum;
}

}  // namespace

std::optional<Vec3f> refracted(const Vec3f& wo, const Vec3f& m, float relative_index) {
  const float cosine = wo.dot(m), beyond = refracted_cosine(cosine, relative_index);
  if (beyond < 0) return std::nullopt;
  return ((cosine / relative_index - beyond) * m - wo / relative_index).normalized();
}

Rgb Dielectric::evaluate(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const {
  const float eta = at.relative_index;
  const auto facet = is_specular() ? std::nullopt : facet_between(wo, wi, eta);
  if (!facet) return Rgb::Zero();
  const Ggx facets = facets_.at_least(at.least_alpha);
  const float shape = facets.distribution(facet->m) * facets.masking_shadowing(wo, wi) / std::abs(wo.z() * wi.z());
  if (facet->is_reflection) return Rgb::Constant(0.25F * shape * facet->reflectance);
  return Rgb::Constant(shape * (1 - facet->reflectance) * std::abs(facet->to_i * facet->to_o) /
                       (refraction_spread(*facet, eta) * eta * eta));
}

float Dielectric::pdf(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const {
  const auto facet = is_specular() ? std::nullopt : facet_between(wo, wi, at.relative_index);
  if (!facet) return 0;
  const float visible = facets_.at_least(at.least_alpha).visible_pdf(wo, facet->m);
  if (facet->is_reflection) return visible * facet->reflectance / (4 * facet->to_o);
  return visible * (1 - facet->reflectance) * std::abs(facet->to_i) / refraction_spread(*facet, at.relative_index);
}

std::optional<Scattered> Dielectric::sample(const SurfacePoint& at, const Vec3f& wo, Point2 random,
                                            float choice) const {
  if (is_specular()) return one_of(*branches(at, wo), at.relative_index, choice);
  const Ggx facets = facets_.at_least(at.least_alpha);
  const Vec3f m = facets.visible_normal(wo, random);
  const float reflectance = fresnel_dielectric(wo.dot(m), at.relative_index);
  const bool reflects = choice < reflectance;
  const auto wi =
      reflects ? std::optional<Vec3f>((2 * wo.dot(m) * m - wo).normalized()) : refracted(wo, m, at.relative_index);
  if (!wi || (wi->z() > 0) != reflects) return std::nullopt;
  // f |cos θi| / pdf reduces to G / G₁(ωo), with the factor of radiance for refraction
  const float seen = facets.masking_shadowing(wo, *wi) / facets.masking(wo);
  const float solid_angles = reflects ? 1 : 1 / (at.relative_index * at.relative_index);
  return Scattered{
      .wi = *wi, .weight = Rgb::Constant(seen * solid_angles), .pdf = pdf(at, wo, *wi), .is_transmission = !reflects};
}

std::optional<SpecularPair> Dielectric::branches(const SurfacePoint& at, const Vec3f& wo) const {
  if (!is_specular()) return std::nullopt;
  const float reflectance = fresnel_dielectric(wo.z(), at.relative_index);
  SpecularPair both{
      .reflected = {
          .wi = {-wo.x(), -wo.y(), wo.z()}, .weight = Rgb::Constant(reflectance), .pdf = 1, .is_specular = true}};
  if (const auto wi = refracted(wo, Vec3f::UnitZ(), at.relative_index); wi && reflectance < 1)
    both.transmitted = {.wi = *wi,
                        .weight = Rgb::Constant((1 - reflectance) / (at.relative_index * at.relative_index)),
                        .pdf = 1,
                        .is_specular = true,
                        .is_transmission = true};
  return both;
}

Kind dielectric_kind() {
  return {
      .name = "dielectric",
      .sentence = "glass, water, ice: reflects and refracts",
      .parameters = {{.name = "index",
                      .sentence = "dielectric, glazed: refractive index; glass 1.5, water 1.33, ice 1.31, diamond "
                                  "2.42. subsurface: instead of its medium's.",
                      .normal = 1.5,
                      .low = 1,
                      .high = 10},
                     {.name = "roughness",
                      .sentence = "conductor, dielectric, subsurface: 0 polished, 1 dull; its square is the α of "
                                  "microfacets.",
                      .normal = 0.0,
                      .low = 0,
                      .high = 1},
                     {.name = "absorption_per_m",
                      .unit = "1/m",
                      .sentence = "dielectric: absorption inside at red, green, blue: over s metres the light falls "
                                  "by exp(-absorption s). A window pane has about [6, 2, 4]. "
                                  "subsurface: instead of its medium's.",
                      .form = ParameterForm::triple,
                      .normal = Vec3(0, 0, 0),
                      .low = 0}}};
}

std::unique_ptr<Material> make_dielectric(const Values& values) {
  const Interior interior{.index = values.number("index"), .absorption = values.colour("absorption_per_m")};
  return std::make_unique<Dielectric>(interior, values.number("roughness"));
}

}  // namespace brisance::render
