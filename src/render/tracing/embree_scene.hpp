/// Embree's tree of boxes over the triangles of one frame.
#pragma once

#include "render/geometry/geometry.hpp"

#include <memory>

#include <embree3/rtcore.h>

namespace brisance::render {

using EmbreeScene = std::unique_ptr<RTCSceneTy, decltype(&rtcReleaseScene)>;

/// A scene whose primitives are Geometry::triangles. With a shutter, triangles move in a straight line while it is
/// open. Throws core::Error if Embree runs out of memory. Local.
[[nodiscard]] EmbreeScene embree_scene(RTCDevice device, const Geometry& geometry);

}  // namespace brisance::render
