/// A whole frame of a run as one body of numbers, whichever ranks wrote it.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/io/snapshot.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace brisance::breaking {

/// Nodes once each, by id; tets by id; boundary triangles by the id of their tet.
struct RunFrame {
  io::SnapshotHeader header;
  std::vector<std::int64_t> node_id;
  std::vector<Vec3> rest_position, position, velocity;  ///< [m], [m/s]
  std::vector<std::array<std::int32_t, 4>> tets;        ///< corners as rows of the nodes
  std::vector<std::int32_t> material, group;            ///< of each tet; `group` is empty if the frame has none
  std::vector<std::int32_t> piece;                      ///< of each tet, 0 … header.num_pieces − 1
  std::vector<std::array<std::int32_t, 3>> triangles;   ///< outward, corners as rows of the nodes
  std::vector<std::int32_t> triangle_tet;               ///< row of the tet beneath
  std::vector<std::int64_t> triangle_element;           ///< its id
  std::vector<std::int64_t> source_triangle;            ///< of the input; −1 on a crack
};

/// Dust of a frame: pieces of eight faces behind the others, or nothing.
enum class FrameDust : std::uint8_t { as_pieces, left_out };

/// Reads the parts one by one: beside the result there is one part in memory, without stresses. Local; throws
/// core::Error as io::read_snapshot does, and if the frame lacks tets, velocities or rest positions.
[[nodiscard]] RunFrame read_run_frame(const std::filesystem::path& file, FrameDust with = FrameDust::as_pieces);

/// Bodies that were whole before anything broke: of each piece, the number of its body, by the lowest piece of each.
/// Pieces belong together where faces of cracks have a corner at the same place at rest, to the bit; which a crack
/// leaves there, since both of its sides keep the place. Local; throws std::bad_alloc only.
[[nodiscard]] std::vector<std::int32_t> bodies_of_pieces(const RunFrame& frame);

/// Positions by node id of any frame, whole or of the surface alone.
struct NodePositions {
  double time_s = 0;
  std::vector<std::int64_t> node_id;  ///< ascending
  std::vector<Vec3> position;         ///< [m]

  /// Row of a node, or −1.
  [[nodiscard]] std::int64_t row(std::int64_t id) const;
};

/// Local; throws core::Error as io::read_snapshot does.
[[nodiscard]] NodePositions read_positions(const std::filesystem::path& file);

}  // namespace brisance::breaking
