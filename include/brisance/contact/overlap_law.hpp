/// How hard a tet presses for what others occupy of it.
#pragma once

#include <algorithm>

namespace brisance::contact {

/// Of the share q of a tet's volume at rest that others occupy, beyond what is forgiven,
///
///   p = κ (q + c b²),   U/V₀ = κ (q²/2 + c b³/3),   b = max(0, q − kSoftShare)
///
/// up to q = 1, and with the slope it has there beyond: p is what U/V₀ grows by with q. A light tet is soft (κ), since
/// it goes far for its size from one look at pairs to the next; once a good part of it is in others it hardens (c), or
/// it would sink into them as a whole, where no overlap changes any more and nothing says which way is out.
struct OverlapLaw {
  static constexpr double kSoftShare = 0.25;            ///< up to which p = κ q [–]
  static constexpr double kHardShare = 1 - kSoftShare;  ///< over which it hardens [–]

  double stiffness = 0;  ///< κ [Pa]
  double hardening = 0;  ///< c [–]

  /// @param share  q, not less than 0 [–]
  /// @return p [Pa]
  [[nodiscard]] double pressure(double share) const {
    const double beyond = std::clamp(share - kSoftShare, 0.0, kHardShare), further = std::max(0.0, share - 1);
    return stiffness * (share + hardening * beyond * (beyond + 2 * further));
  }
  /// @param share  as above
  /// @return κ q, of p what it has without hardening [Pa]
  [[nodiscard]] double soft_pressure(double share) const { return stiffness * share; }
  /// @param share  as above
  /// @return what hardening adds to that [Pa]
  [[nodiscard]] double hard_pressure(double share) const { return pressure(share) - soft_pressure(share); }
  /// @param share  as above
  /// @return dp/dq [Pa]
  [[nodiscard]] double slope(double share) const {
    return stiffness * (1 + 2 * hardening * std::clamp(share - kSoftShare, 0.0, kHardShare));
  }
  /// @param share  as above
  /// @return what hardening adds to κ q²/2 [J/m³]
  [[nodiscard]] double hard_energy_density(double share) const {
    return energy_density(share) - 0.5 * stiffness * share * share;
  }
  /// @param share  as above
  /// @return U/V₀ [J/m³]
  [[nodiscard]] double energy_density(double share) const {
    const double beyond = std::clamp(share - kSoftShare, 0.0, kHardShare), further = std::max(0.0, share - 1);
    return stiffness *
           (0.5 * share * share + hardening * beyond * (beyond * beyond / 3 + beyond * further + further * further));
  }
};

/// The law that has p = κ₀ where a tet is in others as a whole, q = 1.
/// @param softened  κ over κ₀, no more than 1 [–]
[[nodiscard]] inline OverlapLaw softened_law(double full_stiffness, double softened) {
  return {softened * full_stiffness, (1 / softened - 1) / (OverlapLaw::kHardShare * OverlapLaw::kHardShare)};
}

}  // namespace brisance::contact
