/// One mesh of the pieces that a parallel program or ParaView saves it in.
#pragma once

#include "mesh/formats/tet_soup.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace brisance::mesh {

/// Where the pieces of a file begin among its nodes and tets.
struct PieceStarts {
  std::vector<std::size_t> nodes, tets;
  /// Of each node, the same for all copies of one node; shorter than the nodes if a piece has none.
  std::vector<std::int64_t> global_ids = {};
};

/// Makes one node of the copies that several pieces have, and one tet of those. Copies are told by global ids, where
/// all pieces have them and copies have equal coordinates; otherwise by exactly equal coordinates, and points that a
/// single piece has more than once, as cracked bodies do, are left as they are. Fields are those of the first copy.
/// Says in the log what was joined. Corners may be invalid. Local.
void join_pieces(TetSoup& soup, const PieceStarts& starts, const std::filesystem::path& file);

}  // namespace brisance::mesh
