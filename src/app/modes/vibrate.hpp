/// `brisance modes --kind vibration`.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace brisance::app {

/// Finds the vibration modes of rank 0's mesh on all ranks, writes them and prints their frequencies.
/// Collective; throws core::Error, BadInput for an unknown material or a mesh in several parts.
void vibrate(const core::Comm& comm, mesh::TetMesh mesh, const std::string& preset, std::int32_t count,
             const std::filesystem::path& out);

}  // namespace brisance::app
