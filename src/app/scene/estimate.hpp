/// What a scene will cost: from steps of the scene itself, with coarser meshes where its own would take long to make.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dist/mesh_share.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/simulation.hpp"

#include <cstdint>

namespace brisance::app {

/// About how many tets all objects have together: the wanted counts, volumes over those of regular tets of the wanted
/// edge (a³/(6√2)), what files hold. Local; throws core::Error for a file that cannot be used.
[[nodiscard]] double estimated_tets(const sim::Scene& scene);

/// The scene with edges longer by this factor, and as strong: a toughness in newton grows with the area of a node.
/// Tetrahedral mesh files stay as they are.
[[nodiscard]] sim::Scene coarsened(sim::Scene scene, double factor);

/// The initial mesh of such a copy. Where its tets are too coarse for a part of the scene, or its factors, they are
/// left out of the scene, and the report says so. Collective; throws core::Error.
[[nodiscard]] sim::InitialMesh build_coarsened(const core::Comm& comm, sim::Scene& scene);

/// Longest stable step at rest of a mesh whose lengths are multiplied by `scale`: the bound of its worst tet [s].
/// Regions are indices of the scene's materials. Collective.
[[nodiscard]] double stable_step(const core::Comm& comm, const sim::Scene& scene, const dist::MeshShare& share,
                                 double scale);

/// The step that a run begins with on such a mesh [s]. Collective.
[[nodiscard]] double uncut_step(const core::Comm& comm, const sim::Scene& scene, const dist::MeshShare& share,
                                double scale);

/// Steps that were taken to see what they cost.
struct Trial {
  std::int64_t tets = 0, steps = 0;
  std::int64_t bytes = 0;     ///< of the distributed mesh and contact, over all ranks
  double seconds_a_step = 0;  ///< of the slowest rank
  double first_step_s = 0;    ///< simulated; of the longest class where there are several
  sim::StepBound bound;       ///< before the first of them
};

/// Takes steps of the scene for about a third of a second. Collective; throws core::Error.
[[nodiscard]] Trial try_steps(const core::Comm& comm, const sim::Scene& scene, const sim::InitialMesh& initial);

/// A run of the scene without output, to its end or until it has taken too long.
struct Rehearsal {
  std::int64_t tets = 0;     ///< before the first crack
  double seconds = 0;        ///< of the slowest rank, for the whole duration; what was not done, at its late pace
  double done_share = 0;     ///< of the duration
  double start_seconds = 0;  ///< until the first step
  double row_seconds = 0;    ///< for what a row of monitor.csv adds up over the mesh as it is at the end
  double first_step_s = 0;   ///< as that of a trial
};

/// Collective; throws core::Error.
[[nodiscard]] Rehearsal rehearse(const core::Comm& comm, sim::Scene scene, double most_seconds);

}  // namespace brisance::app
