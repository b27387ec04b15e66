/// Intersection of all modes: the pieces of an object with the cracks of every mode opened ([S22] section 3.4).
#pragma once

#include "brisance/modes/body/mode_set.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// The piece of each cell. Pieces are numbered 0, 1, … by their lowest cell; each is connected through faces.
struct PieceLabels {
  std::vector<std::int32_t> of_cell;
  std::vector<double> volume;  ///< of each piece [m³]; area [m²] in two dimensions

  [[nodiscard]] std::int32_t num_pieces() const { return static_cast<std::int32_t>(volume.size()); }
};

/// Cuts the object along every face where some mode jumps by gluing/√V or more (V the object's volume; jumps of vector
/// modes by their norm) and returns the connected parts.
/// @param gluing  [–], above 0; [S22] uses 1e-3
/// Throws core::Error if gluing is not positive or a mode does not have one value for each cell. Local.
[[nodiscard]] PieceLabels intersect_modes(const CellGraph& graph, const ModeSet& modes, double gluing = 1e-3);

/// Joins each piece below a share of the object's volume to the neighbour with which it shares the largest weight,
/// smallest piece first (of equals: lowest number), until none is left that has a neighbour. Weights are those of the
/// discontinuity energy, so a sliver joins the piece from which it would cost most to cut it off.
/// @param weight  of each face, ≥ 0; empty uses the areas
/// @param smallest_share  of the object's volume, 0 ≤ share < 1; 0 changes nothing
/// Throws core::Error if the share is out of range. Local.
[[nodiscard]] PieceLabels join_slivers(const CellGraph& graph, PieceLabels pieces, double smallest_share,
                                       std::span<const double> weight = {});

/// Pieces of given labels: cells of one label that are connected through faces; a label may have several pieces.
[[nodiscard]] PieceLabels split_into_parts(const CellGraph& graph, std::span<const std::int32_t> label);

/// How an object is divided. `effective_pieces` counts pieces as seen by the eye: a thousand slivers and two halves are
/// two.
struct PieceStatistics {
  std::int32_t num_pieces = 0;
  std::int32_t num_above_permille = 0;  ///< number of pieces above 0.1 % of the volume
  double effective_pieces = 0;          ///< 1/Σ f², f the volume fractions: n for n equal pieces
  double smallest_share = 0, median_share = 0, largest_share = 0;  ///< of the volume; the median halves the volume
};
[[nodiscard]] PieceStatistics piece_statistics(const PieceLabels& pieces);

}  // namespace brisance::modes
