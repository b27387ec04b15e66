/// Rays of a camera with a lens and a shutter.
#pragma once

#include "brisance/render/camera.hpp"
#include "brisance/render/options.hpp"

#include "render/geometry/ray.hpp"
#include "render/sampling/sampler.hpp"

#include <array>

namespace brisance::render {

/// A thin lens: rays from all points of its disc to one point of the plane in focus. Without an aperture a pinhole.
class CameraRays {
public:
  /// @param origin  of the rays' coordinates in the world [m]
  CameraRays(const Camera& camera, const Options& options, const Vec3& origin);

  /// A ray through pixel (x, y), counted from the top left. Draws a place in the pixel, then, where they are needed, a
  /// point of the lens and a moment.
  [[nodiscard]] Ray ray(int x, int y, Sampler& sampler) const;
  /// Distance of a point from the eye along the view's axis [m].
  [[nodiscard]] float depth(const Vec3f& point) const;

private:
  CameraAxes axes_;
  Vec3 eye_;  ///< [m]
  std::array<double, 2> tangents_;
  int width_, height_;
  double lens_radius_m_, focus_m_;
  bool has_shutter_;
};

}  // namespace brisance::render
