/// Can the machines of a run hold its mesh?
#pragma once

#include "brisance/core/comm.hpp"

#include <cstdint>
#include <string>

namespace brisance::sim {

/// What to say of a machine with `ranks_here` of `ranks` ranks that has so many bytes left; empty if its share of the
/// mesh fits. The estimate is a least: what a mesh needs that has not cracked. Local.
[[nodiscard]] std::string memory_complaint(std::int64_t num_tets, int ranks, int ranks_here, std::int64_t bytes_left);

/// Throws core::BadInput on all ranks if some machine cannot hold its ranks' share. Collective.
void require_memory(const core::Comm& comm, std::int64_t num_tets);

}  // namespace brisance::sim
