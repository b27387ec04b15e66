/// Snapshots: one VTKHDF 1.0 file for each frame, written by all ranks together. docs/FORMAT.md is the contract.
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

/// Versions of the layout in docs/FORMAT.md: of whole frames, and of reduced ones (FrameForm). Both can be read.
inline constexpr std::int64_t kSnapshotVersion = 1, kReducedSnapshotVersion = 2;

/// Fields of nodes and tets that a frame may omit.
inline constexpr std::array<const char*, 4> kOptionalFields{"rest_position", "velocity", "stress", "plastic_strain"};

/// Which data a frame contains.
struct FrameForm {
  bool surface_only = false;          ///< boundary triangles and their nodes, no tets
  bool single_precision = false;      ///< real numbers have 32 bits in the file
  std::vector<std::string> left_out;  ///< omitted fields, some of kOptionalFields; empty in the part

  bool operator==(const FrameForm&) const = default;
  [[nodiscard]] bool is_whole() const { return *this == FrameForm{}; }
  [[nodiscard]] bool has(std::string_view field) const;
};

/// A field of the run's state that the frame carries for inspection: declared by its module (dist/fields.hpp), not by
/// the format.
struct StateColumn {
  std::string name, unit;
  std::size_t width = 1;       ///< numbers in each row
  std::vector<double> values;  ///< row by row
};

/// Pieces that became round particles, one row each.
struct DustRows {
  std::vector<std::int64_t> id;        ///< lowest node of the original piece; the same in all frames
  std::vector<std::int32_t> material;  ///< index into SnapshotHeader::material_names
  std::vector<double> birth_s;         ///< time when it left the mesh [s]
  std::vector<Vec3> position;          ///< [m]
  std::vector<Vec3> velocity;          ///< [m/s]
  std::vector<Vec3> angular_momentum;  ///< about its centre [kg m²/s]
  std::vector<double> radius;          ///< radius of the ball of its volume [m]
  std::vector<double> mass;            ///< [kg]
  [[nodiscard]] std::size_t size() const { return id.size(); }
};

/// One rank's share of a frame: its home elements and every node of theirs (so nodes on a rank boundary occur in
/// several parts, with the same id and the same bits; `node_owned` is 1 in exactly one of them). A part may be empty.
///
/// For the surface alone (FrameForm): the boundary triangles of home elements, their nodes, and owned nodes of others'
/// triangles; `tets` is empty, and element_id, material, group, piece, stress, plastic_strain and element_state have a
/// row for each triangle, that of the tet beneath it.
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
  std::vector<std::int32_t> material;                  ///< index into SnapshotHeader::material_names
  std::vector<std::int32_t> group;                     ///< in SnapshotHeader::groups, or −1; empty if there are none
  std::vector<std::int64_t> piece;                     ///< number of the connected part, 0 … num_pieces−1
  std::vector<SymMat3> stress;                         ///< physical Cauchy stress [Pa], xx yy zz xy yz zx
  std::vector<SymMat3> plastic_strain;                 ///< ε^p, unhalved, xx yy zz xy yz zx; empty if none is plastic
  std::vector<StateColumn> node_state, element_state;  ///< names and widths are the same on all ranks; often none
  // boundary triangles; corners index the nodes of this part, outward
  std::vector<std::array<std::int64_t, 3>> boundary;
  std::vector<std::int64_t> boundary_element;  ///< global id of the tet the triangle belongs to
  std::vector<std::int64_t> source_triangle;   ///< triangle of the input surface; −1 on a crack surface
  DustRows dust;                               ///< of this rank; when read, part 0 has those of the whole frame
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
  std::vector<std::array<std::int32_t, 3>> triangles = {};  ///< mesh: outward
  /// In the world frame [m/s], [rad/s]. A frame has them for all its colliders or for none (playbacks, older files).
  std::optional<Vec3> velocity = std::nullopt, angular_velocity = std::nullopt;
};

/// Data of the frame as a whole.
struct SnapshotHeader {
  using Collider = io::Collider;
  FrameForm form;  ///< the same on all ranks
  double time_s = 0;
  std::int64_t step = 0;
  std::int64_t frame = 0;
  std::int64_t num_pieces = 0;
  std::int64_t num_cracks = 0;  ///< node splits since the start
  std::int64_t num_dust = 0;    ///< particles of all ranks
  std::vector<std::string> material_names;
  mesh::Groups groups;  ///< groups named by the input files; of_source is indexed by SnapshotPart::source_triangle
  std::string scene;    ///< the scene as run, TOML text
  std::vector<Collider> colliders;
};

/// Writes a frame: temporary name, flush, fsync, rename (a file of that name is replaced). `header` is taken from rank
/// 0. Disk space is reserved before the first value is written. A failure on any rank throws core::Error on all,
/// removes the temporary file and keeps the former `file`. Collective. BackgroundSnapshot (background_snapshot.hpp)
/// does the same while the caller continues, without compression.
/// @param deflate_level  0 to 9: degree of compression (HDF5's shuffle and deflate); readers need not know it
void write_snapshot(const core::Comm& comm, const std::filesystem::path& file, const SnapshotHeader& header,
                    const SnapshotPart& part, int deflate_level = 0);

/// A frame that was read whole or in part.
struct Snapshot {
  SnapshotHeader header;
  SnapshotPart part;  ///< all parts read, one after the other, nodes not merged (use node_owned or node_id)
};
/// Which columns of the parts are read: a reader of positions and velocities needs no memory for stresses.
enum class ReadColumns : std::uint8_t {
  all,
  motion,  ///< without stress, plastic_strain and state, which stay empty
};

/// Reads parts first … first+count−1 (all from `first` on if count is negative). Local (each rank may read its own
/// share). Throws core::Error if the file is missing, truncated, from another version, not a snapshot, or has indices
/// out of range.
[[nodiscard]] Snapshot read_snapshot(const std::filesystem::path& file, std::int64_t first = 0, std::int64_t count = -1,
                                     ReadColumns columns = ReadColumns::all);
/// A rank's rows of a whole frame's mesh, its parts one after the other as in the file: no rank needs memory for more
/// than a share.
struct MeshRows {
  SnapshotHeader header;
  std::int64_t num_nodes = 0;  ///< rows of nodes in the file; a node in several parts counts in each
  // nodes: rows core::block_of(num_nodes, rank, num_ranks)
  std::vector<std::int64_t> node_id;
  std::vector<std::uint8_t> node_owned;
  std::vector<Vec3> rest_position, position;  ///< [m]
  std::vector<Vec3> velocity;                 ///< [m/s]; empty where the frame omits it
  // tets and boundary triangles: such blocks of theirs; corners are rows of nodes
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
