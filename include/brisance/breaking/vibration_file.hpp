/// A file of elastic vibration modes for ParaView, written by `brisance modes --kind vibration`.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/spectral/vibration.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::breaking {

struct VibrationFile {
  mesh::TetMesh mesh;
  modes::ElasticSolid solid;
  std::vector<modes::VibrationMode> modes;
  std::string program;  ///< "brisance 0.1.0"
};

/// Replaces `file`; it appears complete or not at all. Layout: docs/FORMAT.md.
/// @param block  this rank's nodes, tets (corners are nodes of the whole) and displacements of its nodes, the blocks
///               being concatenated in rank order; solid, frequencies and program are those of rank 0
/// Collective; throws core::Error on all ranks.
void write_vibration_file(const core::Comm& comm, const std::filesystem::path& file, const VibrationFile& block);

}  // namespace brisance::breaking
