/// Fracture modes in a file, with the mesh they live on: `brisance modes` writes it, everything after reads it.
#pragma once

#include "brisance/mesh/plane_mesh.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/find_modes.hpp"
#include "brisance/modes/mode_set.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brisance::sim {

inline constexpr std::int64_t kModeFileVersion = 1;

struct ModeFile {
  mesh::TetMesh mesh;                  ///< of a solid; empty if modes.dimension is 2
  mesh::PlaneMesh plane;               ///< of a flat body; empty if modes.dimension is 3
  std::vector<double> face_weight;     ///< of the faces of body_of(file).graph, in their order
  std::vector<std::int32_t> no_break;  ///< 1 for cells that hold together (see modes::Body); empty if none do
  modes::ModeSet modes;
  std::vector<double> cpu_s;      ///< CPU time of each mode [s]
  std::int32_t scalar_count = 0;  ///< entries of `modes` asked for, of each connected part
  std::string method = "exact";   ///< of the search: "exact", or "admm" and what problem it solved
  double relative_gap = 0;        ///< that convex steps were solved to
  std::int32_t starts = 1;        ///< start vectors tried for each mode
  double smallest_share = 0;      ///< of the volume, that every piece was held to
  bool refined = false;           ///< modes::refine_modes was applied to all modes there are
  std::string program;            ///< "brisance 0.1.0"
  bool complete = false;          ///< all modes asked for are there
};

/// Replaces `file`; it appears complete or not at all. Local; throws core::Error.
void write_mode_file(const std::filesystem::path& file, const ModeFile& modes);

/// Local; throws core::Error if the file is missing, cut short, damaged, of another version, or not a mode file.
[[nodiscard]] ModeFile read_mode_file(const std::filesystem::path& file);

/// What the file's modes are of. Local.
[[nodiscard]] modes::Body body_of(const ModeFile& file);

/// Material region of each cell; empty means all 0.
[[nodiscard]] const std::vector<std::int32_t>& region_of(const ModeFile& file);

}  // namespace brisance::sim
