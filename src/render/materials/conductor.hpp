/// A metal: reflection only, smooth or rough.
#pragma once

#include "render/materials/ggx.hpp"
#include "render/materials/material.hpp"
#include "render/parameters.hpp"

#include <memory>

namespace brisance::render {

/// A complex refractive index η + iκ at red, green and blue.
struct ComplexIndex {
  Rgb eta, kappa;
};

/// f = D(m) G(ωo, ωi) F(ωo·m) / (4 cos θo cos θi), m halfway between ωo and ωi    (Cook and Torrance 1982). Light that
/// facets reflect onto each other is lost: 1 % at roughness 0.3, up to half at 1.
class Conductor : public Material {
public:
  Conductor(const ComplexIndex& index, float roughness) : index_(index), facets_(roughness) {}

  [[nodiscard]] Rgb evaluate(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const override;
  [[nodiscard]] std::optional<Scattered> sample(const SurfacePoint& at, const Vec3f& wo, Point2 random,
                                                float choice) const override;
  [[nodiscard]] float pdf(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const override;
  [[nodiscard]] std::optional<SpecularPair> branches(const SurfacePoint& at, const Vec3f& wo) const override;
  [[nodiscard]] bool is_specular() const override { return facets_.is_smooth(); }

private:
  [[nodiscard]] Rgb reflectance(float cosine) const;
  [[nodiscard]] Scattered mirrored(const Vec3f& wo) const;

  ComplexIndex index_;
  Ggx facets_;
};

[[nodiscard]] Kind conductor_kind();
[[nodiscard]] std::unique_ptr<Material> make_conductor(const Values& values);

}  // namespace brisance::render
