#include "render/integrator/direct_light.hpp"

#include "render/integrator/interface.hpp"
#include "render/materials/fresnel.hpp"

#include <algorithm>

namespace brisance::render {
namespace {

constexpr float kAlmost = 1 - 1e-4F;  ///< of the way to a lamp, which is no obstacle itself

/// Share that passes an interface seen from the side of the smaller index: a ray that goes straight on has no critical
/// angle.
float share_passing(const Interface& at, float cosine) {
  if (!at.is_optical()) return 1;
  const float relative = at.relative_index();
  return 1 - fresnel_dielectric(cosine, std::max(relative, 1 / relative));
}

/// Lets the light through a hit of smooth glass; false if it is blocked. What scatters light has samples of its own.
bool pass(const Stage& stage, const Hit& hit, Ray& ray, EnclosingMedia& media, Rgb& share) {
  if (!is_clear(stage.material_of(hit.surface))) return false;
  const Interface at = interface_at(stage, hit, ray, media);
  share *= transmittance(at.media_before.current(), hit.distance) *
           share_passing(at, std::min(1.0F, -hit.shading_normal.dot(ray.direction)));
  if (at.contact) return false;
  media = at.media_beyond;
  const float passed = hit.distance + at.reach;
  ray = {ray.origin + passed * ray.direction, ray.direction, ray.far - passed, ray.time};
  return ray.far > 0;
}

Rgb through_glass(const Stage& stage, Ray ray, EnclosingMedia media, RayCount& count) {
  constexpr int kMostSurfaces = 64;
  Rgb share = Rgb::Ones();
  for (int i = 0; i < kMostSurfaces; ++i) {
    ++count.shadows;
    const auto hit = stage.tracer.closest(ray);
    if (!hit) return ray.far < kFar ? Rgb(share * transmittance(media.current(), ray.far)) : share;
    if (!pass(stage, *hit, ray, media, share)) break;
  }
  return Rgb::Zero();
}

/// Without caustics light goes straight through clear glass.
bool goes_through_glass(const Stage& stage) { return stage.has_clear_glass && !stage.transport.caustics; }

/// The way to a light's sample, and what arrives if it is free.
struct Reach {
  Ray ray;
  Rgb light = Rgb::Zero();
  const EnclosingMedia* media = nullptr;  ///< that the ray starts in
};

Reach reach_of(const Stage& stage, const LitPoint& point, const LightSample& sample) {
  const Rgb scattered = point.vertex.evaluate(sample.direction);
  if (!(scattered > 0).any()) return {};
  const bool is_beyond = sample.direction.dot(point.hit.face_normal) < 0;
  Ray ray =
      is_beyond ? stage.tracer.beyond(point.hit, sample.direction) : stage.tracer.leaving(point.hit, sample.direction);
  ray.far = sample.distance * kAlmost;
  const float weight = sample.is_delta ? 1 : power_heuristic(sample.pdf, point.vertex.pdf(sample.direction));
  return {ray, weight / sample.pdf * scattered * sample.radiance, is_beyond ? &point.beyond : &point.here};
}

/// Is a ray of the camera's own view, that glass cannot let through?
bool can_wait(const Stage& stage, const Branch& branch, const Arrivals& arrivals) {
  return arrivals.later != nullptr && branch.num_surfaces == 0 && !goes_through_glass(stage);
}

}  // namespace

Rgb passing_light(const Stage& stage, const Ray& ray, const EnclosingMedia& media, RayCount& count) {
  if (goes_through_glass(stage)) return through_glass(stage, ray, media, count);
  ++count.shadows;
  return stage.tracer.is_occluded(ray) ? Rgb(Rgb::Zero()) : transmittance(media.current(), std::min(ray.far, 1e30F));
}

void add_direct_light(const Stage& stage, const Branch& branch, const LitPoint& point, Sampler& sampler,
                      Arrivals& arrivals) {
  for (std::size_t i = 0; i < stage.lights.size(); ++i) {
    const Light& light = *stage.lights[i];
    if (!light.is_sampled()) continue;
    const auto sample = light.sample(point.hit.position, sampler.next());
    if (!sample || !(sample->pdf > 0)) continue;
    Reach reach = reach_of(stage, point, *sample);
    if (reach.media == nullptr) continue;
    reach.light *= branch.throughput;
    if (can_wait(stage, branch, arrivals))
      arrivals.later->add({reach.ray,
                           reach.light * transmittance(reach.media->current(), std::min(reach.ray.far, 1e30F)), i,
                           arrivals.sample});
    else
      arrivals.sum += reach.light * passing_light(stage, reach.ray, *reach.media, arrivals.count);
  }
}

}  // namespace brisance::render
