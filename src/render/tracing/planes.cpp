#include "render/tracing/planes.hpp"

#include <cmath>

namespace brisance::render {
namespace {

/// Checker of slightly lighter and darker tiles; the contrast vanishes within a few lengths.
Rgb checkered(const Geometry& geometry, const Plane& plane, const Vec3f& position) {
  const Vec3f u = plane.normal.unitOrthogonal();
  const Vec3f v = plane.normal.cross(u);
  const Vec3f world = position + geometry.origin.cast<float>();
  const PlaneLook& look = geometry.plane_view;
  const float tile = std::pow(2.0F, std::round(std::log2(0.25F * look.length)));
  const auto parity = static_cast<long>(std::floor(world.dot(u) / tile) + std::floor(world.dot(v) / tile)) & 1L;
  const float contrast =
      look.contrast * std::exp(-0.3F * (position - look.centre).squaredNorm() / (look.length * look.length));
  return look.albedo * (parity == 0 ? 1 + contrast : 1 - contrast);
}

}  // namespace

float distance_to(const Plane& plane, const Ray& ray) {
  const float falling = -plane.normal.dot(ray.direction);
  const float height = plane.normal.dot(ray.origin) - plane.offset;
  if (!(falling > 0 && height > 0)) return kFar;
  const float distance = height / falling;
  return distance < ray.far ? distance : kFar;
}

Hit plane_hit(const Geometry& geometry, const Plane& plane, const Ray& ray, float distance) {
  const Vec3f position = ray.origin + distance * ray.direction;
  return {.position = position,
          .face_normal = plane.normal,
          .shading_normal = plane.normal,
          .albedo = checkered(geometry, plane, position),
          .distance = distance,
          .time = ray.time,
          .surface = plane.surface,
          .solid = plane.solid,
          .is_plane = true};
}

}  // namespace brisance::render
