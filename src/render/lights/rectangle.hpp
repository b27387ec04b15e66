/// A rectangular lamp that shines to one side.
#pragma once

#include "render/lights/lights.hpp"
#include "render/parameters.hpp"

#include <array>

namespace brisance::render {

/// Points are uniform over its area A: per solid angle the density is d²/(A cos θ), θ at the lamp.
class Rectangle : public Light {
public:
  /// @param edges  from the centre to the middles of two sides, perpendicular; it shines along edges[0] × edges[1]
  Rectangle(const Rgb& radiance, const Vec3f& centre, const std::array<Vec3f, 2>& edges);

  [[nodiscard]] std::optional<LightSample> sample(const Vec3f& point, Point2 random) const override;
  [[nodiscard]] std::optional<Emission> emitted(const Ray& ray) const override;

private:
  Rgb radiance_;
  Vec3f centre_;
  std::array<Vec3f, 2> edges_;
  Vec3f normal_;
  float area_m2_;
};

[[nodiscard]] Kind rectangle_kind();
[[nodiscard]] std::unique_ptr<Light> make_rectangle(const Values& values, const LightPlace& place);

}  // namespace brisance::render
