/// New owners of nodes that even out the work of the ranks.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/dist/numbering.hpp"

#include <cstdint>
#include <vector>

namespace brisance::dist {

/// Work of each node for its owner. Kinds of work are done one after another, and all ranks wait in between; so each
/// kind has to be balanced by itself.
struct NodeWork {
  int num_kinds = 1;
  std::vector<double> work;  ///< [slot][kind] of owned nodes, in any unit, not negative
};

/// Owners for `migrate` under which every rank has about the same of each kind of work: the nodal graph is partitioned
/// where it lies (la/partition.hpp), and parts are assigned to ranks so that most nodes stay. Collective; throws
/// core::Error.
[[nodiscard]] NodeField<std::int32_t> balanced_owners(const Mesh& mesh, const NodeWork& work);

}  // namespace brisance::dist
