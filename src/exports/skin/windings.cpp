#include "exports/skin/windings.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace brisance::exports {
namespace {

using EdgeCrossings = std::array<std::vector<EdgeCrossing>, 3>;

std::uint64_t corner_key(std::int32_t a, std::int32_t b) {
  return (static_cast<std::uint64_t>(a) << 32) | static_cast<std::uint32_t>(b);
}

int growth_along(const std::vector<EdgeCrossing>& crossings) {
  int growth = 0;
  for (const EdgeCrossing& c : crossings) growth += c.leaves ? -1 : 1;
  return growth;
}

/// Corners of crossed triangles, joined by the edges between them.
class Strips {
public:
  /// Numbers the corner of a triangle that a piece crosses.
  std::int32_t number(std::int32_t point, std::int32_t piece) {
    const auto [found, is_new] =
        numbers_.try_emplace(corner_key(point, piece), static_cast<std::int32_t>(links_.size()));
    if (is_new) links_.emplace_back();
    return found->second;
  }
  void join(std::int32_t from, std::int32_t to, int growth) {
    links_[static_cast<std::size_t>(from)].emplace_back(to, growth);
    links_[static_cast<std::size_t>(to)].emplace_back(from, -growth);
  }
  /// Numbers of windings against the first corner of each strip.
  void follow() {
    windings.assign(links_.size(), 0);
    strip.assign(links_.size(), -1);
    for (std::int32_t first = 0; first < std::ssize(links_); ++first) {
      if (strip[static_cast<std::size_t>(first)] >= 0) continue;
      std::vector<std::int32_t> open{first};
      strip[static_cast<std::size_t>(first)] = num_strips;
      while (!open.empty()) {
        const auto at = static_cast<std::size_t>(open.back());
        open.pop_back();
        for (const auto& [other, growth] : links_[at]) {
          const auto o = static_cast<std::size_t>(other);
          if (strip[o] >= 0) continue;
          strip[o] = num_strips;
          windings[o] = windings[at] + growth;
          open.push_back(other);
        }
      }
      ++num_strips;
    }
  }

  std::vector<int> windings;
  std::vector<std::int32_t> strip;
  std::int32_t num_strips = 0;

private:
  std::unordered_map<std::uint64_t, std::int32_t> numbers_;
  std::vector<std::vector<std::pair<std::int32_t, int>>> links_;
};

/// A stretch of an edge without crossings.
struct Gap {
  double from = 0, to = 1;  ///< shares of the edge
  int growth = 0;           ///< of the winding number, from the edge's first end
};

Gap longest_gap(std::span<const CrossingOnEdge> on_edge) {
  Gap longest{0, on_edge.empty() ? 1 : on_edge.front().along, 0};
  int growth = 0;
  for (std::size_t i = 0; i < on_edge.size(); ++i) {
    growth += on_edge[i].leaves ? -1 : 1;
    const Gap gap{on_edge[i].along, i + 1 < on_edge.size() ? on_edge[i + 1].along : 1, growth};
    if (gap.to - gap.from > longest.to - longest.from) longest = gap;
  }
  return longest;
}

/// Crossings of an edge with a piece.
std::span<const CrossingOnEdge> crossings_of(const std::vector<CrossingOnEdge>& sorted, std::int32_t edge,
                                             std::int32_t piece) {
  const auto key = [](const CrossingOnEdge& c) { return std::pair(c.edge, c.piece); };
  const auto found = std::ranges::equal_range(sorted, std::pair(edge, piece), {}, key);
  return {found.begin(), found.end()};
}

}  // namespace

EdgeCrossings along_outline(const Net& net, const CrossedTriangle& of, const std::vector<CrossingOnEdge>& sorted) {
  EdgeCrossings edges;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::int32_t edge = net.edges_of[of.triangle][k];
    const bool is_along = net.triangles[of.triangle][k] == net.edges[edge][0];
    for (const CrossingOnEdge& c : crossings_of(sorted, edge, of.piece))
      edges[k].push_back({kFirstCrossing + c.crossing, c.leaves == is_along});
    if (!is_along) std::ranges::reverse(edges[k]);
  }
  return edges;
}

std::vector<std::optional<std::array<int, 3>>> winding_numbers(
    const Net& net, const std::vector<CrossingOnEdge>& sorted, std::span<const CrossedTriangle> crossed,
    const std::function<bool(const Vec3&, std::int32_t)>& is_inside_at) {
  constexpr std::size_t kSamples = 48;  // in each strip
  Strips strips;
  std::vector<std::array<std::int32_t, 3>> corners;
  std::vector<char> is_open;
  for (const CrossedTriangle& of : crossed) {
    auto& numbers = corners.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) numbers[k] = strips.number(net.triangles[of.triangle][k], of.piece);
    const EdgeCrossings edges = along_outline(net, of, sorted);
    std::array<int, 3> growth{};
    for (std::size_t k = 0; k < 3; ++k) growth[k] = growth_along(edges[k]);
    is_open.push_back(growth[0] + growth[1] + growth[2] != 0 ? 1 : 0);
    if (is_open.back() == 0)
      for (std::size_t k = 0; k < 3; ++k) strips.join(numbers[k], numbers[(k + 1) % 3], growth[k]);
  }
  strips.follow();

  std::vector<std::vector<std::size_t>> members(static_cast<std::size_t>(strips.num_strips));
  for (std::size_t i = 0; i < crossed.size(); ++i)
    if (is_open[i] == 0) members[static_cast<std::size_t>(strips.strip[corners[i][0]])].push_back(i);
  std::vector<int> offset(members.size(), 0);
  for (std::size_t s = 0; s < members.size(); ++s) {
    std::map<int, double> votes;  // lengths of edges that say so [m]
    const std::size_t step = 1 + members[s].size() / kSamples;
    for (std::size_t m = 0; m < members[s].size(); m += step) {
      const std::size_t i = members[s][m];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t edge = net.edges_of[crossed[i].triangle][k];
        const bool is_along = net.triangles[crossed[i].triangle][k] == net.edges[edge][0];
        const std::int32_t first = corners[i][is_along ? k : (k + 1) % 3];
        const Gap gap = longest_gap(crossings_of(sorted, edge, crossed[i].piece));
        const Vec3 &a = net.points[net.edges[edge][0]], &b = net.points[net.edges[edge][1]];
        const double middle = (gap.from + gap.to) / 2;
        const int here = is_inside_at((1 - middle) * a + middle * b, crossed[i].piece) ? 1 : 0;
        votes[here - strips.windings[first] - gap.growth] += (gap.to - gap.from) * (b - a).norm();
      }
    }
    if (!votes.empty()) offset[s] = std::ranges::max_element(votes, {}, [](const auto& v) { return v.second; })->first;
  }

  std::vector<std::optional<std::array<int, 3>>> windings(crossed.size());
  for (std::size_t i = 0; i < crossed.size(); ++i) {
    if (is_open[i] != 0) continue;
    auto& of = windings[i].emplace();
    for (std::size_t k = 0; k < 3; ++k)
      of[k] = strips.windings[corners[i][k]] + offset[static_cast<std::size_t>(strips.strip[corners[i][k]])];
  }
  return windings;
}

}  // namespace brisance::exports
