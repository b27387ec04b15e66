/// Intersects rays with the geometry of one frame: Embree for triangles, a formula for planes.
#pragma once

#include "geometry.hpp"

#include <memory>
#include <optional>

#include <embree3/rtcore.h>

namespace brisance::render {

struct Ray {
  Vec3f origin;     ///< relative to Geometry::origin [m]
  Vec3f direction;  ///< unit
};

struct Hit {
  Vec3f position;
  Vec3f face_normal;     ///< unit, towards the ray's origin
  Vec3f shading_normal;  ///< unit, on the side of face_normal
  Rgb albedo;
  bool is_plane = false;
};

/// Intersection queries for one Geometry, which must outlive it. Const calls may run on several threads.
class Tracer {
public:
  explicit Tracer(const Geometry& geometry);  ///< throws core::Error if Embree runs out of memory
  [[nodiscard]] std::optional<Hit> closest(const Ray& ray) const;
  [[nodiscard]] bool is_occluded(const Ray& ray) const;
  /// A ray that starts slightly off a surface point, so that it does not hit its own triangle.
  [[nodiscard]] Ray leaving(const Hit& hit, const Vec3f& direction) const {
    return {hit.position + offset_ * hit.face_normal, direction};
  }

private:
  [[nodiscard]] Hit triangle_hit(const Ray& ray, const RTCRayHit& query) const;

  const Geometry& geometry_;
  float offset_;  ///< [m]
  std::unique_ptr<RTCDeviceTy, decltype(&rtcReleaseDevice)> device_;
  std::unique_ptr<RTCSceneTy, decltype(&rtcReleaseScene)> scene_;
};

}  // namespace brisance::render
