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
  const Material& material = stage.material_of(hit.surface);
  const Interior* interior = material.interior();
  if (interior == nullptr || (interior->scattering > 0).any() || !material.is_specular()) return false;
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

Rgb light_sample(const Stage& stage, const Hit& hit, const Vertex& vertex, const Sides& sides,
                 const LightSample& sample, RayCount& count) {
  const Rgb scattered = vertex.evaluate(sample.direction);
  if (!(scattered > 0).any()) return Rgb::Zero();
  const bool is_beyond = sample.direction.dot(hit.face_normal) < 0;
  Ray ray = is_beyond ? stage.tracer.beyond(hit, sample.direction) : stage.tracer.leaving(hit, sample.direction);
  ray.far = sample.distance * kAlmost;
  const float weight = sample.is_delta ? 1 : power_heuristic(sample.pdf, vertex.pdf(sample.direction));
  return weight / sample.pdf * scattered * sample.radiance *
         passing_light(stage, ray, is_beyond ? sides.beyond : sides.here, count);
}

}  // namespace

Rgb passing_light(const Stage& stage, const Ray& ray, const EnclosingMedia& media, RayCount& count) {
  if (stage.has_glass && !stage.transport.caustics) return through_glass(stage, ray, media, count);
  ++count.shadows;
  return stage.tracer.is_occluded(ray) ? Rgb(Rgb::Zero()) : transmittance(media.current(), std::min(ray.far, 1e30F));
}

Rgb direct_light(const Stage& stage, const Hit& hit, const Vertex& vertex, const Sides& sides, Sampler& sampler,
                 RayCount& count) {
  Rgb sum = Rgb::Zero();
  for (const auto& light : stage.lights) {
    if (!light->is_sampled()) continue;
    if (const auto sample = light->sample(hit.position, sampler.next()); sample && sample->pdf > 0)
      sum += light_sample(stage, hit, vertex, sides, *sample, count);
  }
  return sum;
}

}  // namespace brisance::render
