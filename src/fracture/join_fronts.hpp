/// Turning a crack's plane so that it meets the fronts in reach.
#pragma once

#include "brisance/fracture/plan.hpp"

#include <optional>
#include <vector>

namespace brisance::fracture {

struct Joined {
  Vec3 normal;                 ///< unit, of the plane that meets the fronts
  std::vector<char> on_plane;  ///< by link node: it lies on a front and counts as on the plane
};

/// The plane through the node that comes nearest to the fronts ahead of which the node lies and to its own front, among
/// planes that do not turn far from the wanted one:
///
///   n ∝ (I + 100 C/ℓ²)⁻¹ d
///
/// with d the wanted normal, at a front its mean with the normal of the crack behind where both differ by less than
/// 30°, C the mean dyad of the arms to the front's nodes and ℓ² the mean squared length of the star's edges. Fronts of
/// cracks that are steeper than 60° to d, or whose nodes lie more than 45° off its plane, are left alone. None where
/// there is nothing to join, or where n would turn by more than 45°. A pure function.
[[nodiscard]] std::optional<Joined> join_fronts(const Neighbourhood& hood);

}  // namespace brisance::fracture
