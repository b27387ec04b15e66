/// Glazed ceramic, porcelain, varnish, polished stone: a matt colour under a clear smooth layer.
#pragma once

#include "render/materials/ggx.hpp"
#include "render/materials/pattern.hpp"

#include <memory>

namespace brisance::render {

/// Microfacets reflect a share F; the rest passes the layer, is scattered by the matt ground of albedo ρ, and passes
/// again, or is reflected back to it by the share F_int of even light, again and again:
///
///   f = D G F/(4 cos θo cos θi) + (1 − F(θo)) (1 − F(θi)) ρ/(π η² (1 − ρ F_int))
///
/// With ρ = 1 nothing is lost, since (1 − F_ext)/η² = 1 − F_int.
class Glazed : public Material {
public:
  /// A polish finer than this is shown as this: highlights are lights seen in it.
  static constexpr float kLeastRoughness = 0.05F;

  /// @param albedo  of the ground; nothing: the surface's own colour
  Glazed(std::optional<Rgb> albedo, const Pattern& pattern, float index, float roughness);

  [[nodiscard]] Rgb evaluate(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const override;
  [[nodiscard]] std::optional<Scattered> sample(const SurfacePoint& at, const Vec3f& wo, Point2 random,
                                                float choice) const override;
  [[nodiscard]] float pdf(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const override;
  [[nodiscard]] Needs needs() const override { return {.rest = !pattern_.is_plain()}; }

private:
  [[nodiscard]] Rgb ground(const SurfacePoint& at) const;
  /// Chance to sample the layer and not the ground.
  [[nodiscard]] float chance_of_layer(const SurfacePoint& at, const Vec3f& wo) const;

  std::optional<Rgb> albedo_;
  Pattern pattern_;
  Ggx facets_;
  float index_, internal_;  ///< F_int
};

[[nodiscard]] Kind glazed_kind();
[[nodiscard]] std::unique_ptr<Material> make_glazed(const Values& values);

}  // namespace brisance::render
