#include "render/integrator/path_tracer.hpp"

#include "render/integrator/direct_light.hpp"
#include "render/integrator/turbid_passage.hpp"

#include <algorithm>

namespace brisance::render {
namespace {

constexpr int kSureSurfaces = 2;  ///< after which paths of little weight may end
constexpr int kMostSurfaces = 1000;
constexpr std::uint64_t kPoints = 64, kPlaces = kMostSurfaces * kPoints;  ///< random points of a surface, of a branch
constexpr float kWide = 4;  ///< below this density a direction is one of many [1/sr]; of matt surfaces 1/π at most
constexpr float kSurvival = 0.95F;  ///< beyond Transport::max_depth, at most

/// Weight of a light that scattered rays and samples of the light both find.
float weight_of(const Branch& branch, const Light& light, float light_pdf, bool caustics) {
  if (branch.scatter_pdf > 0) return power_heuristic(branch.scatter_pdf, light_pdf);
  return branch.is_caustic && !caustics && light.is_sampled() ? 0 : 1;
}

}  // namespace

void PathTracer::follow(Branch branch, std::optional<Hit> hit) {
  for (int passage = 0; passage < kMostSurfaces; ++passage) {  // closed cracks are passed without a surface
    if (is_turbid(branch.media.current())) {
      seek(branch);
      if (!pass_turbid(stage_, branch, sampler_, arrivals_) || branch.num_surfaces >= kMostSurfaces) break;
      hit = stage_.tracer.closest(branch.ray);
      continue;
    }
    ++arrivals_.count.paths;
    arrivals_.sum += branch.throughput * (hit ? lamps(branch, hit->distance) : escaped(branch));
    if (!hit || !advance(branch, *hit) || branch.num_surfaces >= kMostSurfaces) break;
    hit = stage_.tracer.closest(branch.ray);
  }
}

void PathTracer::seek(const Branch& branch) {
  sampler_.seek(kPlaces * branch.place + kPoints * static_cast<std::uint64_t>(branch.num_surfaces));
}

Rgb PathTracer::lamps(const Branch& branch, float distance) const {
  Rgb sum = Rgb::Zero();
  for (const auto& light : stage_.lights) {
    const auto met = light->is_around_scene() ? std::nullopt : light->emitted(branch.ray);
    if (met && met->distance < distance)
      sum += weight_of(branch, *light, met->pdf, stage_.transport.caustics) * met->radiance;
  }
  return sum;
}

Rgb PathTracer::surroundings(const Branch& branch) const {
  Rgb sum = Rgb::Zero();
  for (const auto& light : stage_.lights) {
    const auto met = light->is_around_scene() ? light->emitted(branch.ray) : std::nullopt;
    if (met) sum += weight_of(branch, *light, met->pdf, stage_.transport.caustics) * met->radiance;
  }
  return sum;
}

Rgb PathTracer::escaped(const Branch& branch) const {
  const Rgb around = surroundings(branch);
  return lamps(branch, kFar) + (branch.is_view ? stage_.backdrop.seen(branch.ray.direction, around) : around);
}

float PathTracer::least_alpha(const Branch& branch, const Interface& at) const {
  constexpr float kBlurred = 0.25F;
  const bool is_inside_glass = at.relative_index() < 1;  // light that is caught there would be lost by rough facets
  return branch.is_wide && !is_inside_glass && !stage_.transport.caustics ? kBlurred : 0;
}

bool PathTracer::advance(Branch& branch, Hit hit) {
  Interface at{.media_before = branch.media, .media_beyond = branch.media};
  if (goes_straight_on(branch, hit, at)) return true;
  if (hit.from_inside &&
      is_turbid(at.media_before.current())) {  // the ray began in a solid: a crack it could not resolve
    const float ratio = index_of(at.media_before.current()) / index_of(branch.media.current());
    branch.throughput /= ratio * ratio;  // as if it had entered
    branch.media = at.media_before;
    return true;
  }
  branch.throughput *= transmittance(at.media_before.current(), hit.distance);
  if (hit.is_plane && branch.is_view) fade_plane(branch, hit);
  seek(branch);
  const bool is_specular = stage_.material_of(hit.surface).is_specular();
  if (!(branch.throughput > 0).any() || !survives(branch, is_specular)) return false;
  const Vertex vertex(stage_, hit, branch.ray.direction, at.relative_index(), least_alpha(branch, at));
  return is_specular ? reflect_or_refract(branch, hit, vertex, at) : scatter(branch, hit, vertex, at);
}

bool PathTracer::goes_straight_on(Branch& branch, Hit& hit, Interface& at) const {
  if (stage_.material_of(hit.surface).interior() == nullptr) return false;
  at = interface_at(stage_, hit, branch.ray, branch.media);
  if (at.contact) hit = contact_hit(stage_, hit, *at.contact);
  if (at.contact || at.is_optical()) return false;
  const float passed = hit.distance + at.reach;
  branch.throughput *= transmittance(at.media_before.current(), passed);
  branch.ray.origin += passed * branch.ray.direction;
  branch.media = at.media_beyond;
  return true;
}

void PathTracer::fade_plane(Branch& branch, const Hit& hit) {
  const float share = stage_.backdrop.share_of_plane(hit.position);
  const Rgb background = stage_.backdrop.seen(branch.ray.direction, surroundings(branch));
  arrivals_.sum += (1 - share) * branch.throughput * background;
  branch.throughput *= share;
  branch.share_of_plane *= share;
}

bool PathTracer::survives(Branch& branch, bool is_specular) {
  const Transport& transport = stage_.transport;
  float survival = 1;
  if (is_specular && branch.num_specular >= transport.max_depth) {
    if (transport.method == Method::cutoff) return false;
    survival = kSurvival;
  } else if (branch.num_surfaces >= kSureSurfaces && (!is_specular || transport.method == Method::path)) {
    // Radiance in glass is index² times that outside; the weight outside counts. Planes that fade are no reason to end.
    const float index = index_of(branch.media.current());
    survival = std::min(1.0F, index * index * branch.throughput.maxCoeff() / branch.share_of_plane);
  }
  if (survival < 1 && sampler_.next().u >= survival) return false;
  branch.throughput /= survival;
  return true;
}

bool PathTracer::follows_both(const Branch& branch) const {
  const Transport& transport = stage_.transport;
  switch (transport.method) {
    case Method::path:
      return false;
    case Method::roulette:
      return branch.num_specular < transport.branching_depth;
    default:
      return branch.num_specular < transport.max_depth;
  }
}

bool PathTracer::reflect_or_refract(Branch& branch, const Hit& hit, const Vertex& vertex, const Interface& at) {
  const auto both = vertex.branches();
  if (!both->transmitted) {
    turn(branch, hit, both->reflected, at);
  } else if (follows_both(branch)) {
    Branch reflected = branch;
    turn(reflected, hit, both->reflected, at);
    follow(reflected, stage_.tracer.closest(reflected.ray));
    turn(branch, hit, *both->transmitted, at);
    stain(branch, *both->transmitted, vertex);
  } else {
    const Scattered one = one_of(*both, at.relative_index(), sampler_.next().u);
    turn(branch, hit, one, at);
    stain(branch, one, vertex);
  }
  return true;
}

bool PathTracer::scatter(Branch& branch, const Hit& hit, const Vertex& vertex, const Interface& at) {
  add_direct_light(stage_, branch, {hit, vertex, at.media_before, at.media_beyond}, sampler_, arrivals_);
  const Point2 random = sampler_.next();
  const auto scattered = vertex.sample(random, sampler_.next().u);
  if (!scattered) return false;
  turn(branch, hit, *scattered, at);
  stain(branch, *scattered, vertex);
  return (branch.throughput > 0).any();
}

void PathTracer::stain(Branch& branch, const Scattered& scattered, const Vertex& vertex) {
  if (scattered.is_transmission && is_turbid(branch.media.current())) branch.throughput *= vertex.tint();
}

void PathTracer::turn(Branch& branch, const Hit& hit, const Scattered& scattered, const Interface& at) const {
  const Tracer& tracer = stage_.tracer;
  const bool is_glass = stage_.material_of(hit.surface).interior() != nullptr;
  branch.throughput *= scattered.weight;
  branch.media = scattered.is_transmission ? at.media_beyond : at.media_before;
  branch.ray = scattered.is_transmission ? tracer.beyond(hit, scattered.wi)
               : is_glass                ? tracer.reflected(hit, scattered.wi)
                                         : tracer.leaving(hit, scattered.wi);
  branch.entry_normal = scattered.is_transmission ? hit.face_normal : Vec3f(Vec3f::Zero());
  ++branch.num_surfaces;
  if (scattered.is_specular) {
    ++branch.num_specular;
    branch.place = 2 * branch.place + (scattered.is_transmission ? 1 : 0);
    branch.is_caustic = !branch.is_view;
    branch.scatter_pdf = 0;
  } else {
    branch.is_view = branch.is_caustic = false;
    branch.scatter_pdf = scattered.pdf;
    branch.is_wide = branch.is_wide || scattered.pdf < kWide;
  }
}

}  // namespace brisance::render
