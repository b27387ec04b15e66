/// New owners for nodes where the work is not where the owners are.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/dist/numbering.hpp"

#include <cstdint>
#include <vector>

namespace brisance::dist {

/// What nodes cost their owners. Kinds are what is done one after another with all ranks waiting in between, so that
/// each has to be even by itself.
struct NodeWork {
  int num_kinds = 1;
  std::vector<double> work;  ///< [slot][kind] of owned nodes, in any unit, not negative
};

/// Owners for `migrate` under which every rank has about the same of each kind of work: the nodal graph divided where
/// it lies (la/partition.hpp), the parts named so that most nodes stay. Collective; throws core::Error.
[[nodiscard]] NodeField<std::int32_t> balanced_owners(const Mesh& mesh, const NodeWork& work);

}  // namespace brisance::dist
