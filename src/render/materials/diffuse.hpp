/// A Lambert surface: radiance equal in all directions, f = albedo/π.
#pragma once

#include "render/materials/material.hpp"
#include "render/materials/pattern.hpp"
#include "render/parameters.hpp"

#include <memory>

namespace brisance::render {

class Diffuse : public Material {
public:
  Diffuse() = default;  ///< of the point's colour
  explicit Diffuse(const Rgb& albedo) : albedo_(albedo) {}
  /// @param albedo  nothing: the point's colour
  Diffuse(std::optional<Rgb> albedo, const Pattern& pattern) : albedo_(std::move(albedo)), pattern_(pattern) {}

  [[nodiscard]] Rgb evaluate(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const override;
  [[nodiscard]] std::optional<Scattered> sample(const SurfacePoint& at, const Vec3f& wo, Point2 random,
                                                float choice) const override;
  [[nodiscard]] float pdf(const SurfacePoint& at, const Vec3f& wo, const Vec3f& wi) const override;
  [[nodiscard]] Needs needs() const override { return {.rest = !pattern_.is_plain()}; }

protected:
  /// Share of the light that is reflected.
  [[nodiscard]] virtual Rgb albedo(const SurfacePoint& at) const;

private:
  std::optional<Rgb> albedo_;
  Pattern pattern_;
};

[[nodiscard]] Kind diffuse_kind();
[[nodiscard]] std::unique_ptr<Material> make_diffuse(const Values& values);

}  // namespace brisance::render
