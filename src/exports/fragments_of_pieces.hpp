/// Files of prefractured pieces as one frame of fragments.
#pragma once

#include "brisance/exports/fragments.hpp"
#include "brisance/io/pieces_file.hpp"

#include <vector>

namespace brisance::exports {

/// Pieces at rest, with the names of the file (io::piece_names). Texture coordinates are those of the file; materials
/// and colours those of FragmentOptions::input, where it is given. Throws core::Error. Local.
[[nodiscard]] FragmentFrame fragments_of(const io::PiecesFile& file, const FragmentOptions& options);

[[nodiscard]] std::vector<PieceLife> lives_of(const io::PiecesFile& file, const FragmentOptions& options);

}  // namespace brisance::exports
