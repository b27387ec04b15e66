#include "random_walk.hpp"

#include "smooth_boundary.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::render::media {
namespace {

/// Light on its way.
struct Walker {
  Vec3 position, direction;
  Channels weight = Channels::Ones();
  int num_scatterings = 0;
};

/// Coefficients as the flights see them.
struct Flights {
  Channels scattering, extinction;  ///< [1/m]
};

Flights flights_of(const Medium& medium, double anisotropy) {
  const Channels scattering = medium.reduced_scattering / (1 - anisotropy);
  return {scattering, scattering + medium.absorption};
}

/// Chance of each channel to sample the next flight: its share of the weight, which keeps the sum of weights bounded.
Channels channel_shares(const Walker& walker) { return walker.weight / walker.weight.sum(); }

double flight_length(const Flights& flights, const Channels& shares, WalkNumbers& numbers) {
  const double choice = numbers.next();
  const int channel = choice < shares[0] ? 0 : choice < shares[0] + shares[1] ? 1 : 2;
  return -std::log(1 - numbers.next()) / flights.extinction[channel];
}

/// The weight after a flight that ended in a scattering event at `length`.
void scatter(Walker& walker, const Flights& flights, const Channels& shares, double length) {
  const Channels transmitted = (-flights.extinction * length).exp();
  walker.weight *= flights.scattering * transmitted / (shares * flights.extinction * transmitted).sum();
  walker.position += length * walker.direction;
  ++walker.num_scatterings;
}

void turn(Walker& walker, double anisotropy, WalkNumbers& numbers) {
  const double u = numbers.next(), v = numbers.next();
  walker.direction = scattered_direction(walker.direction, anisotropy, u, v);
}

/// The weight after a flight that was long enough to reach the surface.
void reach_surface(Walker& walker, const Flights& flights, const Channels& shares, double distance) {
  const Channels transmitted = (-flights.extinction * distance).exp();
  walker.weight *= transmitted / (shares * transmitted).sum();
  walker.position += distance * walker.direction;
}

/// Russian roulette by weight; after very many events also by their number, so that light without absorption ends, too.
bool survives(Walker& walker, double weight_at_start, WalkNumbers& numbers) {
  constexpr int kManyEvents = 20000;
  constexpr double kSurvivalAfterMany = 0.999;
  double survival = std::min(1.0, walker.weight.maxCoeff() / weight_at_start);
  if (walker.num_scatterings > kManyEvents) survival *= kSurvivalAfterMany;
  if (survival >= 1) return true;
  if (numbers.next() >= survival) return false;
  walker.weight /= survival;
  return true;
}

/// The direction outside, or nothing after reflection back inside.
std::optional<Vec3> leaving_direction(Walker& walker, const Vec3& normal, double index, WalkNumbers& numbers) {
  if (index == 1) return walker.direction;
  const double cosine = walker.direction.dot(normal);
  if (numbers.next() >= fresnel_reflectance(cosine, 1 / index)) return refracted(walker.direction, normal, 1 / index);
  walker.direction = reflected(walker.direction, normal);
  return std::nullopt;
}

}  // namespace

Vec3 scattered_direction(const Vec3& axis, double anisotropy, double u, double v) {
  const double g = anisotropy;
  const double part = (1 - g * g) / (1 - g + 2 * g * u);
  const double cosine = std::abs(g) < 1e-6 ? 2 * u - 1 : std::clamp((1 + g * g - part * part) / (2 * g), -1.0, 1.0);
  const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine)), angle = 2 * std::numbers::pi * v;
  const Vec3 across = axis.unitOrthogonal();
  return (cosine * axis + sine * (std::cos(angle) * across + std::sin(angle) * axis.cross(across))).normalized();
}

std::optional<WalkEnd> random_walk(const Medium& medium, const WalkSettings& settings, const Vec3& start,
                                   const Vec3& direction, const FindSurface& find_surface, WalkNumbers& numbers) {
  const Flights flights = flights_of(medium, settings.anisotropy);
  const double index = settings.has_fresnel_boundary ? medium.index : 1;
  Walker walker{.position = start, .direction = direction, .weight = settings.weight};
  const double weight_at_start = settings.weight.maxCoeff();
  if (!(weight_at_start > 0)) return std::nullopt;
  while (survives(walker, weight_at_start, numbers)) {
    const Channels shares = channel_shares(walker);
    const double length = flight_length(flights, shares, numbers);
    const auto surface = find_surface(walker.position, walker.direction, length);
    if (!surface) {
      scatter(walker, flights, shares, length);
      turn(walker, settings.anisotropy, numbers);
      continue;
    }
    // The surface from outside: the walk has slipped out through a gap.
    if (walker.direction.dot(surface->normal) <= 0) return std::nullopt;
    reach_surface(walker, flights, shares, surface->distance);
    if (const auto outside = leaving_direction(walker, surface->normal, index, numbers))
      return WalkEnd{walker.position, surface->normal, *outside, walker.weight, walker.num_scatterings};
    walker.position -= settings.surface_offset * surface->normal;
  }
  return std::nullopt;
}

}  // namespace brisance::render::media
