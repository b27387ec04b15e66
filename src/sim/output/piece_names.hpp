/// Names of pieces over the frames of a run (docs/SKIN.md, "Names").
#pragma once

#include "brisance/dist/pieces.hpp"
#include "brisance/io/snapshot.hpp"

#include <cstdint>
#include <vector>

namespace brisance::sim {

/// Gives each piece its id for this frame. A piece that consists of what one piece of the frame before was hands its id
/// to the heaviest part; the others, and all pieces of the first frame, get new ids by descending mass. Fields of the
/// elements (kPieceId, kPieceParent) remember the ids until the next frame. The same on any number of ranks.
/// Collective.
/// @param num_names  ids given so far in the run; raised by those given here
/// @return a row for each piece of the list
std::vector<io::PieceName> name_pieces(dist::Mesh& mesh, const dist::Pieces& pieces, std::int64_t& num_names);

/// The next frame names all pieces as the first of a run does: for a branch, which has frames of its own. Local.
void forget_names(dist::Mesh& mesh);

}  // namespace brisance::sim
