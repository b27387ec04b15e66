#include "modes/search/simple_sets.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace brisance::modes {

namespace {

/// The pieces of a cut, and the summed faces between them.
struct PieceGraph {
  struct Neighbour {
    std::int32_t piece;
    double weight;
  };
  std::vector<std::vector<Neighbour>> neighbours;
  std::vector<double> gain;
  std::vector<bool> in_set;
};

/// Numbers the connected components in order of their lowest cell.
std::vector<std::int32_t> components(const CellGraph& graph, std::span<const std::uint8_t> in_set) {
  std::vector<std::int32_t> parent(graph.volume.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::int32_t c) {
    while (parent[c] != c) c = parent[c] = parent[parent[c]];
    return c;
  };
  for (const Face& f : graph.faces) {
    if (in_set[f.a] != in_set[f.b]) continue;
    const auto [low, high] = std::minmax({root(f.a), root(f.b)});
    parent[high] = low;
  }
  std::int32_t count = 0;
  std::vector<std::int32_t> piece(parent.size());
  for (std::int32_t c = 0; c < graph.num_cells(); ++c) piece[c] = parent[c] == c ? count++ : piece[root(c)];
  return piece;
}

PieceGraph piece_graph(const CellGraph& graph, std::span<const double> face_weight, std::span<const double> gain,
                       std::span<const std::uint8_t> in_set, const std::vector<std::int32_t>& piece) {
  PieceGraph pieces;
  const std::int32_t count = 1 + *std::max_element(piece.begin(), piece.end());
  pieces.neighbours.resize(count);
  pieces.gain.resize(count);
  pieces.in_set.resize(count);
  for (std::int32_t c = 0; c < graph.num_cells(); ++c) {
    pieces.gain[piece[c]] += gain[c];
    pieces.in_set[piece[c]] = in_set[c] != 0;
  }
  std::map<std::pair<std::int32_t, std::int32_t>, double> weight;
  for (std::size_t f = 0; f < graph.faces.size(); ++f) {
    const auto sides = std::minmax(piece[graph.faces[f].a], piece[graph.faces[f].b]);
    if (sides.first != sides.second) weight[sides] += face_weight[f];
  }
  for (const auto& [sides, sum] : weight) {
    pieces.neighbours[sides.first].push_back({sides.second, sum});
    pieces.neighbours[sides.second].push_back({sides.first, sum});
  }
  return pieces;
}

/// All pieces connected to `first` after `removed` is taken out; marks them in `seen`.
SimpleSet branch(const PieceGraph& pieces, std::int32_t removed, std::int32_t first, std::vector<bool>& seen) {
  SimpleSet set;
  set.pieces.push_back(first);
  seen[first] = true;
  for (std::size_t head = 0; head < set.pieces.size(); ++head) {
    const std::int32_t piece = set.pieces[head];
    set.gain += pieces.gain[piece];
    for (const auto& neighbour : pieces.neighbours[piece]) {
      if (neighbour.piece == removed) {
        set.perimeter += neighbour.weight;
      } else if (!seen[neighbour.piece]) {
        seen[neighbour.piece] = true;
        set.pieces.push_back(neighbour.piece);
      }
    }
  }
  std::sort(set.pieces.begin(), set.pieces.end());
  return set;
}

}  // namespace

CutParts simple_sets(const CellGraph& graph, std::span<const double> face_weight, std::span<const double> gain,
                     std::span<const std::uint8_t> in_set) {
  CutParts parts;
  parts.piece = components(graph, in_set);
  const PieceGraph pieces = piece_graph(graph, face_weight, gain, in_set, parts.piece);
  const auto count = static_cast<std::int32_t>(pieces.gain.size());
  std::vector<bool> seen;
  for (std::int32_t removed = 0; removed < count; ++removed) {
    if (!pieces.in_set[removed]) continue;
    seen.assign(count, false);
    for (const auto& neighbour : pieces.neighbours[removed])
      if (!seen[neighbour.piece]) parts.sets.push_back(branch(pieces, removed, neighbour.piece, seen));
  }
  return parts;
}

CellSet cells_of(const CutParts& parts, const SimpleSet& set) {
  std::vector<std::uint8_t> member(parts.piece.size());
  for (std::size_t c = 0; c < member.size(); ++c)
    member[c] = std::binary_search(set.pieces.begin(), set.pieces.end(), parts.piece[c]);
  return CellSet(member);
}

}  // namespace brisance::modes
