/// The tets that take part in contact by overlaps: those at the boundary, and those below it where overlaps are deep.
#pragma once

#include "brisance/contact/overlap/node_penetration.hpp"
#include "brisance/contact/parameters.hpp"
#include "brisance/dist/mesh.hpp"

#include <vector>

namespace brisance::contact {

struct ContactLayer {
  std::vector<LocalElement> tets;  ///< held on this rank, ascending slot
  std::vector<TetDepths> depths;   ///< parallel to tets; empty unless the criterion is node_penetration
};

/// For criterion overlap_volume: tets with at least three corners on the boundary, which include all that have a face
/// there, and the tets around nodes of a tet that overlaps another much (kSharesMuch), so that a tet that has passed
/// through the boundary layer meets those below. For node_penetration: tets with a corner on the boundary, since they
/// alone have the depths below it (TetDepths). Every rank that holds a tet makes the same choice. Collective.
[[nodiscard]] ContactLayer contact_layer(const dist::Mesh& mesh, ContactCriterion criterion);

}  // namespace brisance::contact
