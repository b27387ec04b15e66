#include "path.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::render {
namespace {

/// Sunlight reflected at a hit, before its albedo: cos θ where the sun is visible.
Rgb sunlight(const Tracer& tracer, const Light& light, const Hit& hit, Sampler& sampler) {
  const Vec3f direction = light.sun_direction(sampler.next());
  const float cosine = hit.shading_normal.dot(direction);
  if (cosine <= 0 || hit.face_normal.dot(direction) <= 0) return Rgb::Zero();
  return tracer.is_occluded(tracer.leaving(hit, direction)) ? Rgb(Rgb::Zero()) : Rgb(cosine * light.sun());
}

/// Radiance leaving a hit. A cosine-distributed direction makes every bounce's weight the bare albedo.
Rgb reflected(const Tracer& tracer, const Light& light, Hit hit, Sampler& sampler) {
  constexpr int kSureSurfaces = 2, kMaxSurfaces = 1000;
  Rgb sum = Rgb::Zero(), throughput = Rgb::Ones();
  for (int surface = 1; surface <= kMaxSurfaces; ++surface) {
    throughput *= hit.albedo;
    sum += throughput * sunlight(tracer, light, hit, sampler);
    const Vec3f direction = cosine_direction(hit.shading_normal, sampler.next());
    // A direction below the true surface (the shading normal may tilt) is mirrored above it.
    const float below = std::min(0.0F, direction.dot(hit.face_normal));
    const auto next = tracer.closest(tracer.leaving(hit, direction - 2 * below * hit.face_normal));
    if (!next) return sum + throughput * light.sky(direction);
    hit = *next;
    if (surface < kSureSurfaces) continue;
    const float survival = std::min(1.0F, throughput.maxCoeff());
    if (sampler.next().u >= survival) break;
    throughput /= survival;
  }
  return sum;
}

}  // namespace

Rgb radiance(const Tracer& tracer, const Light& light, const Ray& ray, float height, const Fade& fade,
             Sampler& sampler) {
  const auto hit = tracer.closest(ray);
  if (!hit) return light.background(height);
  const Rgb surface = reflected(tracer, light, *hit, sampler);
  if (!hit->is_plane) return surface;
  const float distance = (hit->position - fade.centre).norm() / fade.distance;
  const float near = std::exp(-distance * distance);
  return near * surface + (1 - near) * light.background(height);
}

}  // namespace brisance::render
