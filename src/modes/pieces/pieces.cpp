/// Makes pieces from modes: cuts where any mode jumps, then joins small pieces.
#include "brisance/modes/pieces/pieces.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::modes {

namespace {

constexpr double kVisibleShare = 1e-3;  ///< share of the volume below which a piece counts as dust

double total(const std::vector<double>& volume) { return std::accumulate(volume.begin(), volume.end(), 0.0); }

void require_values(const CellGraph& graph, const ModeSet& modes) {
  const std::size_t wanted = graph.volume.size() * static_cast<std::size_t>(modes.components);
  for (std::size_t i = 0; i < modes.modes.size(); ++i)
    if (modes.modes[i].value.size() != wanted)
      throw core::Error(
          fmt::format("Mode {} has {} values, the mesh's {} cells need {}. The modes belong to another "
                      "mesh: compute them again.",
                      i, modes.modes[i].value.size(), graph.num_cells(), wanted));
}

double squared_jump(const CellGraph& graph, const Mode& mode, int components, std::size_t f) {
  if (!mode.jump.empty()) return mode.jump[f] * mode.jump[f];
  const Face& face = graph.faces[f];
  double sum = 0;
  for (int c = 0; c < components; ++c) {
    const double jump = mode.value[static_cast<std::size_t>(face.a) * components + c] -
                        mode.value[static_cast<std::size_t>(face.b) * components + c];
    sum += jump * jump;
  }
  return sum;
}

/// The connected parts of the graph with only the faces for which `keep` (by number) holds.
template <class Keep>
PieceLabels parts_through(const CellGraph& graph, const Keep& keep) {
  CellGraph glued;
  glued.volume = graph.volume;
  for (std::size_t f = 0; f < graph.faces.size(); ++f)
    if (keep(f)) glued.faces.push_back(graph.faces[f]);
  PieceLabels pieces;
  pieces.of_cell = connected_parts(glued);
  for (std::int32_t c = 0; c < graph.num_cells(); ++c) {
    pieces.volume.resize(std::max<std::size_t>(pieces.volume.size(), pieces.of_cell[c] + 1), 0.0);
    pieces.volume[pieces.of_cell[c]] += graph.volume[c];
  }
  return pieces;
}

/// Pieces while they are joined: volumes, and the weights shared with their neighbours.
class Joining {
public:
  Joining(const CellGraph& graph, const PieceLabels& pieces, std::span<const double> weight)
      : volume_(pieces.volume), shared_(pieces.volume.size()), joined_to_(pieces.volume.size()) {
    std::iota(joined_to_.begin(), joined_to_.end(), 0);
    for (std::size_t f = 0; f < graph.faces.size(); ++f) {
      const std::int32_t a = pieces.of_cell[graph.faces[f].a], b = pieces.of_cell[graph.faces[f].b];
      if (a == b) continue;
      const double w = weight.empty() ? graph.faces[f].area : weight[f];
      shared_[a][b] += w;
      shared_[b][a] += w;
    }
  }

  void join_below(double smallest_volume) {
    std::set<std::pair<double, std::int32_t>> slivers;
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(volume_.size()); ++p)
      if (volume_[p] < smallest_volume) slivers.emplace(volume_[p], p);
    while (!slivers.empty()) {
      const std::int32_t sliver = slivers.begin()->second;
      slivers.erase(slivers.begin());
      if (shared_[sliver].empty()) continue;  // an isolated small part has no neighbour to join
      const std::int32_t target = best_neighbour(sliver);
      slivers.erase({volume_[target], target});
      join(sliver, target);
      if (volume_[target] < smallest_volume) slivers.emplace(volume_[target], target);
    }
  }

  /// The piece into which p has been joined.
  [[nodiscard]] std::int32_t now(std::int32_t p) const {
    while (joined_to_[p] != p) p = joined_to_[p];
    return p;
  }

private:
  [[nodiscard]] std::int32_t best_neighbour(std::int32_t p) const {
    return std::max_element(shared_[p].begin(), shared_[p].end(),
                            [](const auto& x, const auto& y) { return x.second < y.second; })
        ->first;
  }

  void join(std::int32_t sliver, std::int32_t target) {
    for (const auto& [other, weight] : shared_[sliver]) {
      shared_[other].erase(sliver);
      if (other == target) continue;
      shared_[target][other] += weight;
      shared_[other][target] += weight;
    }
    shared_[sliver].clear();
    volume_[target] += volume_[sliver];
    joined_to_[sliver] = target;
  }

  std::vector<double> volume_;
  std::vector<std::map<std::int32_t, double>> shared_;
  std::vector<std::int32_t> joined_to_;
};

}  // namespace

PieceLabels intersect_modes(const CellGraph& graph, const ModeSet& modes, double gluing) {
  if (!(gluing > 0)) throw core::Error(fmt::format("gluing {:g} must be above 0. [S22] uses 0.001.", gluing));
  require_values(graph, modes);
  const double squared_threshold = gluing * gluing / total(graph.volume);
  return parts_through(graph, [&](std::size_t face) {
    return std::all_of(modes.modes.begin(), modes.modes.end(), [&](const Mode& mode) {
      return squared_jump(graph, mode, modes.components, face) < squared_threshold;
    });
  });
}

PieceLabels join_slivers(const CellGraph& graph, PieceLabels pieces, double smallest_share,
                         std::span<const double> weight) {
  if (!(smallest_share >= 0 && smallest_share < 1))
    throw core::Error(
        fmt::format("The smallest piece is given as {:g} of the volume; it must be at least 0 and below "
                    "1, for example 0.001.",
                    smallest_share));
  Joining joining(graph, pieces, weight);
  joining.join_below(smallest_share * total(pieces.volume));
  for (std::int32_t& piece : pieces.of_cell) piece = joining.now(piece);
  return split_into_parts(graph, pieces.of_cell);
}

PieceLabels split_into_parts(const CellGraph& graph, std::span<const std::int32_t> label) {
  return parts_through(graph, [&](std::size_t f) { return label[graph.faces[f].a] == label[graph.faces[f].b]; });
}

PieceStatistics piece_statistics(const PieceLabels& pieces) {
  PieceStatistics statistics;
  statistics.num_pieces = pieces.num_pieces();
  if (pieces.volume.empty()) return statistics;
  std::vector<double> shares = pieces.volume;
  std::sort(shares.begin(), shares.end());
  const double whole = total(shares);
  double squares = 0, below = 0;
  for (double& share : shares) {
    share /= whole;
    squares += share * share;
    if (below < 0.5) statistics.median_share = share;
    below += share;
    if (share > kVisibleShare) ++statistics.num_above_permille;
  }
  statistics.effective_pieces = 1 / squares;
  statistics.smallest_share = shares.front();
  statistics.largest_share = shares.back();
  return statistics;
}

}  // namespace brisance::modes
