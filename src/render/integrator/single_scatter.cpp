#include "render/integrator/single_scatter.hpp"

#include "render/integrator/direct_light.hpp"
#include "render/integrator/vertex.hpp"
#include "render/media/single_scattering.hpp"
#include "render/media/turbid.hpp"
#include "render/sampling/warp.hpp"

#include <numbers>

namespace brisance::render {
namespace {

constexpr float kAlmostAll = 1 - 1e-4F;  ///< of the way to a lamp, which is no obstacle itself
constexpr float kPerSphere = 0.25F * std::numbers::inv_pi_v<float>;  ///< isotropic phase function, and its density

/// The way out from a point inside.
struct WayOut {
  Ray ray;     ///< outside
  Rgb weight;  ///< of its radiance at the point
};

/// Nothing if the point is outside already.
std::optional<WayOut> way_out(const Stage& stage, const Branch& branch, const Vec3f& point, const Vec3f& direction) {
  const EnclosingMedia& media = branch.media;
  const auto hit = stage.tracer.closest_exit({.origin = point, .direction = direction, .time = branch.ray.time},
                                             media.current_solid());
  if (!hit) return std::nullopt;
  const float cosine = std::clamp(-hit->face_normal.dot(direction), 1e-4F, 1.0F);  // face_normal is inward here
  const media::Channels weight = media::light_through_surface(media.current()->turbid->medium, cosine, hit->distance);
  return WayOut{stage.tracer.beyond(*hit, direction), weight.cast<float>() * tint_at(stage, *hit)};
}

/// One sample of a light from a point inside.
Rgb light_at(const Stage& stage, const Branch& branch, const EnclosingMedia& outside, const Vec3f& point,
             const LightSample& sample, RayCount& count) {
  auto out = way_out(stage, branch, point, sample.direction);
  if (!out) return Rgb::Zero();
  const float inside = (out->ray.origin - point).norm();
  if (inside >= sample.distance) return Rgb::Zero();
  if (sample.distance < kFar) out->ray.far = kAlmostAll * (sample.distance - inside);
  const float weight = sample.is_delta ? 1 : power_heuristic(sample.pdf, kPerSphere);
  return kPerSphere * weight / sample.pdf * out->weight * sample.radiance *
         passing_light(stage, out->ray, outside, count);
}

}  // namespace

bool scatter_once(const Stage& stage, Branch& branch, Sampler& sampler, Arrivals& arrivals) {
  const media::Medium& medium = branch.media.current()->turbid->medium;
  const Point2 along = sampler.next(), direction_sample = sampler.next();
  const auto event = media::sample_scattering_point(medium, along.u, along.v);
  const auto distance = static_cast<float>(event.distance);
  const Vec3f point = branch.ray.origin + distance * branch.ray.direction;
  const bool is_outside = stage.tracer
                              .closest_exit({.origin = branch.ray.origin,
                                             .direction = branch.ray.direction,
                                             .far = distance,
                                             .time = branch.ray.time},
                                            branch.media.current_solid())
                              .has_value();
  if (is_outside) return false;
  EnclosingMedia outside = branch.media;
  outside.leave(outside.current_solid());
  const float index = index_of(branch.media.current());
  branch.throughput *= index * index * event.weight.cast<float>();
  for (const auto& light : stage.lights) {
    if (!light->is_sampled()) continue;
    const auto sample = light->sample(point, sampler.next());
    if (sample && sample->pdf > 0)
      arrivals.sum += branch.throughput * light_at(stage, branch, outside, point, *sample, arrivals.count);
  }
  const auto out = way_out(stage, branch, point, on_sphere(direction_sample));
  if (!out) return false;
  branch.throughput *= out->weight;
  branch.ray = out->ray;
  branch.media = outside;
  branch.entry_normal.setZero();
  branch.scatter_pdf = kPerSphere;
  branch.is_view = branch.is_caustic = false;
  branch.is_wide = true;
  ++branch.num_surfaces;
  return (branch.throughput > 0).any();
}

}  // namespace brisance::render
