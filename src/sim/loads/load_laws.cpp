/// The size of a load as a function of time and distance, independent of the mesh.
#include "brisance/sim/loads/loads.hpp"

#include "sim/places.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::sim {

namespace {

/// (r₀/r)ⁿ beyond the reference distance, 1 within it.
double strength_at(const LoadParameters& load, double distance_m) {
  if (distance_m <= load.reference_distance_m) return 1;
  return std::pow(load.reference_distance_m / distance_m, load.falloff);
}

/// Integral of the line through two points of a profile, between two times within it [Pa s].
double under_line(const std::array<double, 2>& a, const std::array<double, 2>& b, double from_s, double to_s) {
  const auto at = [&](double t) { return a[1] + (b[1] - a[1]) * ((t - a[0]) / (b[0] - a[0])); };
  return 0.5 * (at(from_s) + at(to_s)) * (to_s - from_s);
}

/// Value of a profile at a time within its range [Pa].
double at_moment(const std::vector<std::array<double, 2>>& profile, double time_s) {
  std::size_t i = 1;
  while (profile[i][0] < time_s) ++i;
  const auto &a = profile[i - 1], &b = profile[i];
  return a[1] + (b[1] - a[1]) * ((time_s - a[0]) / (b[0] - a[0]));
}

double mean_of_profile(const std::vector<std::array<double, 2>>& profile, double from_s, double duration_s) {
  const double to_s = from_s + duration_s;
  if (to_s <= profile.front()[0]) return profile.front()[1];
  if (from_s >= profile.back()[0]) return profile.back()[1];
  if (duration_s == 0) return at_moment(profile, from_s);
  double impulse = 0;
  if (from_s < profile.front()[0]) impulse += profile.front()[1] * (profile.front()[0] - from_s);
  if (to_s > profile.back()[0]) impulse += profile.back()[1] * (to_s - profile.back()[0]);
  for (std::size_t i = 1; i < profile.size(); ++i) {
    const double begin = std::max(from_s, profile[i - 1][0]), end = std::min(to_s, profile[i][0]);
    if (begin < end) impulse += under_line(profile[i - 1], profile[i], begin, end);
  }
  return impulse / duration_s;
}

/// ∫ from 0 to x of (1 − u) exp(−b u) du.
double friedlander_impulse(double x, double b) {
  if (b == 0) return x - 0.5 * x * x;
  const double left = std::exp(-b * x);
  return (1 - left) / b - (1 - left * (1 + b * x)) / (b * b);
}

double mean_of_blast(const LoadParameters& load, double distance_m, double from_s, double duration_s) {
  const double arrival_s = load.start_s + distance_m / load.wave_speed_m_s, phase_s = load.positive_phase_s;
  double end_s = from_s + duration_s;
  if (!load.has_negative_phase) end_s = std::min(end_s, arrival_s + phase_s);
  const double begin_s = std::max(from_s, arrival_s);
  if (!(begin_s < end_s)) return 0;
  const double impulse = phase_s * (friedlander_impulse((end_s - arrival_s) / phase_s, load.decay) -
                                    friedlander_impulse((begin_s - arrival_s) / phase_s, load.decay));
  return load.peak_pressure_pa * strength_at(load, distance_m) * impulse / duration_s;
}

}  // namespace

double mean_pressure(const LoadParameters& load, double distance_m, double from_s, double duration_s) {
  if (load.kind == LoadKind::blast) return mean_of_blast(load, distance_m, from_s, duration_s);
  return load.profile.empty() ? load.pressure_pa : mean_of_profile(load.profile, from_s, duration_s);
}

Vec3 impulse_velocity(const LoadParameters& load, const Vec3& x) {
  const Vec3 away = x - load.point;
  const double distance_m = away.norm();
  if (distance_m == 0) return Vec3::Zero();
  return load.speed_m_s * strength_at(load, distance_m) / distance_m * away;
}

bool selects(const LoadParameters& load, const Vec3& rest) {
  switch (load.shape) {
    case LoadShape::all:
      return true;
    case LoadShape::box:
      return in_box(load, rest);
    case LoadShape::sphere:
      return in_sphere(load, rest);
    case LoadShape::half_space:
      return in_half_space(load, rest);
    case LoadShape::group:
      break;  // independent of position
  }
  return false;
}

}  // namespace brisance::sim
