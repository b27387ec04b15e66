/// Elastic vibration modes in a file that ParaView opens: `brisance modes --kind vibration` writes it.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/vibration.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::sim {

struct VibrationFile {
  mesh::TetMesh mesh;
  modes::ElasticSolid solid;
  std::vector<modes::VibrationMode> modes;
  std::string program;  ///< "brisance 0.1.0"
};

/// Replaces `file`; it appears complete or not at all. Layout: docs/FORMAT.md. Local; throws core::Error.
void write_vibration_file(const std::filesystem::path& file, const VibrationFile& vibration);

}  // namespace brisance::sim
