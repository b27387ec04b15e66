/// Connected parts of the broken mesh.
#pragma once

#include "brisance/dist/mesh.hpp"

#include <vector>

namespace brisance::dist {

struct Piece {
  GlobalNode lowest_node;  ///< lowest node id in the piece: its name
  double mass = 0;         ///< [kg]
};

struct Pieces {
  std::vector<Piece> list;  ///< every piece of the whole mesh, by ascending lowest node id; the same on all ranks
  NodeField<std::int32_t> of_node;  ///< index into list for each used node slot; −1 elsewhere
};

/// Parts connected through shared faces. Every star is face-connected, so two elements that share any node belong to
/// one piece, and labelling nodes suffices. Ranks exchange labels until none changes. Collective.
[[nodiscard]] Pieces find_pieces(const Mesh& mesh);

}  // namespace brisance::dist
