/// Snapshots: one VTKHDF 1.0 file for each frame, written by all ranks together. docs/FORMAT.md defines the layout.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"
#include "brisance/mesh/groups.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::io {

/// Versions of the layout: of whole frames, and of frames that lack something (FrameForm). Both can be read.
inline constexpr std::int64_t kSnapshotVersion = 1, kReducedSnapshotVersion = 2;

/// Fields of nodes and tets that a frame may omit.
inline constexpr std::array<const char*, 4> kOptionalFields{"rest_position", "velocity", "stress", "plastic_strain"};

/// Which data a frame contains.
struct FrameForm {
  bool surface_only = false;          ///< boundary triangles and their nodes, no tets
  bool single_precision = false;      ///< real numbers have 32 bits in the file
  std::vector<std::string> left_out;  ///< omitted fields, some of kOptionalFields; their arrays in the part are empty

  bool operator==(const FrameForm&) const = default;
  [[nodiscard]] bool is_whole() const { return *this == FrameForm{}; }
  [[nodiscard]] bool has(std::string_view field) const;
};

/// A field of the run's state that a frame holds for inspection (output.state_fields). The module that declares the
/// field names it (dist/fields.hpp); the format does not.
struct StateColumn {
  std::string name, unit;
  std::size_t width = 1;       ///< numbers in each row
  std::vector<double> values;  ///< row by row
};

/// Pieces that became spherical particles (sim/dust.hpp): parallel arrays, one entry for each particle.
struct DustRows {
  std::vector<std::int64_t> id;        ///< lowest node id of the former piece; the same in all frames
  std::vector<std::int32_t> material;  ///< index into SnapshotHeader::material_names
  std::vector<double> birth_s;         ///< time when it left the mesh [s]
  std::vector<Vec3> position;          ///< [m]
  std::vector<Vec3> velocity;          ///< [m/s]
  std::vector<Vec3> angular_momentum;  ///< about the centre of mass [kg m²/s]
  std::vector<double> radius;          ///< radius of the ball of equal volume [m]
  std::vector<double> mass;            ///< [kg]
  [[nodiscard]] std::size_t size() const { return id.size(); }
};

/// One rank's share of a frame: each element is in the part of one rank (dist::Mesh::home), with all its corners. So
/// nodes on a rank boundary occur in several parts, with the same id and the same bits; `node_owned` is 1 in exactly
/// one of them. A part may be empty.
///
/// In a frame of the surface alone (FrameForm) the part has the boundary triangles of these elements with their nodes,
/// and owned nodes of other ranks' triangles. `tets` is empty; element_id, material, group, piece, stress,
/// plastic_strain and element_state have a row for each triangle: the value of its tet.
struct SnapshotPart {
  // nodes, in ascending global id
  std::vector<std::int64_t> node_id;
  std::vector<std::uint8_t> node_owned;
  std::vector<Vec3> rest_position;  ///< [m]
  std::vector<Vec3> position;       ///< [m]
  std::vector<Vec3> velocity;       ///< [m/s]
  // tets, in ascending global id; corners index the nodes of this part
  std::vector<std::int64_t> element_id;
  std::vector<std::array<std::int64_t, 4>> tets;
  std::vector<std::int32_t> material;   ///< index into SnapshotHeader::material_names
  std::vector<std::int32_t> group;      ///< index in SnapshotHeader::groups, or −1; empty without groups
  std::vector<std::int64_t> piece;      ///< number of the connected part, 0 … num_pieces−1
  std::vector<SymMat3> stress;          ///< physical Cauchy stress [Pa], xx yy zz xy yz zx
  std::vector<SymMat3> plastic_strain;  ///< ε^p, unhalved, xx yy zz xy yz zx; empty if none is plastic
  std::vector<StateColumn> node_state, element_state;  ///< names and widths are the same on all ranks; often none
  // boundary triangles; corners index the nodes of this part, outward
  std::vector<std::array<std::int64_t, 3>> boundary;
  std::vector<std::int64_t> boundary_element;  ///< global id of the tet the triangle belongs to
  std::vector<std::int64_t> source_triangle;   ///< triangle of the input surface; −1 on a crack surface
  DustRows dust;                               ///< to write: this rank's; as read: those of all ranks, with part 0
};

/// A rigid collider as it is in a frame, for pictures and exports.
struct Collider {
  std::string name;
  std::string kind;            ///< plane, sphere, box or mesh
  Vec3 centre = Vec3::Zero();  ///< [m]; for a plane a point on it, for a mesh its centre of mass
  /// sphere: radius, 0, 0 [m]; box: full edge lengths [m]; plane: its normal; mesh: size of its bounding box [m]
  Vec3 size = Vec3::Zero();
  std::array<double, 4> orientation{1, 0, 0, 0};            ///< unit quaternion w x y z: body to world
  std::vector<Vec3> vertices = {};                          ///< mesh: relative to its centre, not rotated [m]
  std::vector<std::array<std::int32_t, 3>> triangles = {};  ///< mesh: indices of vertices, oriented outward
  /// In the world frame [m/s], [rad/s]. A frame has them for all its colliders or for none (playbacks, older files).
  std::optional<Vec3> velocity = std::nullopt, angular_velocity = std::nullopt;
};

