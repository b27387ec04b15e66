/// Who started this process: `mpirun`, a step of SLURM, or nobody in particular.
#pragma once

#include <string>

namespace brisance::app {

/// Whether a launcher that MPI knows has started this process, `mpirun` or `srun --mpi=pmix`. Local; before MPI.
[[nodiscard]] bool has_launcher();

/// Of a process without a launcher: throws core::BadInput if SLURM started it as one of several tasks, each of which
/// would be a run of one rank of the same scene: `srun` without PMIx. BRISANCE_SERIAL_TASKS in the environment says
/// that this is wanted. Local; before MPI, which would end with a text about its own making.
void require_ranks_to_know_each_other();

/// How to stop a run with a checkpoint, for the log: empty unless it is `mpirun` that should be told. Local.
[[nodiscard]] std::string how_to_stop();

}  // namespace brisance::app
