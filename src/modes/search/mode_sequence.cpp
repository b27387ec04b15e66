#include "modes/search/mode_sequence.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::modes {

namespace {

constexpr double kGluing = 1e-6;  ///< jumps below this over √V are rounding errors

/// The graph without faces between different pieces.
CellGraph inside_pieces(const CellGraph& graph, const std::vector<std::int32_t>& piece) {
  CellGraph inside;
  inside.volume = graph.volume;
  std::copy_if(graph.faces.begin(), graph.faces.end(), std::back_inserter(inside.faces),
               [&](const Face& face) { return piece[face.a] == piece[face.b]; });
  return inside;
}

ModeSet only(const Mode& mode) {
  ModeSet set;
  set.modes.push_back(mode);
  return set;
}

using Neighbours = std::vector<std::vector<std::int32_t>>;

Neighbours neighbours_of(const CellGraph& graph) {
  Neighbours neighbours(graph.volume.size());
  for (const Face& face : graph.faces) {
    neighbours[face.a].push_back(face.b);
    neighbours[face.b].push_back(face.a);
  }
  return neighbours;
}

/// Adds layers of neighbours until the volume is reached, or none are left.
void grow(std::vector<std::int32_t>& members, const Neighbours& neighbours, const std::vector<double>& volume,
          double wanted) {
  std::vector<bool> is_member(volume.size(), false);
  double sum = 0;
  for (const std::int32_t m : members) {
    is_member[m] = true;
    sum += volume[m];
  }
  for (std::size_t next = 0; next < members.size() && sum < wanted; ++next)
    for (const std::int32_t n : neighbours[members[next]]) {
      if (is_member[n] || sum >= wanted) continue;
      is_member[n] = true;
      members.push_back(n);
      sum += volume[n];
    }
}

/// Sets of cells after each sliver has grown within `inside`, a graph on the merged cells.
std::vector<std::int32_t> grown_sets(const MergedGraph& merged, const CellGraph& inside, const PieceLabels& pieces,
                                     double smallest_volume) {
  const Neighbours neighbours = neighbours_of(inside);
  std::vector<std::vector<std::int32_t>> members(pieces.volume.size());
  std::vector<std::int32_t> piece_of(inside.volume.size());
  for (std::size_t c = 0; c < merged.set_of.size(); ++c) piece_of[merged.set_of[c]] = pieces.of_cell[c];
  for (std::int32_t s = 0; s < inside.num_cells(); ++s) members[piece_of[s]].push_back(s);
  CellGraph joined;  // used for its connected parts only
  joined.volume = inside.volume;
  for (std::size_t p = 0; p < members.size(); ++p) {
    if (pieces.volume[p] >= smallest_volume) continue;
    grow(members[p], neighbours, inside.volume, smallest_volume);
    for (std::size_t k = 1; k < members[p].size(); ++k)
      joined.faces.push_back({std::min(members[p][0], members[p][k]), std::max(members[p][0], members[p][k]), 1});
  }
  const std::vector<std::int32_t> joined_set = connected_parts(joined);
  std::vector<std::int32_t> set_of;
  for (const std::int32_t s : merged.set_of) set_of.push_back(joined_set[s]);
  return set_of;
}

}  // namespace

ModeSequence::ModeSequence(const CellGraph& graph, std::vector<double> face_weight, const ScalarModeSettings& settings,
                           double smallest_share)
    : graph_(graph),
      face_weight_(std::move(face_weight)),
      settings_(settings),
      smallest_volume_(smallest_share * std::accumulate(graph.volume.begin(), graph.volume.end(), 0.0) * (1 - 1e-12)),
      search_(graph, face_weight_, settings),
      piece_(graph.volume.size(), 0) {}

void ModeSequence::add_known(const Mode& mode) {
  search_.add_known(mode);
  if (smallest_volume_ == 0) return;
  known_.push_back(mode);
  piece_ = pieces_with(mode).of_cell;
}

/// The pieces of all known modes and one more.
PieceLabels ModeSequence::pieces_with(const Mode& mode) const {
  return intersect_modes(inside_pieces(graph_, piece_), only(mode), kGluing);
}

/// Finds a mode among the fields that are constant on the merged cells.
Mode ModeSequence::find_on(const MergedGraph& merged, std::span<const double> start) const {
  ScalarModeSearch search(merged.graph, merged.face_weight, settings_);
  for (const Mode& known : known_) {
    Mode on_sets;
    on_sets.value = merged.means(graph_, known.value);
    search.add_known(on_sets);
  }
  Mode mode = search.find(merged.means(graph_, start));
  mode.value = merged.on_cells(mode.value);
  return mode;
}

/// None if no further mode with such large pieces exists.
std::optional<Mode> ModeSequence::find_without_slivers(std::span<const double> start) const {
  MergedGraph merged = merge_cells(graph_, face_weight_, unbreakable_sets(graph_, {}));
  while (merged.graph.volume.size() > known_.size() + 1) {
    Mode mode = find_on(merged, start);
    const PieceLabels pieces = pieces_with(mode);
    if (*std::min_element(pieces.volume.begin(), pieces.volume.end()) >= smallest_volume_) return mode;
    std::vector<std::int32_t> piece_of_set(merged.graph.volume.size());
    for (std::size_t c = 0; c < piece_.size(); ++c) piece_of_set[merged.set_of[c]] = piece_[c];
    merged = merge_cells(graph_, face_weight_,
                         grown_sets(merged, inside_pieces(merged.graph, piece_of_set), pieces, smallest_volume_));
  }
  return std::nullopt;
}

Mode ModeSequence::next(std::span<const std::vector<double>> starts) {
  std::optional<Mode> best;
  for (const std::vector<double>& start : starts) {
    std::optional<Mode> mode = smallest_volume_ > 0 ? find_without_slivers(start) : search_.find(start);
    if (mode && (!best || mode->energy < best->energy)) best = std::move(mode);
  }
  if (!best)
    throw core::Error(fmt::format(
        "There is no fracture mode after the first {} whose pieces are all large enough. Allow smaller pieces, ask for "
        "fewer modes, or try more starts a mode.",
        known_.size() + 1));
  add_known(*best);
  return std::move(*best);
}

}  // namespace brisance::modes
