/// A sequence of modes with options: the best of several starts, and no slivers.
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

/// The modes of one connected body. Without a smallest piece and with one start for each mode, exactly
/// ScalarModeSearch.
///
/// With a smallest piece, a search whose cracks, together with those of the earlier modes, make smaller pieces is
/// repeated: each such sliver is joined with the cells around it, inside the earlier cracks, until it is large enough,
/// and is then one cell of this search. This ends when no sliver is left. The earlier modes are constant on the joined
/// cells, so orthogonality still holds.
/// orthogonality holds as before.
class ModeSequence {
public:
  /// The graph must outlive the sequence. @param smallest_share  least share of the body's volume for a piece; 0 allows
  /// all
  ModeSequence(const CellGraph& graph, std::vector<double> face_weight, const ScalarModeSettings& settings,
               double smallest_share);

  void add_known(const Mode& mode);
  /// The mode of lowest energy from these starts. Local; throws core::Error if no start yields one.
  [[nodiscard]] Mode next(std::span<const std::vector<double>> starts);

private:
  [[nodiscard]] std::optional<Mode> find_without_slivers(std::span<const double> start) const;
  [[nodiscard]] PieceLabels pieces_with(const Mode& mode) const;
  [[nodiscard]] Mode find_on(const MergedGraph& merged, std::span<const double> start) const;

  const CellGraph& graph_;
  std::vector<double> face_weight_;
  ScalarModeSettings settings_;
  double smallest_volume_;  ///< least volume of a piece
  ScalarModeSearch search_;
  std::vector<Mode> known_;
  std::vector<std::int32_t> piece_;  ///< piece of each cell, by the cracks of all known modes
};

}  // namespace brisance::modes
