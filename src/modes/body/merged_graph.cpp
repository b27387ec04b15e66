#include "brisance/modes/body/merged_graph.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace brisance::modes {

std::vector<double> MergedGraph::means(const CellGraph& cells, std::span<const double> field) const {
  std::vector<double> mean(graph.volume.size(), 0.0);
  for (std::size_t c = 0; c < field.size(); ++c) mean[set_of[c]] += cells.volume[c] * field[c];
  for (std::size_t s = 0; s < mean.size(); ++s) mean[s] /= graph.volume[s];
  return mean;
}

std::vector<double> MergedGraph::on_cells(std::span<const double> field) const {
  std::vector<double> spread(set_of.size());
  for (std::size_t c = 0; c < spread.size(); ++c) spread[c] = field[set_of[c]];
  return spread;
}

MergedGraph merge_cells(const CellGraph& cells, std::span<const double> face_weight, std::vector<std::int32_t> set_of) {
  MergedGraph merged;
  merged.set_of = std::move(set_of);
  for (std::size_t c = 0; c < cells.volume.size(); ++c) {
    const auto set = static_cast<std::size_t>(merged.set_of[c]);
    if (set >= merged.graph.volume.size()) merged.graph.volume.resize(set + 1, 0.0);
    merged.graph.volume[set] += cells.volume[c];
  }
  std::map<std::pair<std::int32_t, std::int32_t>, std::pair<double, double>> between;  // area, weight
  for (std::size_t f = 0; f < cells.faces.size(); ++f) {
    const auto sides = std::minmax(merged.set_of[cells.faces[f].a], merged.set_of[cells.faces[f].b]);
    if (sides.first == sides.second) continue;
    auto& [area, weight] = between[sides];
    area += cells.faces[f].area;
    weight += face_weight[f];
  }
  for (const auto& [sides, sums] : between) {
    merged.graph.faces.push_back({sides.first, sides.second, sums.first});
    merged.face_weight.push_back(sums.second);
  }
  return merged;
}

std::vector<std::int32_t> unbreakable_sets(const CellGraph& cells, std::span<const std::int32_t> no_break) {
  CellGraph joined;
  joined.volume = cells.volume;
  if (!no_break.empty())
    std::copy_if(cells.faces.begin(), cells.faces.end(), std::back_inserter(joined.faces),
                 [&](const Face& f) { return no_break[f.a] != 0 && no_break[f.b] != 0; });
  return connected_parts(joined);
}

}  // namespace brisance::modes
