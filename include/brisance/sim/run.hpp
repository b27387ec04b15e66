/// From scene to finished run folder.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/marked_run.hpp"
#include "brisance/io/run_folder.hpp"
#include "brisance/sim/parameters.hpp"
#include "brisance/sim/run_options.hpp"

namespace brisance::sim {

/// The scene's output with default intervals in the place of zeros. Local.
[[nodiscard]] OutputParameters resolved_output(const Scene& scene);

/// Meshes the scene's objects, runs it to its end and writes the run folder: scene, log, monitor, snapshots, series.
/// A run that was asked to stop, or would pass its deadline, marks the folder as interrupted and writes a checkpoint, a
/// last monitor line and a last snapshot, which a resumed run replaces. Collective; throws core::Error on all ranks,
/// after marking the folder as failed.
io::RunEnd run(const core::Comm& comm, const Scene& scene, const RunOptions& options);
/// The same, into an existing folder; `out` and `overwrite` of the options are ignored. Collective; throws likewise.
io::RunEnd run(const core::Comm& comm, const Scene& scene, const RunOptions& options, const io::RunFolder& folder);

}  // namespace brisance::sim
