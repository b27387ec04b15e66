/// A light: the sun, the sky, a lamp or an environment image. A kind of light is a class in a file of its own with a
/// row in kinds.cpp.
#pragma once

#include "render/geometry/ray.hpp"
#include "render/sampling/sampler.hpp"

#include <optional>

namespace brisance::render {

/// A direction towards a light, chosen by it.
struct LightSample {
  Vec3f direction;        ///< unit, from the point to the light
  float distance = kFar;  ///< to the light [m]; kFar for lights around the scene
  Rgb radiance;           ///< arriving from there; for a light of no size radiance × solid angle, with pdf 1
  float pdf = 0;          ///< per solid angle [1/sr]
  bool is_delta = false;  ///< the light has no size: no ray meets it
};

/// What a ray receives from a light that it meets.
struct Emission {
  Rgb radiance;
  float distance = kFar;  ///< [m]; kFar for lights around the scene
  float pdf = 0;          ///< with which sample() of the ray's origin chooses its direction [1/sr]; 0: never
};

/// Points are relative to Geometry::origin [m]. A white Lambert surface in radiance 1 from everywhere has radiance 1.
/// Const calls may run on several threads.
class Light {
public:
  Light() = default;
  Light(const Light&) = delete;
  Light& operator=(const Light&) = delete;
  virtual ~Light() = default;

  /// A direction from a point to the light; nothing if the light cannot be seen from there, or is never sampled: then
  /// only scattered rays find it.
  [[nodiscard]] virtual std::optional<LightSample> sample(const Vec3f& /*point*/, Point2 /*random*/) const {
    return std::nullopt;
  }
  /// Is it infinitely far away?
  [[nodiscard]] virtual bool is_around_scene() const { return false; }
  /// Is sample() of use?
  [[nodiscard]] virtual bool is_sampled() const { return true; }
  /// What a ray receives if nothing is in between; nothing if it misses the light.
  [[nodiscard]] virtual std::optional<Emission> emitted(const Ray& ray) const = 0;
  /// Density of sample() for the ray's direction [1/sr].
  [[nodiscard]] float pdf(const Ray& ray) const {
    const auto met = emitted(ray);
    return met ? met->pdf : 0;
  }
};

}  // namespace brisance::render
