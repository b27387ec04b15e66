/// The scene's objects meshed, placed, set in motion and joined into one mesh.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dist/mesh_share.hpp"
#include "brisance/io/objects_file.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brisance::sim {

/// Throws core::MissingProgram on all ranks if a program that meshes the scene's objects, or the
/// library for the images of its factors, is missing. Collective.
void require_programs(const core::Comm& comm, const Scene& scene);

/// Names of the fields of an object's file that the scene's [[factor]]s use, each once. Local.
[[nodiscard]] std::vector<std::string> fields_wanted(const Scene& scene, const std::string& object);

/// The scene's objects meshed, placed and set in motion.
struct InitialMesh {
  dist::MeshShare share;
  std::vector<std::uint32_t> regions;     ///< bit mask of regions, by node of the share
  std::vector<std::string> report;        ///< lines for the log, complete on rank 0
  std::vector<io::PlacedObject> objects;  ///< those made of surface files
};
/// Meshes and places every object. Generated meshes and other programs' files are on rank 0; of our own files every
/// rank has a share, and none has more. Collective; throws core::BadInput on all ranks.
[[nodiscard]] InitialMesh build_initial_mesh(const core::Comm& comm, const Scene& scene);

}  // namespace brisance::sim
