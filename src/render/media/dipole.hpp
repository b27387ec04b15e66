/// Diffuse light in a half space by two point sources: how much leaves at a distance from where it entered.
#pragma once

#include "medium.hpp"

namespace brisance::render::media {

/// Diffuse reflectance of a half space around a thin beam:
///
///   R_d(r) = α'/(4π) Σ z (1 + σ_tr d) e^(−σ_tr d)/d³,  d² = r² + z²,
///
/// summed over a real source at depth z_r = 1/σ'_t and a virtual one at z_v = z_r (1 + 4A/3) above the surface
/// [Jensen et al. 2001, eq. (4), whose virtual term has a factor 1/σ'_t too many].
/// It is the share of light that entered the medium, per area of its surface; light scattered once is part of it.
class Dipole {
public:
  explicit Dipole(const Medium& medium);

  /// R_d [1/m²] at a distance [m].
  [[nodiscard]] Channels profile(double radius) const;
  /// ∫ 2πr R_d dr = α'/2 (1 + e^(−4A/3 √(3(1 − α')))) e^(−√(3(1 − α'))).
  [[nodiscard]] const Channels& total() const { return total_; }
  /// ∫₀^radius 2πr R_d dr.
  [[nodiscard]] Channels within(double radius) const;

  /// A radius [m] with density 2πr R_d(r)/total of one channel. Exact: each source has a closed distribution,
  /// 1 − (z/d) e^(−σ_tr (d − z)).
  /// @param channel  0, 1, 2; @param u, v  uniform in [0, 1): source and radius
  [[nodiscard]] double sample_radius(int channel, double u, double v) const;
  /// R_d/total, the density of sampled points per area of the surface [1/m²], of each channel.
  [[nodiscard]] Channels density(double radius) const { return profile(radius) / total_; }

private:
  struct Source {
    Channels depth;     ///< z [m]
    Channels strength;  ///< its share of the total
  };

  Channels albedo_, transport_, total_;
  Source real_, virtual_;
};

/// The distance d ≥ z at which (z/d) e^(−σ (d − z)) has fallen to `share` in (0, 1].
[[nodiscard]] double distance_of_share(double depth, double transport, double share);

}  // namespace brisance::render::media
