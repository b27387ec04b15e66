/// Directions of diffuse light that leaves a turbid medium.
#pragma once

#include "render/materials/material.hpp"

namespace brisance::render {

/// f = F_t(ω_i)/(π (1 − F_ext)): light inside is even, and each direction passes the surface by its Fresnel share. The
/// integral of f |cos θ_i| is 1, so that a lossless medium in even light is as bright as the light. [Jensen et al.
/// 2001] leave out 1 − F_ext and lose as much as the surface reflects.
class ExitLobe : public Material {
public:
  /// @param index  of the medium relative to the outside, ≥ 1
  explicit ExitLobe(float index);

  [[nodiscard]] Rgb evaluate(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const override;
  [[nodiscard]] std::optional<Scattered> sample(const SurfacePoint& at, const Vec3f& wo, Point2 random,
                                                float choice) const override;
  [[nodiscard]] float pdf(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const override;

private:
  [[nodiscard]] float value(float cosine) const;

  float index_, scale_;  ///< 1/(π (1 − F_ext))
};

}  // namespace brisance::render
