#include "modes/search/level_sets.hpp"

#include <algorithm>
#include <numeric>

namespace brisance::modes {

namespace {

constexpr int kFewLevels = 200;      ///< a field with no more levels is a mode, not a smooth start
constexpr double kSameLevel = 1e-9;  ///< relative to the field's range

/// Perimeter of the first k cells of the order, for every k [num_cells + 1]: each face counts between its two cells.
std::vector<double> perimeters(const CellGraph& graph, std::span<const double> face_weight,
                               const std::vector<std::int32_t>& place) {
  std::vector<double> change(graph.volume.size() + 1, 0.0);
  for (std::size_t f = 0; f < graph.faces.size(); ++f) {
    const auto [first, last] = std::minmax(place[graph.faces[f].a], place[graph.faces[f].b]);
    change[first + 1] += face_weight[f];
    change[last + 1] -= face_weight[f];
  }
  std::partial_sum(change.begin(), change.end(), change.begin());
  return change;
}

/// Perimeter counted face by face: the running sum above accumulates rounding.
double perimeter_of_first(const CellGraph& graph, std::span<const double> face_weight,
                          const std::vector<std::int32_t>& place, std::int32_t count) {
  double sum = 0;
  for (std::size_t f = 0; f < graph.faces.size(); ++f)
    if ((place[graph.faces[f].a] < count) != (place[graph.faces[f].b] < count)) sum += face_weight[f];
  return sum;
}

/// Number of cells above each threshold between two levels.
std::vector<std::int32_t> every_level(std::span<const double> field, const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> above;
  const double range = field[order.front()] - field[order.back()];
  for (std::size_t k = 1; k < order.size(); ++k)
    if (field[order[k - 1]] - field[order[k]] > kSameLevel * range) above.push_back(static_cast<std::int32_t>(k));
  return above;
}

std::vector<std::int32_t> cheapest_levels(const CellGraph& graph, std::span<const double> field,
                                          const std::vector<std::int32_t>& order, const std::vector<double>& perimeter,
                                          int count) {
  const double total = std::accumulate(graph.volume.begin(), graph.volume.end(), 0.0);
  std::vector<std::int32_t> best(count, 0);  // for each interval; 0: none
  double volume = 0;
  for (std::int32_t k = 1; k < graph.num_cells(); ++k) {
    volume += graph.volume[order[k - 1]];
    if (field[order[k - 1]] == field[order[k]]) continue;
    const int stretch = std::min(count - 1, static_cast<int>(volume / total * count));
    if (best[stretch] == 0 || perimeter[k] < perimeter[best[stretch]]) best[stretch] = k;
  }
  return best;
}

}  // namespace

std::vector<WeightedSet> level_sets(const CellGraph& graph, std::span<const double> face_weight,
                                    std::span<const double> field, int count) {
  const std::int32_t n = graph.num_cells();
  std::vector<std::int32_t> order(n), place(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return field[a] > field[b]; });
  for (std::int32_t k = 0; k < n; ++k) place[order[k]] = k;
  const std::vector<double> perimeter = perimeters(graph, face_weight, place);
  std::vector<std::int32_t> best = every_level(field, order);  // number of cells above each threshold; 0: none
  if (best.size() > static_cast<std::size_t>(kFewLevels)) best = cheapest_levels(graph, field, order, perimeter, count);
  std::vector<WeightedSet> sets;
  std::vector<std::uint8_t> member(n);
  for (const std::int32_t k : best) {
    if (k == 0) continue;
    for (std::int32_t c = 0; c < n; ++c) member[c] = place[c] < k;
    sets.push_back({CellSet(member), perimeter_of_first(graph, face_weight, place, k)});
  }
  return sets;
}

}  // namespace brisance::modes
