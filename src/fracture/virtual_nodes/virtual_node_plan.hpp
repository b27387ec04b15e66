/// Planning cracks between tets that stay whole: what changes, and which ranks hold it.
#pragma once

#include "crack_sides.hpp"
#include "virtual_node_message.hpp"

#include <set>
#include <span>
#include <vector>

namespace brisance::fracture {

/// A crack without the ids of its new copies.
struct VirtualNodePlan {
  LocalNode node;
  bool is_at_front = false;
  VirtualNodeMessage message;
  std::set<int> holders;  ///< ranks that hold an element of the message
};

/// Plans for those of these real, owned nodes that the planes divide; `normals` are parallel to `nodes`. Tets around
/// edges that end at vertices of other ranks are fetched from these. Collective.
[[nodiscard]] std::vector<VirtualNodePlan> plan_virtual_cracks(const dist::Mesh& mesh,
                                                               const VirtualNodes& virtual_nodes,
                                                               std::span<const LocalNode> nodes,
                                                               std::span<const Vec3> normals,
                                                               const Parameters& parameters);

}  // namespace brisance::fracture
