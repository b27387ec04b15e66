/// Fracture modes in a file, with the mesh they live on: `brisance modes` writes it, everything after reads it.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/body/mode_set.hpp"
#include "brisance/modes/search/find_modes.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace brisance::breaking {

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

/// Replaces `file`; it appears complete or not at all.
/// @param block  what this rank has of the whole, the blocks of the ranks in order making the whole: nodes, cells (with
///               nodes of the whole as corners), and what lies on cells and faces; the rest is that of rank 0
/// @param graph  volumes of these cells, and these faces (between cells of the whole, ascending over the ranks)
/// Collective; throws core::Error on all ranks.
void write_mode_file(const core::Comm& comm, const std::filesystem::path& file, const ModeFile& block,
                     const modes::CellGraph& graph);
/// The same of the whole. Local.
void write_mode_file(const std::filesystem::path& file, const ModeFile& modes);

/// This rank's block of every table (core::block_of the nodes, cells and faces), cells with nodes of the whole as
/// corners, and all of the rest. A rank without cells or faces has empty tables of them, also of those that may be
/// missing. Every rank reads for itself. What takes the neighbours of a cell to see is not checked: see check_volumes,
/// check_num_faces. Collective; throws core::Error on all ranks if the file is missing, cut short, damaged, of another
/// version, or not a mode file.
[[nodiscard]] ModeFile read_mode_file(const core::Comm& comm, const std::filesystem::path& file);
/// The whole, and everything checked; a solid without face_source gets its boundary faces numbered. Local; throws the
/// same.
[[nodiscard]] ModeFile read_mode_file(const std::filesystem::path& file);

/// True if the modes of a file were searched for by the exact method. Local; throws the same.
[[nodiscard]] bool is_exact(const std::filesystem::path& file);

/// The file is damaged unless its cells have a volume and are oriented. @param volume  of some or all of them. Local;
/// throws core::Error.
void check_volumes(const std::filesystem::path& file, std::span<const double> volume);
/// The file is damaged unless its cells have as many faces between them as it has weights.
/// @param num_faces  of this rank's block, or of the whole if `block` is. Local; throws core::Error.
void check_num_faces(const std::filesystem::path& file, const ModeFile& block, std::size_t num_faces);

/// What the file's modes are of. Local.
[[nodiscard]] modes::Body body_of(const ModeFile& file);

/// Material region of each cell; empty means all 0.
[[nodiscard]] const std::vector<std::int32_t>& region_of(const ModeFile& file);

}  // namespace brisance::breaking
