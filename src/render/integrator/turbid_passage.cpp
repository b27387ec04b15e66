#include "render/integrator/turbid_passage.hpp"

#include "render/integrator/dipole_probe.hpp"
#include "render/integrator/direct_light.hpp"
#include "render/integrator/single_scatter.hpp"
#include "render/integrator/vertex.hpp"
#include "render/integrator/walk_space.hpp"
#include "render/materials/exit_lobe.hpp"
#include "render/media/random_walk.hpp"
#include "render/media/turbid.hpp"
#include "render/tracing/planes.hpp"

#include <functional>

namespace brisance::render {
namespace {

const media::Turbid& turbid_of(const Branch& branch) { return *branch.media.current()->turbid; }

/// Is the solid so thick where the branch enters that the dipole holds?
bool is_thick(const Stage& stage, const Branch& branch) {
  constexpr double kFrontLit = 3, kBackLit = 4;  // of thickness σ_tr
  const double transport = turbid_of(branch).least_transport;
  if (!(transport > 0)) return false;
  const Vec3f inward = -branch.entry_normal;
  const auto far_side = stage.tracer.closest_exit({.origin = branch.ray.origin,
                                                   .direction = inward,
                                                   .far = static_cast<float>(kBackLit / transport),
                                                   .time = branch.ray.time},
                                                  branch.media.current_solid());
  if (!far_side) return true;
  if (far_side->distance * transport < kFrontLit) return false;
  return stage.tracer.is_occluded(stage.tracer.beyond(*far_side, inward));
}

bool takes_dipole(const Stage& stage, const Branch& branch) {
  if (branch.entry_normal.isZero()) return false;  // the ray began inside
  switch (turbid_of(branch).approach) {
    case media::Approach::dipole:
      return true;
    case media::Approach::random_walk:
      return false;
    default:
      return is_thick(stage, branch);
  }
}

/// Radiance outside is 1/η² of that inside.
float radiance_leaving(const Branch& branch, const EnclosingMedia& outside) {
  const float ratio = index_of(branch.media.current()) / index_of(outside.current());
  return ratio * ratio;
}

/// Diffuse light leaves at a hit that is seen from outside.
bool leave_diffusely(const Stage& stage, Branch& branch, const Hit& exit, const EnclosingMedia& outside,
                     Sampler& sampler, Arrivals& arrivals) {
  if (is_below_plane(stage.tracer.geometry(), exit.position)) return false;  // pressed into the ground
  const ExitLobe lobe(index_of(branch.media.current()) / index_of(outside.current()));
  branch.throughput *= radiance_leaving(branch, outside) * tint_at(stage, exit);
  const Vertex vertex(stage, lobe, exit, -exit.face_normal, 1);
  add_direct_light(stage, branch, {exit, vertex, outside, outside}, sampler, arrivals);
  const auto scattered = vertex.sample(sampler.next(), 0);
  if (!scattered) return false;
  branch.throughput *= scattered->weight;
  branch.ray = stage.tracer.reflected(exit, scattered->wi);
  branch.media = outside;
  branch.scatter_pdf = scattered->pdf;
  branch.entry_normal.setZero();
  branch.is_view = branch.is_caustic = false;
  branch.is_wide = true;
  ++branch.num_surfaces;
  return (branch.throughput > 0).any();
}

/// Light that crossed unscattered leaves as through glass.
void leave_straight(const Stage& stage, Branch& branch, const Hit& exit, const Vec3f& direction,
                    const EnclosingMedia& outside) {
  branch.throughput *= radiance_leaving(branch, outside) * tint_at(stage, exit);
  branch.ray = stage.tracer.reflected(exit, direction);
  branch.media = outside;
  branch.scatter_pdf = 0;
  branch.entry_normal.setZero();
  branch.is_caustic = !branch.is_view;
  ++branch.num_surfaces;
  ++branch.num_specular;
}

bool walk(const Stage& stage, Branch& branch, Sampler& sampler, Arrivals& arrivals) {
  WalkSpace space(stage, branch.media, branch.ray.time);
  media::WalkNumbers numbers(sampler.next_key());
  const media::WalkSettings settings{.weight = branch.throughput.cast<double>(),
                                     .surface_offset = stage.tracer.closed_gap()};
  const auto end = media::random_walk(turbid_of(branch).medium, settings, branch.ray.origin.cast<double>(),
                                      branch.ray.direction.cast<double>(), std::ref(space), numbers);
  ++arrivals.count.walks;
  if (!end) return false;
  arrivals.count.walk_events += static_cast<std::uint64_t>(end->num_scatterings);
  branch.throughput = end->weight.cast<float>();
  const EnclosingMedia outside = space.media_outside();
  if (end->num_scatterings > 0) return leave_diffusely(stage, branch, space.exit(), outside, sampler, arrivals);
  leave_straight(stage, branch, space.exit(), end->direction.cast<float>(), outside);
  return true;
}

/// Light scattered once, or the rest by the dipole. The first is chosen more often than its share of 5 to 10 %: its
/// samples vary more.
bool dipole(const Stage& stage, Branch& branch, Sampler& sampler, Arrivals& arrivals) {
  const media::Turbid& turbid = turbid_of(branch);
  const media::Channels once = turbid.once / turbid.dipole.total();
  constexpr double kChanceOnce = 0.25;
  ++arrivals.count.dipoles;
  if (sampler.next().u < kChanceOnce) {
    branch.throughput /= static_cast<float>(kChanceOnce);
    return scatter_once(stage, branch, sampler, arrivals);
  }
  branch.throughput *= ((1 - once) / (1 - kChanceOnce)).cast<float>();
  const auto exit = probe_dipole(stage, branch, sampler);
  if (!exit) return false;
  branch.throughput *= exit->weight;
  EnclosingMedia outside = branch.media;
  outside.leave(outside.current_solid());
  return leave_diffusely(stage, branch, exit->hit, outside, sampler, arrivals);
}

}  // namespace

bool pass_turbid(const Stage& stage, Branch& branch, Sampler& sampler, Arrivals& arrivals) {
  return takes_dipole(stage, branch) ? dipole(stage, branch, sampler, arrivals)
                                     : walk(stage, branch, sampler, arrivals);
}

}  // namespace brisance::render
