/// A file of fracture modes with their mesh: written by `brisance modes`, read by later commands.
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
  std::vector<double> face_weight;     ///< weights of the faces of body_of(file).graph, in their order
  std::vector<std::int32_t> no_break;  ///< 1 for cells that must stay joined (see modes::Body); empty if there are none
  modes::ModeSet modes;
  std::vector<double> cpu_s;      ///< CPU time of each mode [s]
  std::int32_t scalar_count = 0;  ///< number of modes requested for each connected part
  std::string method = "exact";   ///< search method: "exact", or "admm" with the problem solved
  double relative_gap = 0;        ///< relative gap of the convex steps
  std::int32_t starts = 1;        ///< start vectors tried for each mode
  double smallest_share = 0;      ///< least share of the volume for every piece
  bool refined = false;           ///< modes::refine_modes was applied to all modes
  std::string program;            ///< "brisance 0.1.0"
  bool complete = false;          ///< all requested modes were found
};

/// Replaces `file`; it appears complete or not at all.
/// @param block  this rank's block of the whole, the blocks being concatenated in rank order: nodes, cells (with nodes
///               of the whole as corners), and values on cells and faces; the rest is taken from rank 0
/// @param graph  volumes of these cells, and these faces (between cells of the whole, ascending over the ranks)
/// Collective; throws core::Error on all ranks.
void write_mode_file(const core::Comm& comm, const std::filesystem::path& file, const ModeFile& block,
                     const modes::CellGraph& graph);
/// Writes a whole body. Local.
void write_mode_file(const std::filesystem::path& file, const ModeFile& modes);

/// This rank's block of every table (core::block_of the nodes, cells and faces), with nodes of the whole as cell
/// corners, and all of the rest. A rank without cells or faces has empty tables of them, also of optional ones. Every
/// rank reads its own block. Checks that need the neighbours of a cell are left to check_volumes and check_num_faces.
/// Collective; throws core::Error on all ranks if the file is missing, truncated, damaged, of another version, or not a
/// mode file.
[[nodiscard]] ModeFile read_mode_file(const core::Comm& comm, const std::filesystem::path& file);
/// Reads the whole and checks everything; boundary faces of a solid without face_source are numbered. Local; throws the
/// same.
[[nodiscard]] ModeFile read_mode_file(const std::filesystem::path& file);

/// Were the modes of a file computed by the exact method? Local; throws the same.
[[nodiscard]] bool is_exact(const std::filesystem::path& file);

/// Throws the error of a damaged file unless its cells have a volume and are oriented. @param volume  of some or all of
/// them. Local; throws core::Error.
void check_volumes(const std::filesystem::path& file, std::span<const double> volume);
/// Throws the error of a damaged file unless the number of faces between its cells is that of its weights.
/// @param num_faces  of this rank's block, or of the whole if `block` is. Local; throws core::Error.
void check_num_faces(const std::filesystem::path& file, const ModeFile& block, std::size_t num_faces);

/// The body of the file's modes. Local.
[[nodiscard]] modes::Body body_of(const ModeFile& file);

/// Material region of each cell; empty means all 0.
[[nodiscard]] const std::vector<std::int32_t>& region_of(const ModeFile& file);

}  // namespace brisance::breaking
