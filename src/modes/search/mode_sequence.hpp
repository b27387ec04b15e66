/// One mode after the other, better than the plain sequence if asked: the best of several starts, and no slivers.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"
#include "brisance/modes/body/merged_graph.hpp"
#include "brisance/modes/body/mode_set.hpp"
#include "brisance/modes/pieces/pieces.hpp"
#include "brisance/modes/search/scalar_modes.hpp"

#include <optional>
#include <span>
#include <vector>

namespace brisance::modes {

/// The modes of one connected body. Without a smallest piece and with one start a mode, exactly ScalarModeSearch.
///
/// With a smallest piece, a search whose cracks, with those of the earlier modes, cut off less is made again: each such
/// sliver is joined with the cells around it, inside the earlier cracks, until it is large enough, and from then on is
/// one cell of this search. It ends when no sliver is left. The earlier modes are constant on what was joined, so
/// orthogonality holds as before.
class ModeSequence {
public:
  /// The graph must outlive the sequence. @param smallest_share  of the body's volume, a piece must have; 0 allows all
  ModeSequence(const CellGraph& graph, std::vector<double> face_weight, const ScalarModeSettings& settings,
               double smallest_share);

  void add_known(const Mode& mode);
  /// The mode of lowest energy from these starts. Local; throws core::Error if no start leads to one.
  [[nodiscard]] Mode next(std::span<const std::vector<double>> starts);

private:
  [[nodiscard]] std::optional<Mode> find_without_slivers(std::span<const double> start) const;
  [[nodiscard]] PieceLabels pieces_with(const Mode& mode) const;
  [[nodiscard]] Mode find_on(const MergedGraph& merged, std::span<const double> start) const;

  const CellGraph& graph_;
  std::vector<double> face_weight_;
  ScalarModeSettings settings_;
  double smallest_volume_;  ///< of a piece
  ScalarModeSearch search_;
  std::vector<Mode> known_;
  std::vector<std::int32_t> piece_;  ///< of each cell, by the cracks of all known modes
};

}  // namespace brisance::modes
