/// What a scene will cost: from steps of the scene itself, with coarser meshes where its own would take long to make.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/simulation.hpp"

#include <cstdint>

namespace brisance::app {

/// About how many tets all objects have together: the wanted counts, volumes over those of regular tets of the wanted
/// edge (a³/(6√2)), what files hold. Local; throws core::Error for a file that cannot be used.
[[nodiscard]] double estimated_tets(const sim::Scene& scene);

/// The scene with edges longer by this factor. Tetrahedral mesh files stay as they are.
[[nodiscard]] sim::Scene coarsened(sim::Scene scene, double factor);

/// Longest stable step at rest of a mesh whose lengths are multiplied by `scale`: the bound of its worst tet [s].
/// Regions are indices of the scene's materials.
[[nodiscard]] double stable_step(const sim::Scene& scene, const mesh::TetMesh& mesh, double scale);

/// Steps that were taken to see what they cost.
struct Trial {
  std::int64_t tets = 0, steps = 0;
  std::int64_t bytes = 0;     ///< of the distributed mesh, over all ranks
  double seconds_a_step = 0;  ///< of the slowest rank
  sim::StepBound bound;       ///< before the first of them
};

/// Takes steps of the scene for about a third of a second. Collective; throws core::Error.
[[nodiscard]] Trial try_steps(const core::Comm& comm, const sim::Scene& scene, const sim::InitialMesh& initial);

}  // namespace brisance::app
