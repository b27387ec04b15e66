/// Sun and sky for the tracer: directions fixed in the world, brightness as in Lighting.
#pragma once

#include "brisance/render/options.hpp"

#include "sampler.hpp"

namespace brisance::render {

/// Unit vector about `axis` with density proportional to the cosine of the angle between them.
[[nodiscard]] Vec3f cosine_direction(const Vec3f& axis, Point2 sample);

class Light {
public:
  /// @param axes  of the camera: the sun's direction is relative to it, so that the visible side is lit
  Light(const Lighting& lighting, const CameraAxes& axes, const Vec3& up);

  /// A direction towards a point of the sun's disc.
  [[nodiscard]] Vec3f sun_direction(Point2 sample) const;
  /// Radiance of a white Lambert surface facing the sun.
  [[nodiscard]] const Rgb& sun() const { return lighting_.sun; }
  /// Radiance of the sky: zenith to horizon above, horizon below.
  [[nodiscard]] Rgb sky(const Vec3f& direction) const;
  /// Radiance of the background, `height` 0 at the bottom of the picture … 1 at its top.
  [[nodiscard]] Rgb background(float height) const;

private:
  Lighting lighting_;
  Vec3f up_, sun_;
  float sun_radius_;  ///< tangent
};

}  // namespace brisance::render
