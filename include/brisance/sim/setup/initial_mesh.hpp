/// The scene's objects meshed, placed, set in motion and joined into one mesh.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dist/mesh_share.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brisance::sim {

/// Throws core::MissingProgram on all ranks unless the programs that mesh the scene's objects are there. Collective.
void require_programs(const core::Comm& comm, const Scene& scene);

/// Names of the fields that [[factor]]s of the scene want of an object's file, each once. Local.
[[nodiscard]] std::vector<std::string> fields_wanted(const Scene& scene, const std::string& object);

/// The scene's objects meshed, placed and set in motion.
struct InitialMesh {
  dist::MeshShare share;
  std::vector<std::uint32_t> regions;  ///< per node of the share
  std::vector<std::string> report;     ///< lines for the log, whole on rank 0
};
/// Meshes and places every object. What is made, and what other programs' files hold, is on rank 0; of our own files
/// every rank has a share, and nobody more. Collective; throws core::BadInput on all ranks.
[[nodiscard]] InitialMesh build_initial_mesh(const core::Comm& comm, const Scene& scene);

}  // namespace brisance::sim
