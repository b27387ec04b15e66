/// The sky: a smooth dome.
#pragma once

#include "render/lights/lights.hpp"
#include "render/parameters.hpp"

namespace brisance::render {

/// horizon + √(sin elevation) (zenith − horizon) above the horizon, horizon below. It varies so little that scattered
/// rays find it as well as samples would, which is a ray less.
class Sky : public Light {
public:
  Sky(const Rgb& zenith, const Rgb& horizon, const Vec3f& up) : zenith_(zenith), horizon_(horizon), up_(up) {}

  [[nodiscard]] bool is_sampled() const override { return false; }
  [[nodiscard]] bool is_around_scene() const override { return true; }
  [[nodiscard]] std::optional<Emission> emitted(const Ray& ray) const override;

private:
  Rgb zenith_, horizon_;
  Vec3f up_;
};

[[nodiscard]] Kind sky_kind();
[[nodiscard]] std::unique_ptr<Light> make_sky(const Values& values, const LightPlace& place);

}  // namespace brisance::render
