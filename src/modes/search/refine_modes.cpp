#include "brisance/modes/search/refine_modes.hpp"

#include "brisance/modes/pieces/pieces.hpp"

#include "modes/search/body_part.hpp"
#include "modes/search/rotate_modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace brisance::modes {

namespace {

constexpr double kGluing = 1e-6;      ///< jumps below this over √V are rounding errors
constexpr double kSameEnergy = 1e-9;  ///< relative; a mode with another energy was rotated

/// The graph of the pieces of all modes.
MergedGraph pieces_of(const CellGraph& graph, std::span<const double> face_weight, const std::vector<Mode>& modes) {
  ModeSet set;
  set.modes = modes;
  return merge_cells(graph, face_weight, intersect_modes(graph, set, kGluing).of_cell);
}

void refine(const CellGraph& graph, std::span<const double> face_weight, std::vector<Mode>& modes) {
  const MergedGraph pieces = pieces_of(graph, face_weight, modes);
  std::vector<std::vector<double>> fields;
  for (const Mode& mode : modes) fields.push_back(pieces.means(graph, mode.value));
  const std::vector<double> energies = rotate_modes(pieces.graph, pieces.face_weight, fields);
  for (std::size_t k = 0; k < modes.size(); ++k) {
    if (std::abs(energies[k] - modes[k].energy) <= kSameEnergy * modes[k].energy) continue;
    modes[k].value = pieces.on_cells(fields[k]);
    modes[k].energy = energies[k];
    modes[k].relative_gap = 1;
  }
  std::stable_sort(modes.begin(), modes.end(), [](const Mode& x, const Mode& y) { return x.energy < y.energy; });
}

}  // namespace

void refine_modes(const Body& body, ModeSet& modes) {
  const std::vector<std::int32_t> part_of = connected_parts(body.graph);
  const std::int32_t parts = 1 + *std::max_element(part_of.begin(), part_of.end());
  for (std::int32_t p = 0; p < parts; ++p) {
    const BodyPart part = body_part(body, part_of, p);
    std::vector<std::size_t> places;
    std::vector<Mode> own;
    for (std::size_t k = static_cast<std::size_t>(parts); k < modes.modes.size(); ++k) {
      if (modes.modes[k].part != p) continue;
      places.push_back(k);
      own.push_back(on_part(part, modes.modes[k]));
    }
    if (own.empty()) continue;
    refine(part.merged.graph, part.merged.face_weight, own);
    for (std::size_t i = 0; i < own.size(); ++i)
      modes.modes[places[i]] = on_body(part, std::move(own[i]), part_of.size());
  }
}

}  // namespace brisance::modes
