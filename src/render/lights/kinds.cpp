/// The table of kinds of lights: scene keys, their checks and the lights themselves come from it.
#include "brisance/core/error.hpp"

#include "render/lights/ball.hpp"
#include "render/lights/environment.hpp"
#include "render/lights/rectangle.hpp"
#include "render/lights/sky.hpp"
#include "render/lights/sun.hpp"

#include <array>
#include <utility>

namespace brisance::render {
namespace {

struct LightRow {
  Kind (*kind)();
  std::unique_ptr<Light> (*make)(const Values&, const LightPlace&);
};

constexpr std::array<LightRow, 5> kLights{{{sun_kind, make_sun},
                                           {sky_kind, make_sky},
                                           {rectangle_kind, make_rectangle},
                                           {ball_kind, make_ball},
                                           {environment_kind, make_environment}}};

std::unique_ptr<Light> make_light(const Specification& specification, const LightPlace& place) {
  try {
    check(light_kinds(), specification);
    const Kind& kind = kind_named(light_kinds(), specification.kind);
    const Values values(kind, specification);
    return kLights[static_cast<std::size_t>(&kind - light_kinds().data())].make(values, place);
  } catch (const core::Error& e) {
    throw core::Error("render.light \"" + specification.name + "\": " + e.what());
  }
}

/// The sun and sky of Lighting as specifications.
std::vector<Specification> usual_lights(const Lighting& lighting) {
  return {{.name = "sun",
           .kind = "sun",
           .values = {{"colour", triple_of(lighting.sun)},
                      {"azimuth_deg", lighting.sun_azimuth_from_view_deg},
                      {"elevation_deg", lighting.sun_elevation_deg},
                      {"radius_deg", lighting.sun_radius_deg}}},
          {.name = "sky",
           .kind = "sky",
           .values = {{"zenith", triple_of(lighting.sky_zenith)}, {"horizon", triple_of(lighting.sky_horizon)}}}};
}

}  // namespace

const std::vector<Kind>& light_kinds() {
  static const std::vector<Kind> kinds = [] {
    std::vector<Kind> all;
    for (const LightRow& row : kLights) all.push_back(row.kind());
    return all;
  }();
  return kinds;
}

Parameter light_colour(std::optional<core::NamedValue> normal) {
  return {.name = "colour",
          .sentence =
              "sun: radiance of a white matt surface that faces it; rectangle, sphere: radiance of the lamp; 1 "
              "is white in the picture.",
          .form = ParameterForm::triple,
          .normal = std::move(normal),
          .low = 0};
}

Vec3 triple_of(const Rgb& colour) { return (1e6 * colour.cast<double>()).round().matrix() / 1e6; }

Lights make_lights(const Options& options, const LightPlace& place) {
  const auto& given = options.appearance.lights;
  Lights lights;
  for (const Specification& each : given.empty() ? usual_lights(options.lighting) : given)
    lights.push_back(make_light(each, place));
  return lights;
}

}  // namespace brisance::render
