#include "render/film/camera_rays.hpp"

#include "render/sampling/warp.hpp"

namespace brisance::render {

CameraRays::CameraRays(const Camera& camera, const Options& options, const Vec3& origin)
    : axes_(camera_axes(camera)),
      eye_(camera.eye - origin),
      tangents_(view_tangents(camera.field_of_view_deg, options.width, options.height)),
      width_(options.width),
      height_(options.height),
      lens_radius_m_(0.5 * options.exposure.aperture_m),
      focus_m_(options.exposure.focus_m > 0 ? options.exposure.focus_m : (camera.target - camera.eye).norm()),
      has_shutter_(options.exposure.shutter > 0) {}

Ray CameraRays::ray(int x, int y, Sampler& sampler) const {
  const Point2 inside = sampler.next();
  const double across = 2 * (x + inside.u) / width_ - 1, upward = 1 - 2 * (y + inside.v) / height_;
  Vec3 direction = axes_.forward + across * tangents_[0] * axes_.right + upward * tangents_[1] * axes_.up;
  Vec3 start = eye_;
  if (lens_radius_m_ > 0) {
    const Eigen::Vector2d on_lens = lens_radius_m_ * on_disc(sampler.next()).cast<double>();
    const Vec3 shift = on_lens.x() * axes_.right + on_lens.y() * axes_.up;
    start += shift;
    direction -= shift / focus_m_;
  }
  Ray ray{.origin = start.cast<float>(), .direction = direction.normalized().cast<float>()};
  if (has_shutter_) ray.time = sampler.next().u;
  return ray;
}

float CameraRays::depth(const Vec3f& point) const {
  return static_cast<float>((point.cast<double>() - eye_).dot(axes_.forward));
}

}  // namespace brisance::render
