/// Intersects rays with the geometry of one frame: Embree for triangles, a formula for planes.
#pragma once

#include "render/geometry/geometry.hpp"
#include "render/geometry/ray.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>

#include <embree3/rtcore.h>

namespace brisance::render {

/// A surface crossed by a ray.
struct Crossing {
  float distance;                          ///< [m]
  std::uint32_t triangle, surface, solid;  ///< as in Hit
  bool is_exit;                            ///< the ray leaves the solid
  float u = 0, v = 0;                      ///< barycentric coordinates of corners 1 and 2
};

/// Crossings in ascending distance; of more than kMost the farthest are left out.
class Crossings {
public:
  static constexpr std::size_t kMost = 16;
  void add(const Crossing& crossing);
  [[nodiscard]] std::span<const Crossing> list() const { return {list_.data(), count_}; }

private:
  std::array<Crossing, kMost> list_{};
  std::size_t count_ = 0;
};

/// Intersection queries for one Geometry, which must outlive it. Const calls may run on several threads.
class Tracer {
public:
  explicit Tracer(const Geometry& geometry);  ///< throws core::Error if Embree runs out of memory
  [[nodiscard]] std::optional<Hit> closest(const Ray& ray) const;
  [[nodiscard]] bool is_occluded(const Ray& ray) const;
  /// All surfaces along the ray, up to Ray::far. Planes are crossed from above only.
  [[nodiscard]] Crossings crossings(const Ray& ray) const;
  /// Those of one solid's triangles.
  [[nodiscard]] Crossings crossings(const Ray& ray, std::uint32_t solid) const;
  /// The first triangle through which the ray leaves a solid; others are not met.
  [[nodiscard]] std::optional<Hit> closest_exit(const Ray& ray, std::uint32_t solid) const;
  /// The hit of a triangle that was crossed.
  [[nodiscard]] Hit hit_of(const Ray& ray, const Crossing& crossing) const;
  [[nodiscard]] const Geometry& geometry() const { return geometry_; }

  /// A ray that starts slightly off a surface point, so that it does not hit its own triangle.
  [[nodiscard]] Ray leaving(const Hit& hit, const Vec3f& direction) const {
    return {hit.position + offset_ * hit.face_normal, direction};
  }
  /// The same for interfaces of glass, where a larger offset would skip thin gaps.
  [[nodiscard]] Ray reflected(const Hit& hit, const Vec3f& direction) const {
    return {hit.position + 0.25F * closed_gap() * hit.face_normal, direction};
  }
  /// A ray that starts beyond a surface, and beyond what lies within closed_gap() of it.
  [[nodiscard]] Ray beyond(const Hit& hit, const Vec3f& direction) const {
    return {hit.position - closed_gap() * hit.face_normal, direction};
  }
  /// Surfaces closer to each other than this are in contact [m]. Rounding of positions in single precision is 1e-7 of
  /// the extent, so that the order of closer surfaces is not known; and a gap below a fifth of the wavelength of
  /// light, 1e-7 m, is no mirror: light tunnels through it.
  [[nodiscard]] float closed_gap() const { return closed_gap_; }

private:
  [[nodiscard]] Hit triangle_hit(const Ray& ray, const RTCRayHit& query) const;

  const Geometry& geometry_;
  float offset_, closed_gap_;  ///< [m]
  std::unique_ptr<RTCDeviceTy, decltype(&rtcReleaseDevice)> device_;
  std::unique_ptr<RTCSceneTy, decltype(&rtcReleaseScene)> scene_;
};

}  // namespace brisance::render
