/// Which tets take part in contact by overlaps: those at the boundary, and those below it where something lies deep.
#pragma once

#include "brisance/contact/overlap/node_penetration.hpp"
#include "brisance/contact/parameters.hpp"
#include "brisance/dist/mesh.hpp"

#include <vector>

namespace brisance::contact {

struct ContactLayer {
  std::vector<LocalElement> tets;  ///< held here, ascending slot
  std::vector<TetDepths> depths;   ///< beside them; empty where nodes do not count
};

/// Where volumes count: tets with at least three corners on the boundary, among which are all that have a face there,
/// and the tets around nodes of a tet that shares much with another (kSharesMuch), so that what has come through the
/// tets at the boundary is held up by those below. Where nodes count: tets with a corner on the boundary, which alone
/// know how deep a node lies in them. Every rank that holds a tet comes to the same. Collective.
[[nodiscard]] ContactLayer contact_layer(const dist::Mesh& mesh, ContactCriterion criterion);

}  // namespace brisance::contact
