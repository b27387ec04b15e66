/// Detects how this process was started: by `mpirun`, in a SLURM step, or without a launcher.
#pragma once

#include <string>

namespace brisance::app {

/// Was this process started by a launcher that MPI knows, `mpirun` or `srun --mpi=pmix`? Local; before MPI.
[[nodiscard]] bool has_launcher();

/// For a process without a launcher: throws core::BadInput if SLURM started it as one of several tasks (`srun` without
/// PMIx), since each would run the same scene on one rank. BRISANCE_SERIAL_TASKS in the environment allows that. Local;
/// before MPI, which would end with an error text of its own.
void require_ranks_to_know_each_other();

/// Text for the log on how to stop a run with a checkpoint: empty unless the signal must be sent to `mpirun`. Local.
[[nodiscard]] std::string how_to_stop();

}  // namespace brisance::app
