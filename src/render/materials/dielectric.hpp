/// Glass, water, ice: reflection and refraction, smooth or rough, coloured by absorption inside.
#pragma once

#include "render/materials/ggx.hpp"
#include "render/materials/material.hpp"
#include "render/parameters.hpp"

#include <memory>

namespace brisance::render {

/// Smooth: the two directions of Snell's law, weighted by Fresnel's reflectance. Rough: microfacets that each do the
/// same (Walter et al. 2007), with m the facet's normal and η the relative index:
///
///   reflected    f = D(m) G F / (4 cos θo cos θi)
///   transmitted  f = D(m) G (1 − F) |ωi·m ωo·m| / (|cos θi cos θo| (ωi·m + ωo·m/η)² η²)
class Dielectric : public Material {
public:
  Dielectric(const Interior& interior, float roughness) : interior_(interior), facets_(roughness) {}

  [[nodiscard]] Rgb evaluate(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const override;
  [[nodiscard]] std::optional<Scattered> sample(const SurfacePoint& at, const Vec3f& wo, Point2 random,
                                                float choice) const override;
  [[nodiscard]] float pdf(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const override;
  [[nodiscard]] std::optional<SpecularPair> branches(const SurfacePoint& at, const Vec3f& wo) const override;
  [[nodiscard]] const Interior* interior() const override { return &interior_; }
  [[nodiscard]] bool is_specular() const override { return facets_.is_smooth(); }

private:
  Interior interior_;
  Ggx facets_;
};

/// The refracted direction of wo at a facet of normal m (wo·m > 0); nothing beyond the critical angle.
[[nodiscard]] std::optional<Vec3f> refracted(const Vec3f& wo, const Vec3f& m, float relative_index);

[[nodiscard]] Kind dielectric_kind();
[[nodiscard]] std::unique_ptr<Material> make_dielectric(const Values& values);

}  // namespace brisance::render
