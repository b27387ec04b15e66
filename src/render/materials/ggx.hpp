/// Microfacets with the GGX distribution of normals, the same in all directions around the normal.
#pragma once

#include "brisance/render/colour.hpp"

#include "render/sampling/sampler.hpp"

#include <algorithm>

namespace brisance::render {

/// Vectors are in the local frame of the surface normal; m is the normal of a facet, m.z > 0.
///
///   D(m) = α² / (π (cos²θ (α² − 1) + 1)²)                                 (Trowbridge and Reitz 1975; Walter et al.
///   2007) Λ(ω) = ½ (√(1 + α² tan²θ) − 1),  G₁ = 1/(1 + Λ(ω)),  G = 1/(1 + Λ(ωo) + Λ(ωi))                     (Heitz
///   2014) visible normals: D_ω(m) = G₁(ω) D(m) max(0, ω·m) / |cos θ|
class Ggx {
public:
  /// Facets so flat that the surface counts as smooth.
  static constexpr float kSmoothAlpha = 1e-3F;

  /// @param roughness  0 smooth … 1; α is its square, as in most programs that artists use
  explicit Ggx(float roughness) : alpha_(roughness * roughness) {}
  /// The same, or rougher.
  [[nodiscard]] Ggx at_least(float alpha) const {
    Ggx rougher = *this;
    rougher.alpha_ = std::max(alpha_, alpha);
    return rougher;
  }

  [[nodiscard]] bool is_smooth() const { return alpha_ < kSmoothAlpha; }
  [[nodiscard]] float distribution(const Vec3f& m) const;
  /// Share of facets seen from one direction; of those, seen from two.
  [[nodiscard]] float masking(const Vec3f& w) const { return 1 / (1 + lambda(w)); }
  [[nodiscard]] float masking_shadowing(const Vec3f& wo, const Vec3f& wi) const {
    return 1 / (1 + lambda(wo) + lambda(wi));
  }
  /// A normal seen from wo (wo.z > 0), with the density of visible normals (Dupuy and Benyoub 2023).
  [[nodiscard]] Vec3f visible_normal(const Vec3f& wo, Point2 random) const;
  /// That density [1/sr].
  [[nodiscard]] float visible_pdf(const Vec3f& wo, const Vec3f& m) const;

private:
  [[nodiscard]] float lambda(const Vec3f& w) const;

  float alpha_;
};

}  // namespace brisance::render
