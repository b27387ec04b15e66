/// A spherical lamp.
#pragma once

#include "render/lights/lights.hpp"
#include "render/parameters.hpp"

namespace brisance::render {

/// From outside, directions are uniform in the cone that it fills, of solid angle 2π(1 − cos θmax); from inside, over
/// the whole sphere of directions.
class Ball : public Light {
public:
  Ball(const Rgb& radiance, const Vec3f& centre, float radius_m)
      : radiance_(radiance), centre_(centre), radius_m_(radius_m) {}

  [[nodiscard]] std::optional<LightSample> sample(const Vec3f& point, Point2 random) const override;
  [[nodiscard]] std::optional<Emission> emitted(const Ray& ray) const override;

private:
  /// 1 − cos θmax of the cone seen from a point; 2 from inside.
  [[nodiscard]] float cone_height(const Vec3f& point) const;

  Rgb radiance_;
  Vec3f centre_;
  float radius_m_;
};

[[nodiscard]] Kind ball_kind();
[[nodiscard]] std::unique_ptr<Light> make_ball(const Values& values, const LightPlace& place);

}  // namespace brisance::render
