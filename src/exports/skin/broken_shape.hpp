/// The boundary of a frame's pieces, as triangles of the tets, with nodes of their own for each piece.
#pragma once

#include "brisance/io/snapshot.hpp"

#include "exports/skin/triangle_search.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace brisance::exports {

/// A triangle of the boundary; corners are rows of the nodes.
struct BoundaryTriangle {
  Triangle corners;
  std::int32_t piece;
  std::int32_t material;  ///< row of the header's material names
  std::int64_t source;    ///< triangle of the input that it lies on; −1 on a crack
  bool is_cavity;         ///< wall of a cavity that the mesher made: the input does not have it

  /// Whether the input's skin lies over it.
  [[nodiscard]] bool is_outside() const { return source >= 0 && !is_cavity; }
};

struct BrokenShape {
  io::SnapshotHeader header;
  io::DustRows dust;
  // Nodes: one for each piece, place at rest and place now. Both faces of an open crack have their own.
  std::vector<Vec3> rest, points, velocities;  ///< [m], [m], [m/s]
  std::vector<std::int32_t> piece_of_node;
  std::vector<BoundaryTriangle> triangles;
  std::vector<std::int32_t> piece_ids;  ///< of each piece, where the frame has them; else empty
};

/// Reads a frame, whole or of the surface alone. Both faces of a crack that has not opened at all, inside
/// one piece, are left out. Local; throws core::Error as io::read_snapshot, and for a frame without positions at rest.
[[nodiscard]] BrokenShape read_broken_shape(const std::filesystem::path& file);

}  // namespace brisance::exports
