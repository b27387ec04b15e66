/// The lights of a picture, made from their specifications.
#pragma once

#include "brisance/render/camera.hpp"
#include "brisance/render/kinds.hpp"
#include "brisance/render/options.hpp"

#include "render/lights/light.hpp"

#include <memory>
#include <vector>

namespace brisance::render {

/// What lights need to know of the picture.
struct LightPlace {
  CameraAxes axes;  ///< of the camera that the sun's azimuth refers to
  Vec3 up;          ///< unit
  Vec3 origin;      ///< Geometry::origin [m]
};

using Lights = std::vector<std::unique_ptr<Light>>;

/// The parameter "colour", which several kinds have.
[[nodiscard]] Parameter light_colour(std::optional<core::NamedValue> normal = {});

/// A colour as a value of six decimals.
[[nodiscard]] Vec3 triple_of(const Rgb& colour);

/// The lights of the options; its sun and sky where it has none. Throws core::Error naming the light for a wrong value,
/// a missing image and the like.
[[nodiscard]] Lights make_lights(const Options& options, const LightPlace& place);

}  // namespace brisance::render
