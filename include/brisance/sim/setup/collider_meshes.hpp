/// Colliders given as surfaces in files.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/sim/parameters.hpp"

namespace brisance::sim {

/// Reads the files of the scene's mesh colliders on rank 0, cleans, scales and checks them, and gives all ranks the
/// same solids; colliders that have one keep it. Components that face inwards are turned, and the log says so.
/// Collective; throws core::BadInput on all ranks, naming file and collider, if a surface bounds no solid: if it is
/// open, crosses itself, or encloses nothing.
void read_collider_meshes(const core::Comm& comm, Scene& scene);

}  // namespace brisance::sim
