/// The sequence of convex steps (ICCM) around exact column generation.
#include "brisance/modes/search/scalar_modes.hpp"

#include "brisance/core/error.hpp"

#include "modes/search/convex_step.hpp"
#include "modes/search/level_sets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace brisance::modes {

namespace {

constexpr int kLevelSets = 24;  ///< number for each start vector

std::vector<double> times_volume(const CellGraph& graph, std::span<const double> field) {
  std::vector<double> product(field.begin(), field.end());
  for (std::size_t c = 0; c < product.size(); ++c) product[c] *= graph.volume[c];
  return product;
}

double dot(const CellGraph& graph, std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t c = 0; c < x.size(); ++c) sum += graph.volume[c] * x[c] * y[c];
  return sum;
}

/// The field without its mean, scaled to ‖·‖ = 1.
std::vector<double> normalised(const CellGraph& graph, std::vector<double> field) {
  double volume = 0, integral = 0;
  for (std::size_t c = 0; c < field.size(); ++c) {
    volume += graph.volume[c];
    integral += graph.volume[c] * field[c];
  }
  for (double& v : field) v -= integral / volume;
  const double norm = std::sqrt(dot(graph, field, field));
  for (double& v : field) v /= norm;
  return field;
}

double distance(const CellGraph& graph, std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t c = 0; c < x.size(); ++c) sum += graph.volume[c] * (x[c] - y[c]) * (x[c] - y[c]);
  return std::sqrt(sum);
}

double energy(const SearchState& state, std::span<const double> field) {
  double sum = 0;
  for (std::size_t f = 0; f < state.face_weight.size(); ++f)
    sum += state.face_weight[f] * std::abs(field[state.graph.faces[f].a] - field[state.graph.faces[f].b]);
  return sum;
}

/// A face's weight for η = 1.
double plain_weight(const Face& face, Weighting weighting) {
  return weighting == Weighting::area ? face.area : std::sqrt(face.area);
}

CutHelpers* present(CutHelpers* helpers) { return helpers != nullptr && helpers->any() ? helpers : nullptr; }

}  // namespace

std::vector<double> face_weights(const CellGraph& graph, Weighting weighting, std::span<const double> eta,
                                 std::span<const std::int32_t> cell_id) {
  std::vector<double> weight;
  weight.reserve(graph.faces.size());
  const auto name = [&](std::int32_t cell) { return std::to_string(cell_id.empty() ? cell : cell_id[cell]); };
  for (std::size_t f = 0; f < graph.faces.size(); ++f) {
    const Face& face = graph.faces[f];
    const auto where = [&] { return "The face between cells " + name(face.a) + " and " + name(face.b); };
    if (!(face.area > 0)) throw core::Error(where() + " has no area. Mesh the object again.");
    const double factor = eta.empty() ? 1 : eta[f];
    if (!(factor > 0) || !std::isfinite(factor))
      throw core::Error(where() + " has the strength factor eta = " + std::to_string(factor) +
                        ". It must be positive.");
    weight.push_back(factor * plain_weight(face, weighting));
  }
  return weight;
}

std::vector<double> strength_factors(const CellGraph& graph, Weighting weighting, std::span<const double> face_weight) {
  std::vector<double> eta;
  eta.reserve(face_weight.size());
  for (std::size_t f = 0; f < face_weight.size(); ++f)
    eta.push_back(face_weight[f] / plain_weight(graph.faces[f], weighting));
  return eta;
}

Mode constant_mode(const CellGraph& graph) {
  const double volume = std::accumulate(graph.volume.begin(), graph.volume.end(), 0.0);
  Mode mode;
  mode.value.assign(graph.volume.size(), 1 / std::sqrt(volume));
  return mode;
}

struct ScalarModeSearch::State {
  SearchState search;
  ScalarModeSettings settings;
};

ScalarModeSearch::ScalarModeSearch(const CellGraph& graph, std::vector<double> face_weight,
                                   const ScalarModeSettings& settings)
    : state_(new State{SearchState(graph, std::move(face_weight), present(settings.helpers)), settings}) {}

ScalarModeSearch::~ScalarModeSearch() = default;

void ScalarModeSearch::add_known(const Mode& mode) {
  state_->search.add_constraint(times_volume(state_->search.graph, mode.value));
}

Mode ScalarModeSearch::find(std::span<const double> start) {
  SearchState& search = state_->search;
  search.inform_helpers();
  Mode mode;
  mode.value = normalised(search.graph, {start.begin(), start.end()});
  for (WeightedSet& level : level_sets(search.graph, search.face_weight, mode.value, kLevelSets))
    search.add(std::move(level.set), level.perimeter);
  mode.settled = false;
  mode.energy = HUGE_VAL;  // a start is not orthogonal to the earlier modes: its energy is no bound
  for (int step = 0; step < state_->settings.most_steps && !mode.settled; ++step) {
    ConvexStep found =
        solve_convex_step(search, times_volume(search.graph, mode.value), state_->settings.relative_gap, step == 0);
    std::vector<double> next = normalised(search.graph, std::move(found.u));
    mode.convex_energies.push_back(found.objective);
    mode.relative_gap = 1 - found.lower_bound / found.objective;
    mode.convex_gaps.push_back(mode.relative_gap);
    const bool is_still = distance(search.graph, next, mode.value) < state_->settings.smallest_change;
    // An exact step to another field lowers the energy. A step that does not has moved among fields that are equal
    // within the gap, and could cycle: the better field is kept.
    const double next_energy = energy(search, next);
    const bool is_lower = next_energy < mode.energy;
    mode.settled = is_still || !is_lower;
    if (!is_still && !is_lower) break;
    mode.value = std::move(next);
    mode.energy = next_energy;
  }
  return mode;
}

Mode ScalarModeSearch::next(std::span<const double> start) {
  Mode mode = find(start);
  add_known(mode);
  return mode;
}

}  // namespace brisance::modes
