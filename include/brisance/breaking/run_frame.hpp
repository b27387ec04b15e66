/// A whole frame of a run as one body, independent of the ranks that wrote it.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/io/snapshot.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace brisance::breaking {

/// Nodes without duplicates, sorted by id; tets sorted by id; boundary triangles sorted by the id of their tet.
struct RunFrame {
  io::SnapshotHeader header;
  std::vector<std::int64_t> node_id;
  std::vector<Vec3> rest_position, position, velocity;  ///< [m], [m/s]
  std::vector<std::array<std::int32_t, 4>> tets;        ///< corners as rows of the nodes
  std::vector<std::int32_t> material, group;            ///< for each tet; `group` is empty if the frame has none
  std::vector<std::int32_t> piece;                      ///< for each tet, 0 … header.num_pieces − 1
  std::vector<std::array<std::int32_t, 3>> triangles;   ///< outward, corners as rows of the nodes
  std::vector<std::int32_t> triangle_tet;               ///< row of the tet beneath
  std::vector<std::int64_t> triangle_element;           ///< id of that tet
  std::vector<std::int64_t> source_triangle;            ///< triangle of the input; −1 on a crack
};

/// Dust of a frame: as pieces of eight faces after the others, or left out.
enum class FrameDust : std::uint8_t { as_pieces, left_out };

/// Reads the parts one by one: besides the result, one part is in memory, without stresses. Local; throws core::Error
/// as io::read_snapshot does, and if the frame lacks tets, velocities or rest positions.
[[nodiscard]] RunFrame read_run_frame(const std::filesystem::path& file, FrameDust with = FrameDust::as_pieces);

/// Bodies that were whole before anything broke: for each piece the number of its body; bodies are numbered by their
/// lowest piece. Pieces belong together where faces of cracks have a corner at bitwise the same rest position, since
/// both sides of a crack keep it. Local; throws std::bad_alloc only.
[[nodiscard]] std::vector<std::int32_t> bodies_of_pieces(const RunFrame& frame);

/// Positions by node id in any frame, whole or of the surface alone.
struct NodePositions {
  double time_s = 0;
  std::vector<std::int64_t> node_id;  ///< ascending
  std::vector<Vec3> position;         ///< [m]

  /// Row of a node, or −1.
  [[nodiscard]] std::int64_t row(std::int64_t id) const;
};

/// Reads them. Local; throws core::Error as io::read_snapshot does.
[[nodiscard]] NodePositions read_positions(const std::filesystem::path& file);

}  // namespace brisance::breaking
