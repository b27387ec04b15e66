/// Snapshots: one VTKHDF 1.0 file a frame, written by all ranks together. docs/FORMAT.md is the contract.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace brisance::io {

/// One rank's share of a frame: the elements at home there and every node they touch (so nodes on a rank boundary occur
/// in several parts, with the same id and the same bits; `node_owned` is 1 in exactly one of them).
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
  std::vector<std::int32_t> material;
  std::vector<std::int64_t> piece;       ///< number of the connected part, 0 … num_pieces−1
  std::vector<SymMat3> stress;           ///< physical Cauchy stress [Pa], xx yy zz xy yz zx
  std::vector<SymMat3> plastic_strain;   ///< ε^p, unhalved, xx yy zz xy yz zx; empty if nothing flows
  // boundary triangles; corners index the nodes of this part, outward
  std::vector<std::array<std::int64_t, 3>> boundary;
  std::vector<std::int64_t> boundary_element;  ///< global id of the tet the triangle belongs to
  std::vector<std::int64_t> source_triangle;   ///< triangle of the input surface; −1 on a crack surface
};

/// What is the same on all ranks.
struct SnapshotHeader {
  double time_s = 0;
  std::int64_t step = 0;
  std::int64_t frame = 0;
  std::int64_t num_pieces = 0;
  std::int64_t num_cracks = 0;            ///< node splits since the start
  std::vector<std::string> material_names;
  std::string scene;                      ///< the scene as run, TOML text
  /// Rigid colliders, for pictures and exports: kind (plane sphere box), centre, size, orientation (quaternion wxyz).
  struct Collider {
    std::string name, kind;
    Vec3 centre = Vec3::Zero();
    Vec3 size = Vec3::Zero();  ///< sphere: radius,0,0; box: full edge lengths; plane: its normal
    std::array<double, 4> orientation{1, 0, 0, 0};
  };
  std::vector<Collider> colliders;
};

/// Writes a frame collectively: temporary name, flush, fsync, rename. A failure on any rank throws core::Error on all
/// and leaves no file under `file`. Collective.
void write_snapshot(const core::Comm& comm, const std::filesystem::path& file, const SnapshotHeader& header,
                    const SnapshotPart& part);

/// A frame read back whole or in part.
struct Snapshot {
  SnapshotHeader header;
  SnapshotPart part;  ///< all parts of the file joined, nodes not merged (use node_owned or node_id)
};
/// Reads parts first … first+count−1 (all of them by default) of a snapshot. Local (each rank may read its own share).
/// Throws core::Error if the file is missing, truncated, from another version or not a snapshot.
[[nodiscard]] Snapshot read_snapshot(const std::filesystem::path& file, std::int64_t first = 0, std::int64_t count = -1);
[[nodiscard]] std::int64_t num_parts(const std::filesystem::path& file);

}  // namespace brisance::io
