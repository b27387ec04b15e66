/// Do cracks divide tets that stay whole (dist/division.hpp), so that contact needs points on cut edges?
#pragma once

#include "brisance/sim/parameters.hpp"

namespace brisance::sim {

[[nodiscard]] inline bool cracks_inside_tets(const Scene& scene) {
  return can_break(scene) && scene.fracture.cutter == "virtual_nodes";
}
/// Do colliders meet points on cut edges? Implicit steps know nodes alone.
[[nodiscard]] inline bool edges_meet_colliders(const Scene& scene) {
  return cracks_inside_tets(scene) && !scene.colliders.empty() && !dynamics::is_implicit(scene.time.integrator);
}
/// Do points on cut edges touch anything?
[[nodiscard]] inline bool edge_points_touch(const Scene& scene) {
  return edges_meet_colliders(scene) || (cracks_inside_tets(scene) && surfaces_touch(scene));
}

}  // namespace brisance::sim
