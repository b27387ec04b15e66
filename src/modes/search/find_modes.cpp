#include "brisance/modes/search/find_modes.hpp"

#include "brisance/core/error.hpp"
#include "brisance/modes/body/merged_graph.hpp"

#include "modes/search/body_part.hpp"
#include "modes/search/mode_sequence.hpp"
#include "modes/spectral/conductivity.hpp"

#include <algorithm>
#include <ctime>
#include <string>
#include <utility>

namespace brisance::modes {

namespace {

std::int32_t num_parts(const std::vector<std::int32_t>& part) {
  return part.empty() ? 0 : 1 + *std::max_element(part.begin(), part.end());
}

/// Finds the missing modes of one part; false if stopped.
bool find_rest(const BodyPart& part, std::int32_t number, std::int32_t count, const FindModesSettings& settings,
               ModeSet& modes, const AfterMode& after_mode) {
  ModeSequence sequence(part.merged.graph, part.merged.face_weight, settings.search, settings.smallest_share);
  std::int32_t found = 0;  // includes the constant one
  for (const Mode& mode : modes.modes)
    if (mode.part == number && found++ > 0) sequence.add_known(on_part(part, mode));
  if (found >= count) return true;
  const auto most_starts = static_cast<std::int32_t>(part.mesh.nodes.size());
  auto starts =
      start_vectors(part.mesh, std::min(count + settings.starts - 1, most_starts), settings.start, part.conductivity);
  for (std::vector<double>& start : starts) start = part.merged.means(part.cell_graph, start);
  for (; found < count; ++found) {
    const std::clock_t begin = std::clock();
    const auto first = starts.begin() + found;
    const auto last = first + std::min<std::ptrdiff_t>(settings.starts, starts.end() - first);
    Mode mode = on_body(part, sequence.next({first, last}), modes.modes.front().value.size());
    mode.part = number;
    modes.modes.push_back(std::move(mode));
    if (!after_mode(modes, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::int32_t> most_modes_of_parts(const Body& body) {
  const std::vector<std::int32_t> part_of = connected_parts(body.graph);
  std::vector<std::int32_t> allowed(num_parts(part_of), 0), num_nodes(allowed.size(), 0);
  const std::vector<std::int32_t> set_of = unbreakable_sets(body.graph, body.no_break);
  std::int32_t next_set = 0;
  std::vector<std::pair<std::int32_t, std::int32_t>> part_nodes;  // parts may share nodes
  for (std::int32_t c = 0; c < body.graph.num_cells(); ++c) {
    if (set_of[c] == next_set) {  // sets are numbered by their lowest cell
      ++allowed[part_of[c]];
      ++next_set;
    }
    for (const std::int32_t corner : body.mesh.cell(c)) part_nodes.emplace_back(part_of[c], corner);
  }
  std::sort(part_nodes.begin(), part_nodes.end());
  part_nodes.erase(std::unique(part_nodes.begin(), part_nodes.end()), part_nodes.end());
  for (const auto& [part, node] : part_nodes) ++num_nodes[part];
  for (std::size_t p = 0; p < allowed.size(); ++p) allowed[p] = std::min(allowed[p], num_nodes[p]);
  return allowed;
}

std::int32_t fields_for(const ModeSet& set, std::int32_t count) {
  const int each = set.displacements();
  if (each == 1 || set.same_along_all_axes()) return (count + each - 1) / each;
  return std::max(1, count - set.dimension + 1);
}

namespace {

constexpr double kSameEnergy = 1e-6;  ///< relative: for symmetric bodies, whose modes come in pairs

/// As holds_lowest, for the fields of one part in the order found.
bool part_holds_lowest(const ModeSet& set, std::int32_t count, std::span<const double> energy) {
  std::vector<double> costs;
  for (const double e : energy)
    for (int axis = 0; axis < (set.components == 1 ? set.dimension : 1); ++axis)
      costs.push_back(set.components == 1 ? set.axis_strength[static_cast<std::size_t>(axis)] * e : e);
  if (static_cast<std::int32_t>(costs.size()) < count) return false;
  const auto highest = costs.begin() + (count - 1);
  std::ranges::nth_element(costs, highest);
  const double weakest = *std::min_element(set.axis_strength.begin(), set.axis_strength.begin() + set.dimension);
  return (set.components == 1 ? weakest : 1) * energy.back() >= (1 - kSameEnergy) * *highest;
}

}  // namespace

bool holds_lowest(const ModeSet& set, std::int32_t count, std::span<const std::int32_t> most) {
  std::vector<std::vector<double>> energies(most.size());
  for (const Mode& mode : set.modes) energies[static_cast<std::size_t>(mode.part)].push_back(mode.energy);
  for (std::size_t p = 0; p < most.size(); ++p)
    if (static_cast<std::int32_t>(energies[p].size()) < most[p] && !part_holds_lowest(set, count, energies[p]))
      return false;
  return true;
}

std::vector<std::int32_t> modes_of_parts(const Body& body, std::int32_t count) {
  std::vector<std::int32_t> allowed = most_modes_of_parts(body);
  const std::int32_t most = allowed.empty() ? 0 : *std::max_element(allowed.begin(), allowed.end());
  if (count > most)
    throw core::Error(
        std::to_string(count) + " scalar modes are more than this mesh allows (" + std::to_string(most) +
        ", one a node and cell of its largest connected part; cells that must not break apart count as "
        "one; a scalar mode stands for a displacement mode along each axis). Ask for fewer, or use a finer mesh.");
  for (std::int32_t& a : allowed) a = std::min(a, count);
  return allowed;
}

bool find_modes(const Body& body, const FindModesSettings& settings, ModeSet& modes, const AfterMode& after_mode) {
  const std::vector<std::int32_t> part_of = connected_parts(body.graph);
  const std::vector<std::int32_t> counts = modes_of_parts(body, settings.count);
  const auto parts = static_cast<std::int32_t>(counts.size());
  std::vector<BodyPart> bodies;
  const std::vector<SymMat3> conductivity = cell_conductivity(body.mesh, body.graph, body.eta);
  for (std::int32_t p = 0; p < parts; ++p) bodies.push_back(body_part(body, part_of, p, conductivity));
  for (auto p = static_cast<std::int32_t>(modes.modes.size()); p < parts; ++p) {
    modes.modes.push_back(on_body(bodies[p], constant_mode(bodies[p].merged.graph), part_of.size()));
    modes.modes.back().part = p;
  }
  for (std::int32_t p = 0; p < parts; ++p)
    if (!find_rest(bodies[p], p, counts[p], settings, modes, after_mode)) return false;
  return true;
}

}  // namespace brisance::modes
