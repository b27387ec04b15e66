#include "render/lights/ball.hpp"

#include "render/sampling/warp.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::render {

float Ball::cone_height(const Vec3f& point) const {
  const float squared = radius_m_ * radius_m_ / (centre_ - point).squaredNorm();
  if (!(squared < 1)) return 2;
  return squared / (1 + std::sqrt(1 - squared));  // 1 − √(1 − s²) without cancellation
}

std::optional<LightSample> Ball::sample(const Vec3f& point, Point2 random) const {
  const float height = cone_height(point), drop = height * random.u;
  const float sine = std::sqrt(std::max(0.0F, drop * (2 - drop))), angle = 2 * std::numbers::pi_v<float> * random.v;
  const Vec3f axis = height < 2 ? Vec3f((centre_ - point).normalized()) : Vec3f(Vec3f::UnitZ());
  const Vec3f direction = about(axis, {sine * std::cos(angle), sine * std::sin(angle)}, 1 - drop);
  const auto met = emitted({point, direction});
  // rounding may make a ray at the rim pass by: it meets the rim
  const float distance = met ? met->distance : (centre_ - point).dot(direction);
  return LightSample{.direction = direction,
                     .distance = distance,
                     .radiance = radiance_,
                     .pdf = 1 / (2 * std::numbers::pi_v<float> * height)};
}

std::optional<Emission> Ball::emitted(const Ray& ray) const {
  const Vec3f to_centre = centre_ - ray.origin;
  const float along = to_centre.dot(ray.direction);
  const float across_squared = (to_centre - along * ray.direction).squaredNorm();
  const float half_squared = radius_m_ * radius_m_ - across_squared;
  if (half_squared < 0) return std::nullopt;
  const float half = std::sqrt(half_squared);
  const float distance = along - half > 0 ? along - half : along + half;
  if (!(distance > 0)) return std::nullopt;
  return Emission{.radiance = radiance_,
                  .distance = distance,
                  .pdf = 1 / (2 * std::numbers::pi_v<float> * cone_height(ray.origin))};
}

Kind ball_kind() {
  return {.name = "sphere",
          .sentence = "a lamp that shines to all sides",
          .parameters = {light_colour(Vec3(5, 5, 5)),
                         {.name = "centre_m",
                          .unit = "m",
                          .sentence = "rectangle, sphere: its centre.",
                          .form = ParameterForm::triple,
                          .is_required = true},
                         {.name = "radius_m",
                          .unit = "m",
                          .sentence = "sphere: its radius.",
                          .low = 0,
                          .low_open = true,
                          .is_required = true}}};
}

std::unique_ptr<Light> make_ball(const Values& values, const LightPlace& place) {
  return std::make_unique<Ball>(values.colour("colour"), (values.triple("centre_m") - place.origin).cast<float>(),
                                values.number("radius_m"));
}

}  // namespace brisance::render
