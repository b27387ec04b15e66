/// The data that chosen nodes need for a plan: their stars are on this rank, the far sides of their link edges may not
/// be.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criteria/failure_search.hpp"
#include "brisance/fracture/cutters/plan.hpp"

#include <map>
#include <set>
#include <vector>

namespace brisance::fracture {

struct ChosenNode {
  LocalNode node;
  Neighbourhood neighbourhood;
  std::set<int> holders;  ///< ranks that hold any element the cut may touch
};

/// Neighbourhoods of the chosen nodes, complete with the elements around every crossing link edge, fetched from the
/// owner of the edge's lower end where this rank owns neither. Collective.
[[nodiscard]] std::vector<ChosenNode> gather_neighbourhoods(const dist::Mesh& mesh,
                                                            const std::vector<LocalNode>& chosen,
                                                            const std::map<LocalNode, Failure>& failing,
                                                            const Parameters& parameters);

}  // namespace brisance::fracture
