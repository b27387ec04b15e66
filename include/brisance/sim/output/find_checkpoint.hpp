/// The checkpoint that a run continues from.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/sim/run_options.hpp"

#include <filesystem>

namespace brisance::sim {

/// `from`: a checkpoint, or a run folder, whose newest undamaged checkpoint is taken. Collective; throws core::BadInput
/// on all ranks if there is none.
[[nodiscard]] WholeCheckpoint find_checkpoint(const core::Comm& comm, const std::filesystem::path& from);

}  // namespace brisance::sim
