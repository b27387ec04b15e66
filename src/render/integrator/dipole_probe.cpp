#include "render/integrator/dipole_probe.hpp"

#include "render/media/turbid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace brisance::render {
namespace {

using media::Channels;

/// Unit axes about the entry.
using Axes = std::array<Vec3f, 3>;

Axes axes_about(const Vec3f& normal) {
  const Vec3f tangent = normal.unitOrthogonal();
  return {tangent, normal.cross(tangent), normal};
}

/// Chance of each channel to sample the radius: its part of the light that is carried.
Channels channel_chances(const Branch& branch) {
  const Channels light = branch.throughput.cast<double>() * branch.media.current()->turbid->dipole.total();
  return light / light.sum();
}

int chosen_channel(const Channels& chances, double u) {
  return u < chances[0] ? 0 : u < chances[0] + chances[1] ? 1 : 2;
}

/// p(x) [1/m²].
double area_density(const Branch& branch, const Axes& axes, const Vec3f& from_entry, const Vec3f& normal) {
  const media::Dipole& dipole = branch.media.current()->turbid->dipole;
  double density = 0;
  for (const Vec3f& axis : axes)
    density +=
        std::abs(normal.dot(axis)) * (channel_chances(branch) * dipole.density(from_entry.cross(axis).norm())).sum();
  return density;
}

/// How far from the entry light is looked for: all of the solid, but no more than 30 decay lengths.
float reach_of(const Stage& stage, const media::Turbid& turbid) {
  constexpr double kDecayLengths = 30;  // e^-30
  const float extent = 1.01F * stage.tracer.geometry().extent;
  if (!(turbid.least_transport > 0)) return extent;
  const double mean_free_path = media::mean_free_path(turbid.medium).maxCoeff();
  return std::min(extent, static_cast<float>(kDecayLengths * (1 / turbid.least_transport + mean_free_path)));
}

/// Points of the solid on the three lines.
struct Found {
  struct Point {
    int axis;
    Crossing crossing;
    Channels weight;  ///< R_d/p
  };
  std::array<Ray, 3> lines;
  std::array<Point, 3 * Crossings::kMost> points;
  std::size_t count = 0;
  double sum = 0;  ///< of all points, as light_of()
};

/// The light that a branch would carry after a weight, of all channels.
double light_of(const Branch& branch, const Channels& weight) {
  return (branch.throughput.cast<double>() * weight).sum();
}

void add_points(const Stage& stage, const Branch& branch, const Axes& axes, int axis, Found& found) {
  const media::Dipole& dipole = branch.media.current()->turbid->dipole;
  const Ray& line = found.lines[axis];
  const Crossings crossings = stage.tracer.crossings(line, branch.media.current_solid());
  for (const Crossing& crossing : crossings.list()) {
    const Vec3f from_entry = line.origin + crossing.distance * line.direction - branch.ray.origin;
    const Vec3f normal = outward_normal(stage.tracer.geometry().triangles[crossing.triangle]);
    const double density = area_density(branch, axes, from_entry, normal);
    if (!(density > 0)) continue;
    const Channels weight = dipole.profile(from_entry.norm()) / density;
    found.points[found.count++] = {axis, crossing, weight};
    found.sum += light_of(branch, weight);
  }
}

Found find_points(const Stage& stage, const Branch& branch, Sampler& sampler) {
  const media::Turbid& turbid = *branch.media.current()->turbid;
  const Axes axes = axes_about(branch.entry_normal);
  const Point2 which = sampler.next(), where = sampler.next();
  const int channel = chosen_channel(channel_chances(branch), which.u);
  const double radius = turbid.dipole.sample_radius(channel, which.v, where.u), angle = 2 * std::numbers::pi * where.v;
  const auto across = static_cast<float>(radius * std::cos(angle)),
             along = static_cast<float>(radius * std::sin(angle));
  const float reach = reach_of(stage, turbid);
  Found found;
  for (int a = 0; a < 3; ++a) {
    const Vec3f aside = across * axes[(a + 1) % 3] + along * axes[(a + 2) % 3];
    found.lines[a] = {.origin = branch.ray.origin + aside - reach * axes[a],
                      .direction = axes[a],
                      .far = 2 * reach,
                      .time = branch.ray.time};
    add_points(stage, branch, axes, a, found);
  }
  return found;
}

}  // namespace

std::optional<DipoleExit> probe_dipole(const Stage& stage, const Branch& branch, Sampler& sampler) {
  const Found found = find_points(stage, branch, sampler);
  const double most = light_of(branch, branch.media.current()->turbid->dipole.total());
  double remaining = sampler.next().u * found.sum;
  for (std::size_t i = 0; i < found.count; ++i) {
    const auto& [axis, crossing, weights] = found.points[i];
    const double light = light_of(branch, weights);
    remaining -= light;
    if (remaining >= 0 || light == 0) continue;
    return DipoleExit{seen_from_outside(stage.tracer.hit_of(found.lines[axis], crossing)),
                      (weights * (std::min(found.sum, most) / light)).cast<float>()};
  }
  return std::nullopt;
}

}  // namespace brisance::render
