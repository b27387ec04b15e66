/// The background: what the camera sees where there is nothing, directly or through glass.
#pragma once

#include "brisance/render/camera.hpp"
#include "brisance/render/options.hpp"

#include "render/geometry/geometry.hpp"
#include "render/geometry/ray.hpp"

namespace brisance::render {

/// A gradient from the bottom of the picture to its top, fixed to the camera, into which planes fade so that no horizon
/// is visible. Beyond twice the angle of view it passes into what surrounds the scene: mirrors and glass reflect that.
class Backdrop {
public:
  /// @param tangents  of the half angles of view (view_tangents)
  Backdrop(const Options& options, const CameraAxes& axes, const std::array<double, 2>& tangents,
           const PlaneLook& planes);

  /// @param surroundings  radiance from that direction of the lights around the scene
  [[nodiscard]] Rgb seen(const Vec3f& direction, const Rgb& surroundings) const;
  /// Share of a plane's own radiance at a point; the rest is the background.
  [[nodiscard]] float share_of_plane(const Vec3f& position) const;

private:
  [[nodiscard]] float share_in_view(const Vec3f& direction) const;

  Rgb bottom_, top_;
  Vec3f forward_, right_, up_;
  float tangent_;                ///< of half the vertical angle of view
  float inner_rad_, outer_rad_;  ///< angles from the axis between which the gradient passes into the surroundings
  bool shows_surroundings_;
  Vec3f centre_;
  float fade_m_;
};

}  // namespace brisance::render
