#include "render/integrator/dipole_probe.hpp"

#include "render/media/turbid.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace brisance::render {
namespace {

using media::Channels;

constexpr std::array kAxisChances{0.25, 0.25, 0.5};  ///< two tangents, normal

/// Unit axes about the entry.
using Axes = std::array<Vec3f, 3>;

Axes axes_about(const Vec3f& normal) {
  const Vec3f tangent = normal.unitOrthogonal();
  return {tangent, normal.cross(tangent), normal};
}

/// Chance of each channel to sample the radius: its part of the light.
Channels channel_chances(const media::Dipole& dipole) { return dipole.total() / dipole.total().sum(); }

/// An index by its chances.
template <class Chances>
int chosen(const Chances& chances, double u) {
  return u < chances[0] ? 0 : u < chances[0] + chances[1] ? 1 : 2;
}

/// p(x) [1/m²].
double area_density(const media::Dipole& dipole, const Axes& axes, const Vec3f& from_entry, const Vec3f& normal) {
  double density = 0;
  for (int a = 0; a < 3; ++a) {
    const double radius = from_entry.cross(axes[a]).norm();
    density +=
        kAxisChances[a] * std::abs(normal.dot(axes[a])) * (channel_chances(dipole) * dipole.density(radius)).sum();
  }
  return density;
}

/// A line through the solid, as a ray that starts outside.
Ray probe_ray(const Stage& stage, const media::Dipole& dipole, const Axes& axes, const Vec3f& entry, Sampler& sampler) {
  const Point2 which = sampler.next(), where = sampler.next();
  const int axis = chosen(kAxisChances, which.u), channel = chosen(channel_chances(dipole), which.v);
  const double radius = dipole.sample_radius(channel, sampler.next().u, where.u);
  const double angle = 2 * std::numbers::pi * where.v;
  const Vec3f& along = axes[axis];
  const Vec3f aside = static_cast<float>(radius * std::cos(angle)) * axes[(axis + 1) % 3] +
                      static_cast<float>(radius * std::sin(angle)) * axes[(axis + 2) % 3];
  const float length = 1.01F * stage.tracer.geometry().extent;
  return {.origin = entry + aside - length * along, .direction = along, .far = 2 * length};
}

/// The crossings of a line with the solid, and the profile over the density at each.
struct Found {
  Crossings crossings;
  std::array<Channels, Crossings::kMost> weights;
  double sum = 0;  ///< of all weights and channels
};

Found weighted_crossings(const Stage& stage, const Branch& branch, const Axes& axes, const Ray& ray) {
  const media::Dipole& dipole = branch.media.current()->turbid->dipole;
  Found found{.crossings = stage.tracer.crossings(ray, branch.media.current_solid()), .weights = {}};
  for (std::size_t i = 0; i < found.crossings.list().size(); ++i) {
    const Crossing& crossing = found.crossings.list()[i];
    const Vec3f from_entry = ray.origin + crossing.distance * ray.direction - branch.ray.origin;
    const Vec3f normal = outward_normal(stage.tracer.geometry().triangles[crossing.triangle]);
    const double density = area_density(dipole, axes, from_entry, normal);
    found.weights[i] = density > 0 ? Channels(dipole.profile(from_entry.norm()) / density) : Channels::Zero();
    found.sum += found.weights[i].sum();
  }
  return found;
}

}  // namespace

std::optional<DipoleExit> probe_dipole(const Stage& stage, const Branch& branch, Sampler& sampler) {
  const Axes axes = axes_about(branch.entry_normal);
  const Ray ray = probe_ray(stage, branch.media.current()->turbid->dipole, axes, branch.ray.origin, sampler);
  const double choice = sampler.next().u;
  const Found found = weighted_crossings(stage, branch, axes, ray);
  double remaining = choice * found.sum;
  for (std::size_t i = 0; i < found.crossings.list().size(); ++i) {
    const double weight = found.weights[i].sum();
    remaining -= weight;
    if (remaining >= 0 || weight == 0) continue;
    const Hit hit = stage.tracer.hit_of(ray, found.crossings.list()[i]);
    return DipoleExit{seen_from_outside(hit), (found.weights[i] * (found.sum / weight)).cast<float>()};
  }
  return std::nullopt;
}

}  // namespace brisance::render
