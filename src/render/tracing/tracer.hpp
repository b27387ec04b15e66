/// Intersects rays with the geometry of one frame: Embree for triangles, a formula for planes.
#pragma once

#include "render/geometry/geometry.hpp"
#include "render/geometry/ray.hpp"

#include <array>
#include <bitset>
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

/// Rays that are traced together.
inline constexpr std::size_t kPacket = 8;

/// What Embree says of the closest triangle.
struct TriangleHit {
  float distance;                        ///< [m]
  float u, v;                            ///< barycentric coordinates of the second and third corner
  Vec3f normal;                          ///< not of unit length
  std::uint32_t triangle = kNoTriangle;  ///< kNoTriangle: none is hit
};

/// Intersection queries for one Geometry, which must outlive it. Const calls may run on several threads.
class Tracer {
public:
  explicit Tracer(const Geometry& geometry);  ///< throws core::Error if Embree runs out of memory
  [[nodiscard]] std::optional<Hit> closest(const Ray& ray) const;
  [[nodiscard]] bool is_occluded(const Ray& ray) const;
  /// The same for at most kPacket rays at once, which is quicker where they are close to each other.
  void closest(std::span<const Ray> rays, std::span<std::optional<Hit>> hits) const;
  /// Bit i says whether ray i is occluded.
  [[nodiscard]] std::bitset<kPacket> are_occluded(std::span<const Ray> rays) const;
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
    return {hit.position + offset_ * hit.face_normal, direction, kFar, hit.time};
  }
  /// The same for interfaces of glass, where a larger offset would skip thin gaps.
  [[nodiscard]] Ray reflected(const Hit& hit, const Vec3f& direction) const {
    return {hit.position + 0.25F * closed_gap() * hit.face_normal, direction, kFar, hit.time};
  }
  /// A ray that starts beyond a surface, and beyond what lies within closed_gap() of it.
  [[nodiscard]] Ray beyond(const Hit& hit, const Vec3f& direction) const {
    return {hit.position - closed_gap() * hit.face_normal, direction, kFar, hit.time};
  }
  /// Surfaces closer to each other than this are in contact [m]. Rounding of positions in single precision is 1e-7 of
  /// the extent, so that the order of closer surfaces is not known; and a gap below a fifth of the wavelength of
  /// light, 1e-7 m, is no mirror: light tunnels through it.
  [[nodiscard]] float closed_gap() const { return closed_gap_; }

private:
  /// The closest of a triangle and the planes.
  [[nodiscard]] std::optional<Hit> found(const Ray& ray, const TriangleHit& triangle) const;
  [[nodiscard]] Hit triangle_hit(const Ray& ray, const TriangleHit& met) const;

  const Geometry& geometry_;
  float offset_, closed_gap_;  ///< [m]
  std::unique_ptr<RTCDeviceTy, decltype(&rtcReleaseDevice)> device_;
  std::unique_ptr<RTCSceneTy, decltype(&rtcReleaseScene)> scene_;
};

}  // namespace brisance::render
