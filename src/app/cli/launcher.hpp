/// Who started this process: `mpirun`, a step of SLURM, or nobody in particular.
#pragma once

#include <string>

namespace brisance::app {

/// Throws core::BadInput if SLURM started several tasks that do not know of each other, each of them a run of one rank
/// of the same scene: `srun` without PMIx. BRISANCE_SERIAL_TASKS in the environment says that this is wanted. Local.
void require_ranks_to_know_each_other(int num_ranks);

/// How to stop a run with a checkpoint, for the log: empty unless it is `mpirun` that should be told. Local.
[[nodiscard]] std::string how_to_stop();

}  // namespace brisance::app
