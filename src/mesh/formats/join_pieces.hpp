/// Joins the pieces in which a parallel program or ParaView saves a mesh.
#pragma once

#include "mesh/formats/tet_soup.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace brisance::mesh {

/// Start of each piece of a file among its nodes and tets.
struct PieceStarts {
  std::vector<std::size_t> nodes, tets;
  /// Global id of each node, the same for all copies of one node; shorter than the nodes if a piece has none.
  std::vector<std::int64_t> global_ids = {};
};

/// Merges the copies of a node that several pieces have, and the copies of a tet. Copies are recognised by global ids
/// where all pieces have them and copies have equal coordinates, otherwise by exactly equal coordinates; points that a
/// single piece has more than once, as cracked bodies do, are left as they are. Fields are taken from the first copy.
/// Logs how many were joined. Corners may be invalid. Local.
void join_pieces(TetSoup& soup, const PieceStarts& starts, const std::filesystem::path& file);

}  // namespace brisance::mesh
