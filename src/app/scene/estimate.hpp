/// Estimates the cost of a scene from steps of the scene itself, on coarser meshes where its own would take long to
/// make.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dist/mesh_share.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/simulation.hpp"

#include <cstdint>

namespace brisance::app {

/// Estimated number of tets of all objects: target counts, volumes over those of regular tets of the wanted edge
/// (a³/(6√2)), contents of files. Local; throws core::Error for a file that cannot be used.
[[nodiscard]] double estimated_tets(const sim::Scene& scene);

/// The scene with edges longer by this factor and the same strength: a toughness in newton grows with the area of a
/// node. Tetrahedral mesh files are unchanged.
[[nodiscard]] sim::Scene coarsened(sim::Scene scene, double factor);

/// The initial mesh of such a copy. Parts of the scene and factors for which its tets are too coarse are removed from
/// the scene and reported. Collective; throws core::Error.
[[nodiscard]] sim::InitialMesh build_coarsened(const core::Comm& comm, sim::Scene& scene);

/// Longest stable step at rest of a mesh whose lengths are multiplied by `scale`: the bound of its worst tet [s].
/// Regions are indices of the scene's materials. Collective.
[[nodiscard]] double stable_step(const core::Comm& comm, const sim::Scene& scene, const dist::MeshShare& share,
                                 double scale);

/// The initial time step of a run on such a mesh [s]. Collective.
[[nodiscard]] double uncut_step(const core::Comm& comm, const sim::Scene& scene, const dist::MeshShare& share,
                                double scale);

/// Trial steps taken to measure their cost.
struct Trial {
  std::int64_t tets = 0, steps = 0;
  std::int64_t bytes = 0;     ///< of the distributed mesh and contact, over all ranks
  double seconds_a_step = 0;  ///< time of the slowest rank
  double first_step_s = 0;    ///< simulated time; with several step classes that of the longest
  sim::StepBound bound;       ///< before the first step
};

/// Takes steps of the scene for about a third of a second. Collective; throws core::Error.
[[nodiscard]] Trial try_steps(const core::Comm& comm, const sim::Scene& scene, const sim::InitialMesh& initial);

/// A run of the scene without output, to its end or to its time limit.
struct Rehearsal {
  std::int64_t tets = 0;     ///< before the first crack
  double seconds = 0;        ///< of the slowest rank, for the whole duration, extrapolated at its last pace
  double done_share = 0;     ///< completed share of the duration
  double start_seconds = 0;  ///< until the first step
  double row_seconds = 0;    ///< time of a row of monitor.csv at the end
  double first_step_s = 0;   ///< as in Trial
};

/// Runs the rehearsal. Collective; throws core::Error.
[[nodiscard]] Rehearsal rehearse(const core::Comm& comm, sim::Scene scene, double most_seconds);

}  // namespace brisance::app
