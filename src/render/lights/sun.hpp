/// The sun: a small disc at infinity.
#pragma once

#include "render/lights/lights.hpp"
#include "render/parameters.hpp"

namespace brisance::render {

/// Directions are uniform over a disc in the plane tangent to the unit sphere, with density 1/(π tan²ρ cos³θ), θ from
/// its middle. A white Lambert surface that faces the sun has its colour: radiance π colour · density.
class Sun : public Light {
public:
  /// @param direction   towards the sun, unit
  /// @param radius_deg  of the disc; 0: parallel light
  Sun(const Rgb& colour, const Vec3f& direction, double radius_deg);

  [[nodiscard]] std::optional<LightSample> sample(const Vec3f& point, Point2 random) const override;
  [[nodiscard]] bool is_around_scene() const override { return true; }
  [[nodiscard]] std::optional<Emission> emitted(const Ray& ray) const override;

private:
  [[nodiscard]] float density(float cosine) const;

  Rgb colour_;
  Vec3f direction_;
  float tangent_;
};

[[nodiscard]] Kind sun_kind();
[[nodiscard]] std::unique_ptr<Light> make_sun(const Values& values, const LightPlace& place);

}  // namespace brisance::render
