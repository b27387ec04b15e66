/// From scene to finished run folder.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/io/marked_run.hpp"
#include "brisance/io/run_folder.hpp"
#include "brisance/sim/parameters.hpp"
#include "brisance/sim/run_options.hpp"

namespace brisance::sim {

/// The scene's output with the intervals that its zeros choose. Local.
[[nodiscard]] OutputParameters resolved_output(const Scene& scene);

/// Meshes the scene's objects, runs it to its end and writes the run folder: scene, log, monitor, snapshots, series.
/// A run that was asked to stop, or that would pass its deadline, marks the folder as interrupted, writes a checkpoint,
/// a last monitor line and a last snapshot; a resumed run puts others in their place.
/// Collective; throws core::Error on all ranks, after marking the folder as failed.
io::RunEnd run(const core::Comm& comm, const Scene& scene, const RunOptions& options);
/// The same into a folder that was made for it; `out` and `overwrite` of the options are not looked at.
io::RunEnd run(const core::Comm& comm, const Scene& scene, const RunOptions& options, const io::RunFolder& folder);

}  // namespace brisance::sim
