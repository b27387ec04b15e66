/// The plane of a crack that grows at its front.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criteria/star_forces.hpp"

#include <optional>

namespace brisance::fracture {

/// Normal of the plane across the largest hoop stress around the front through the node, or none where there is no
/// front; for a node whose star was evaluated with stresses. Local.
[[nodiscard]] std::optional<Vec3> hoop_normal(const dist::Mesh& mesh, LocalNode n, const StarForces& stars);

}  // namespace brisance::fracture
