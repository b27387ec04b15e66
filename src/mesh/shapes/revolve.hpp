/// Closed surfaces of revolution about z.
#pragma once

#include "brisance/mesh/reference.hpp"
#include "brisance/mesh/surface.hpp"

#include <vector>

namespace brisance::mesh {

/// One smooth piece of a profile in the half-plane (r ≥ 0, z); a sharp edge may lie between two pieces.
struct ProfilePiece {
  ProfileCurve curve;
  double length_m;
  double swept_m3;     ///< π ∫ r² dz along it: over a whole profile, the volume of the body
  int least_cuts = 1;  ///< least number of parts into which it is divided

  /// (r, z) [m] at a fraction in [0, 1] of its length.
  [[nodiscard]] Vec2 point(double fraction) const { return curve.point(fraction); }
};

[[nodiscard]] ProfilePiece straight_piece(const Vec2& from, const Vec2& to);
/// centre + radius (cos φ, sin φ), φ from first to last angle [rad].
[[nodiscard]] ProfilePiece arc_piece(const Vec2& centre, double radius_m, double first_rad, double last_rad);

/// Appends the surface swept by a profile: from axis to axis, or back to its own start. The body lies to the left of
/// the profile. Rings have points about one edge length apart; neighbouring rings are joined by triangles; points away
/// from sharp edges are jittered along the surface, so every vertex lies exactly on it.
void append_revolved(Surface& surface, const std::vector<ProfilePiece>& profile, double edge_length_m);

}  // namespace brisance::mesh
