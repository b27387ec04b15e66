#include "render/lights/sky.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::render {

std::optional<Emission> Sky::emitted(const Ray& ray) const {
  const float height = std::max(0.0F, ray.direction.dot(up_));
  return Emission{.radiance = horizon_ + std::sqrt(height) * (zenith_ - horizon_)};
}

Kind sky_kind() {
  const Lighting normal;
  return {.name = "sky",
          .sentence = "a dome, brighter or darker towards the zenith",
          .parameters = {{.name = "zenith",
                          .sentence = "sky: radiance straight above.",
                          .form = ParameterForm::triple,
                          .normal = triple_of(normal.sky_zenith),
                          .low = 0},
                         {.name = "horizon",
                          .sentence = "sky: radiance at the horizon and below.",
                          .form = ParameterForm::triple,
                          .normal = triple_of(normal.sky_horizon),
                          .low = 0}}};
}

std::unique_ptr<Light> make_sky(const Values& values, const LightPlace& place) {
  return std::make_unique<Sky>(values.colour("zenith"), values.colour("horizon"), place.up.cast<float>());
}

}  // namespace brisance::render
