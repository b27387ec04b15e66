/// Converts a file of pieces to a frame, so that it can be rendered like a snapshot.
#pragma once

#include "brisance/io/pieces_file.hpp"
#include "brisance/io/snapshot.hpp"

namespace brisance::render {

/// The surfaces, with a cone from each triangle to the mean of its piece's vertices in place of tets, which the
/// renderer counts and averages but does not show; stress is zero. Local.
[[nodiscard]] io::Snapshot pieces_frame(const io::PiecesFile& pieces);

}  // namespace brisance::render
