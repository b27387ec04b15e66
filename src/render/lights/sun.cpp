#include "render/lights/sun.hpp"

#include "brisance/core/error.hpp"

#include "render/sampling/warp.hpp"

#include <cmath>
#include <numbers>

namespace brisance::render {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// The direction at an elevation, and an azimuth from the camera: 0 behind it, 90 to its right.
Vec3 direction_of(double azimuth_deg, double elevation_deg, const LightPlace& place) {
  const Vec3 back = place.axes.right.cross(place.up).normalized();  // horizontal, from the scene towards the camera
  const double azimuth = radians(azimuth_deg), elevation = radians(elevation_deg);
  const Vec3 level = std::cos(azimuth) * back + std::sin(azimuth) * place.axes.right;
  return std::cos(elevation) * level + std::sin(elevation) * place.up;
}

}  // namespace

Sun::Sun(const Rgb& colour, const Vec3f& direction, double radius_deg)
    : colour_(colour), direction_(direction), tangent_(static_cast<float>(std::tan(radians(radius_deg)))) {}

float Sun::density(float cosine) const { return 1 / (kPi * tangent_ * tangent_ * cosine * cosine * cosine); }

std::optional<LightSample> Sun::sample(const Vec3f& /*point*/, Point2 random) const {
  if (tangent_ == 0) return LightSample{.direction = direction_, .radiance = kPi * colour_, .pdf = 1, .is_delta = true};
  const Vec3f direction = about(direction_, tangent_ * on_disc(random), 1);
  const float pdf = density(direction.dot(direction_));
  return LightSample{.direction = direction, .radiance = kPi * pdf * colour_, .pdf = pdf};
}

std::optional<Emission> Sun::emitted(const Ray& ray) const {
  const float cosine = ray.direction.dot(direction_);
  if (tangent_ == 0 || cosine <= 0) return std::nullopt;
  const float across = ray.direction.cross(direction_).norm();
  if (across > tangent_ * cosine) return std::nullopt;
  const float pdf = density(cosine);
  return Emission{.radiance = kPi * pdf * colour_, .distance = kFar, .pdf = pdf};
}

namespace {

void require_direction(const Specification& given) {
  const auto found = given.values.find("direction");
  if (found != given.values.end() && std::get<Vec3>(found->second).isZero())
    throw core::Error("direction must not be zero.");
}

}  // namespace

Kind sun_kind() {
  const Lighting normal;
  return {
      .name = "sun",
      .sentence = "a disc at infinity",
      .parameters = {light_colour(),
                     {.name = "azimuth_deg",
                      .unit = "°",
                      .sentence = "sun: direction from the camera (of the first camera.key): 0 behind it, 90 to its "
                                  "right.",
                      .normal = normal.sun_azimuth_from_view_deg,
                      .low = -360,
                      .high = 360},
                     {.name = "elevation_deg",
                      .unit = "°",
                      .sentence = "sun: above the horizon.",
                      .normal = normal.sun_elevation_deg,
                      .low = -90,
                      .high = 90},
                     {.name = "direction",
                      .sentence = "sun: towards it, in the world, instead of the two angles.",
                      .form = ParameterForm::triple},
                     {.name = "radius_deg",
                      .unit = "°",
                      .sentence = "sun: of its disc, which softens shadows; the real one has 0.27.",
                      .normal = normal.sun_radius_deg,
                      .low = 0,
                      .high = 45}},
      .check_together = require_direction};
}

std::unique_ptr<Light> make_sun(const Values& values, const LightPlace& place) {
  const Rgb colour = values.has("colour") ? values.colour("colour") : Lighting{}.sun;
  Vec3 direction = direction_of(values.number("azimuth_deg"), values.number("elevation_deg"), place);
  if (values.has("direction")) direction = values.triple("direction");
  return std::make_unique<Sun>(colour, direction.normalized().cast<float>(), values.number("radius_deg"));
}

}  // namespace brisance::render
