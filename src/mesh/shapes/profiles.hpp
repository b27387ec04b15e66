/// Profiles of shapes of revolution.
#pragma once

#include "brisance/mesh/request.hpp"

#include "mesh/shapes/revolve.hpp"

#include <vector>

namespace brisance::mesh {

using Profile = std::vector<ProfilePiece>;

/// Two balls and the straight neck between them.
[[nodiscard]] Profile dumbbell_profile(const Request& request);
/// A foot that rises to the stem, and a bowl: half a spherical shell, straight above, with a rounded rim.
[[nodiscard]] Profile goblet_profile(const Request& request);
/// A flat foot, a convex body, a shoulder, a straight neck and a flared rim with a rounded edge: arcs that join without
/// a kink. Arcs of the inner wall have the centres of the outer ones.
[[nodiscard]] Profile amphora_profile(const Request& request);
/// A straight cup with a flat bottom as thick as its wall and a rounded rim.
[[nodiscard]] Profile cup_profile(const Request& request);

/// Volume of the body that a closed profile bounds [m³].
[[nodiscard]] double swept_volume_m3(const Profile& profile);

/// Throws core::Error if the dimensions of a shape of revolution contradict each other. Each is already known to be
/// positive.
void require_valid_dumbbell(const Request& request);
void require_valid_goblet(const Request& request);
void require_valid_amphora(const Request& request);

}  // namespace brisance::mesh