/// Which piece it is, over all frames of a run (docs/SKIN.md, "Names").
struct PieceName {
  std::int32_t id = -1;      ///< runtime::atom_name gives the name
  std::int32_t parent = -1;  ///< id of the piece that it was part of; −1 if it was there from the start
  bool operator==(const PieceName&) const = default;
};

/// Data of a frame as a whole.
struct SnapshotHeader {
  using Collider = io::Collider;
  FrameForm form;     ///< the same on all ranks
  double time_s = 0;  ///< simulated time
  std::int64_t step = 0;
  std::int64_t frame = 0;
  std::int64_t num_pieces = 0;
  std::int64_t num_cracks = 0;  ///< node splits since the start
  std::int64_t num_dust = 0;    ///< dust particles of all ranks
  std::vector<std::string> material_names;
  mesh::Groups groups;  ///< groups named by the input files; of_source is indexed by SnapshotPart::source_triangle
  std::string scene;    ///< the scene as run, TOML text
  std::vector<Collider> colliders;
  std::vector<PieceName> piece_names;  ///< of each piece; empty in playbacks and in meshes that are no frame
};

/// Writes a frame under a temporary name, then fsync and rename; a file of that name is replaced. Disk space is
/// reserved before the first value is written. `header` is taken from rank 0. Collective; a failure on any rank throws
/// core::Error on all, removes the temporary file and keeps the former `file`. BackgroundSnapshot
/// (background_snapshot.hpp) writes without compression while the caller continues.
/// @param deflate_level  0 to 9: degree of compression (HDF5's shuffle and deflate); readers need not know it
void write_snapshot(const core::Comm& comm, const std::filesystem::path& file, const SnapshotHeader& header,
                    const SnapshotPart& part, int deflate_level = 0);

/// A frame that was read, all of its parts or some.
struct Snapshot {
  SnapshotHeader header;
  SnapshotPart part;  ///< all parts read, one after the other, nodes not merged (use node_owned or node_id)
};
/// Which arrays of the parts are read.
enum class ReadColumns : std::uint8_t {
  all,
  motion,  ///< without stress, plastic_strain and state, which stay empty
};

/// Reads parts first … first+count−1 (all from `first` on if count is negative). Local: each rank may read other parts.
/// Throws core::Error if the file is missing, truncated, from another version, not a snapshot, or has indices out of
/// range.
[[nodiscard]] Snapshot read_snapshot(const std::filesystem::path& file, std::int64_t first = 0, std::int64_t count = -1,
                                     ReadColumns columns = ReadColumns::all);
/// An equal share of the rows of a frame's mesh for each rank, whichever ranks wrote it, so that no rank needs memory
/// for the whole. Parts follow each other as in the file.
struct MeshRows {
  SnapshotHeader header;
  std::int64_t num_nodes = 0;  ///< rows of nodes in the file; a node in several parts counts in each
  // nodes: rows core::block_of(num_nodes, rank, num_ranks)
  std::vector<std::int64_t> node_id;
  std::vector<std::uint8_t> node_owned;
  std::vector<Vec3> rest_position, position;  ///< [m]
  std::vector<Vec3> velocity;                 ///< [m/s]; empty where the frame omits it
  // tets and boundary triangles: blocks of rows likewise; corners are rows of nodes in the file
  std::vector<std::int64_t> element_id;
  std::vector<std::array<std::int64_t, 4>> tets;
  std::vector<std::int32_t> material, group;  ///< group empty if there are none
  std::vector<std::array<std::int64_t, 3>> boundary;
  std::vector<std::int64_t> boundary_element, source_triangle;
};
/// Reads the rows of rank `rank` of `num_ranks`. Local; errors as read_snapshot, and for a frame of the surface alone
/// or without rest positions.
[[nodiscard]] MeshRows read_mesh_rows(const std::filesystem::path& file, int rank, int num_ranks);
/// Number of tets; 0 for a frame of the surface alone. Local; errors as read_snapshot.
[[nodiscard]] std::int64_t num_tets(const std::filesystem::path& file);
/// Reads only what is common to all parts. Local; errors as read_snapshot.
[[nodiscard]] SnapshotHeader read_snapshot_header(const std::filesystem::path& file);
/// Number of parts, i.e. of ranks that wrote the file. Local; errors as read_snapshot.
[[nodiscard]] std::int64_t num_parts(const std::filesystem::path& file);

}  // namespace brisance::io
