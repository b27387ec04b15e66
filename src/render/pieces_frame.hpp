/// A file of pieces seen as a frame, so that everything that shows snapshots shows pieces.
#pragma once

#include "brisance/io/pieces_file.hpp"
#include "brisance/io/snapshot.hpp"

namespace brisance::render {

/// The surfaces with a cone from each triangle to the mean of its piece's vertices standing in for tets, which the
/// renderer counts and averages but does not show; stress is zero. Local.
[[nodiscard]] io::Snapshot pieces_frame(const io::PiecesFile& pieces);

}  // namespace brisance::render
