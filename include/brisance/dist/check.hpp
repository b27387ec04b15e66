/// Checks the invariants of the distributed mesh: at the end of each run, in tests, and after each fracture round with
/// `fracture.check_invariants`.
#pragma once

#include "brisance/dist/mesh.hpp"

#include <string>
#include <vector>

namespace brisance::dist {

/// Violations found, as sentences, the same list on all ranks; empty if these hold:
/// - every element is held by exactly the owners of its corners, and all copies agree to the bit (corners, rest shape,
///   fields);
/// - every ghost equals its owner's node (id, rest and current position, velocity);
/// - stars hold exactly the held elements that name the node, ascending; an owned node's mass is its star's sum;
/// - rest volumes are positive, every face belongs to one or two elements, no star is disconnected.
/// Collective; expensive.
[[nodiscard]] std::vector<std::string> check_mesh(const Mesh& mesh);

/// Throws core::Error on all ranks, with the first finding and `when`, unless check_mesh finds nothing. Collective.
void require_consistent(const Mesh& mesh, const std::string& when);

}  // namespace brisance::dist
