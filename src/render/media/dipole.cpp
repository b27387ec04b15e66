#include "dipole.hpp"

#include "fresnel_moments.hpp"

#include <cmath>
#include <numbers>

namespace brisance::render::media {
namespace {

/// z (1 + σ d) e^(−σ d)/d³, the flux of one source through the surface at a radius, up to 4π.
Channels flux(const Channels& depth, const Channels& transport, double radius) {
  const Channels distance = (depth.square() + radius * radius).sqrt();
  const Channels decay = transport * distance;
  return depth * (1 + decay) * (-decay).exp() / distance.cube();
}

/// ∫₀^radius r z (1 + σ d) e^(−σ d)/d³ dr = e^(−σ z) − (z/d) e^(−σ d).
Channels flux_within(const Channels& depth, const Channels& transport, double radius) {
  const Channels distance = (depth.square() + radius * radius).sqrt();
  return (-transport * depth).exp() - depth / distance * (-transport * distance).exp();
}

/// y with y + ln y = logarithm (Lambert's W of e^logarithm), by Newton's method from below: it rises to the root.
double lambert(double logarithm) {
  double y = logarithm > 1 ? logarithm - std::log(logarithm) : std::exp(logarithm) / (1 + std::exp(logarithm));
  constexpr int kEnough = 20;  // quadratic: five are usual
  for (int i = 0; i < kEnough; ++i) {
    const double next = y * (1 + logarithm - std::log(y)) / (1 + y);
    if (std::abs(next - y) <= 1e-14 * y) return next;
    y = next;
  }
  return y;
}

}  // namespace

double distance_of_share(double depth, double transport, double share) {
  const double decay = transport * depth;
  if (decay == 0) return depth / share;
  return lambert(std::log(decay / share) + decay) / transport;
}

Dipole::Dipole(const Medium& medium) : albedo_(reduced_albedo(medium)), transport_(effective_transport(medium)) {
  real_.depth = mean_free_path(medium);
  virtual_.depth = real_.depth * (1 + 4.0 / 3 * boundary_mismatch(medium.index));
  const Channels of_real = (-transport_ * real_.depth).exp(), of_virtual = (-transport_ * virtual_.depth).exp();
  total_ = 0.5 * albedo_ * (of_real + of_virtual);
  real_.strength = of_real / (of_real + of_virtual);
  virtual_.strength = of_virtual / (of_real + of_virtual);
}

Channels Dipole::profile(double radius) const {
  constexpr double kFourPi = 4 * std::numbers::pi;
  return albedo_ / kFourPi * (flux(real_.depth, transport_, radius) + flux(virtual_.depth, transport_, radius));
}

Channels Dipole::within(double radius) const {
  return 0.5 * albedo_ *
         (flux_within(real_.depth, transport_, radius) + flux_within(virtual_.depth, transport_, radius));
}

double Dipole::sample_radius(int channel, double u, double v) const {
  const double depth = u < real_.strength[channel] ? real_.depth[channel] : virtual_.depth[channel];
  const double distance = distance_of_share(depth, transport_[channel], 1 - v);
  return std::sqrt(std::max(0.0, distance * distance - depth * depth));
}

}  // namespace brisance::render::media
