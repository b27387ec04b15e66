/// Checks whether the machines of a run have enough memory for its mesh.
#pragma once

#include "brisance/core/comm.hpp"

#include <cstdint>
#include <string>

namespace brisance::sim {

/// The error text for a machine with `ranks_here` of `ranks` ranks and `bytes_left` free bytes; empty if its share of
/// the mesh fits. The estimate is a lower bound, for a mesh without cracks. Local.
[[nodiscard]] std::string memory_complaint(std::int64_t num_tets, int ranks, int ranks_here, std::int64_t bytes_left);

/// Throws core::BadInput on all ranks if some machine cannot hold its ranks' share. Collective.
void require_memory(const core::Comm& comm, std::int64_t num_tets);

}  // namespace brisance::sim
