/// Fragments of one break as meshes with labels and poses, for data sets that programs learn reassembly from.
#pragma once

#include "brisance/breaking/breakable.hpp"
#include "brisance/breaking/run_frame.hpp"
#include "brisance/mesh/tets/piece_surface.hpp"
#include "brisance/runtime/impact_set.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

namespace brisance::breaking {

/// Fragments where they were in the whole object. A fragment's label is its number; its faces have the number of the
/// fragment beyond, or mesh::kNoNeighbour.
struct FragmentSet {
  std::vector<mesh::PieceSurface> pieces;
  std::vector<runtime::SolidShape> solids;  ///< for density 1
  std::vector<Eigen::Isometry3d> poses;     ///< where each lies after the break: x ↦ R x + t [m]
};

/// The fragments after an impact on an object with known modes. Poses are the identity. Local; throws core::Error.
/// @param smoothing  length over which cracks are rounded, over ∛V [–]; negative: they follow the faces of the mesh
[[nodiscard]] FragmentSet fragments_after(const Breakable& object, const runtime::Answer& answer, double smallest_share,
                                          double smoothing);

/// The fragments of a frame of a run, at rest; poses are the rigid motions nearest to their nodes' displacements.
/// Fragments below a share of the volume join the one with which they share the largest crack; dust is left out. Local;
/// throws core::Error.
[[nodiscard]] FragmentSet fragments_of(const RunFrame& frame, double smallest_share);

/// Gives the fragments random poses: each turned about its centre of mass, and moved to a place of a cube in which it
/// touches no other one's bounding ball.
void scatter(FragmentSet& set, std::uint64_t seed);

enum class FragmentFormat : std::uint8_t { obj, ply };

/// Writes piece_0.obj, piece_1.obj, … and nothing else into an existing folder. PLY faces have the properties
/// `neighbour` (as in fragment_labels) and `crack` (1 on cracks). Local; throws core::Error.
void write_fragments(const FragmentSet& set, const std::filesystem::path& folder, FragmentFormat format);

/// Writes the unbroken object's boundary as OBJ. Local; throws core::Error.
void write_whole(const mesh::TetMesh& mesh, const std::filesystem::path& file);

/// What the meshes do not say: for each piece volume, centre of mass, pose, and for each of its faces in the order of
/// the file the piece beyond (−1: the object's surface, −2: a crack whose other side is lost as dust); the area of the
/// crack between each two pieces. Local.
[[nodiscard]] nlohmann::ordered_json fragment_labels(const FragmentSet& set, FragmentFormat format);

}  // namespace brisance::breaking
