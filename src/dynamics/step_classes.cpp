#include "brisance/dynamics/step_classes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace brisance::dynamics {

namespace {

/// Costs in updates of one element in the pass over all elements.
constexpr double kChosenUpdate = 1.5;   ///< update of an element in a sub-step
constexpr double kFineStep = 400;       ///< overhead of a sub-step: loops, and messages on several ranks
constexpr double kWorthwhile = 1.1;     ///< gain for which the coarse step is changed
constexpr double kWorthSeveral = 1.25;  ///< gain for which sub-cycling is used
/// Coarse step over the step of the elements it was chosen for: it then suits them up to some strain.
constexpr double kMargin = 1.03;

void copy_lane(const PlasticBlock& from, int lane_from, PlasticBlock& to, int lane_to) {
  for (int k = 0; k < 6; ++k) to.strain[k][lane_to] = from.strain[k][lane_from];
  to.dissipated[lane_to] = from.dissipated[lane_from];
}

constexpr std::size_t kElementsAhead = 6;  ///< prefetch distance of packing

/// 2^(quarters/4) for each bin, from correctly rounded operations alone.
std::array<double, StepHistogram::kBins> powers_of_fourth_root() {
  const double root = std::sqrt(2.0), fourth = std::sqrt(root);
  const double parts[] = {1, fourth, root, root * fourth};
  std::array<double, StepHistogram::kBins> powers{};
  for (int bin = 0; bin < StepHistogram::kBins; ++bin)
    powers[static_cast<std::size_t>(bin)] = std::ldexp(parts[bin % 4], bin / 4);
  return powers;
}

const std::array<double, StepHistogram::kBins> kPowers = powers_of_fourth_root();

/// Largest k with 2ᵏ ≤ x, for x ≥ 1.
int octave_of(double x) {
  constexpr int kMantissaBits = 52, kBias = 1023;
  return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> kMantissaBits) - kBias;
}

/// Work per second, with the lower end of a bin as the step of all its elements.
double work_per_second(const StepHistogram& steps, double coarse_s, double step_work) {
  double work = step_work;
  int finest = 0;
  for (std::size_t bin = 0; bin < steps.count.size(); ++bin) {
    if (steps.count[bin] == 0) continue;
    const int k = step_class(steps.lower_end(static_cast<int>(bin)), coarse_s);
    finest = std::max(finest, k);
    work += static_cast<double>(steps.count[bin]) * (k == 0 ? 1 : 1 + kChosenUpdate * std::ldexp(1.0, k));
  }
  if (finest > 0) work += kFineStep * std::ldexp(1.0, finest);
  return work / coarse_s;
}

}  // namespace

int step_class(double step_s, double coarse_s) {
  int k = 0;
  while (k + 1 < kMostStepClasses && coarse_s > std::ldexp(step_s, k)) ++k;
  return k;
}

double StepHistogram::lower_end(int bin) const { return shortest_s * kPowers[static_cast<std::size_t>(bin)]; }

void StepHistogram::add(double step_s) {
  // The octave from the exponent, the quarter by comparison: no logarithm, whose last bit depends on the library.
  int bin = 0;
  if (step_s > shortest_s) {
    bin = std::min(kBinsPerOctave * octave_of(step_s / shortest_s), kBins - 1);
    while (bin + 1 < kBins && step_s >= lower_end(bin + 1)) ++bin;
  }
  ++count[static_cast<std::size_t>(bin)];
}

double StepHistogram::without_worst(double share) const {
  const auto total = std::accumulate(count.begin(), count.end(), std::int64_t{0});
  std::int64_t left_out = count[0];
  int bin = 0;
  while (bin + 1 < kBins && static_cast<double>(left_out) <= share * static_cast<double>(total))
    left_out += count[static_cast<std::size_t>(++bin)];
  return lower_end(bin);
}

double choose_coarse_step(const StepHistogram& steps, const CoarseStepChoice& choice) {
  const auto work_with = [&](double coarse_s) { return work_per_second(steps, coarse_s, choice.step_work); };
  const auto allowed = [&](double coarse_s) {
    return coarse_s >= steps.shortest_s && coarse_s <= choice.longest_s &&
           coarse_s <= std::ldexp(steps.shortest_s, choice.most_classes - 1);
  };
  const double elements = static_cast<double>(std::accumulate(steps.count.begin(), steps.count.end(), std::int64_t{0}));
  std::int64_t finer = 0;
  double best_s = steps.shortest_s, least = work_with(steps.shortest_s);
  for (int bin = 1; bin < static_cast<int>(steps.count.size()); ++bin) {
    const double coarse_s = steps.lower_end(bin) / kMargin;
    finer += steps.count[static_cast<std::size_t>(bin) - 1];
    if (!allowed(coarse_s) || static_cast<double>(finer) > kMostFineShare * elements) break;
    const double work = work_with(coarse_s);
    if (work >= least) continue;
    least = work;
    best_s = coarse_s;
  }
  if (work_with(steps.shortest_s) <= kWorthSeveral * least) return steps.shortest_s;
  const double current_s = choice.current_s;
  const bool keep = current_s > 0 && allowed(current_s) && work_with(current_s) <= kWorthwhile * least;
  return keep ? current_s : best_s;
}

void FewNodes::clear(std::size_t num_slots) {
  for (const std::int32_t slot : std::span(slots_).subspan(1)) number_[static_cast<std::size_t>(slot)] = 0;
  slots_.resize(1);
  number_.resize(num_slots);
}

void PackedElements::pack(const ElementSpans& elements, std::span<const std::int32_t> chosen, double weight,
                          FewNodes& nodes) {
  num_elements_ = chosen.size();
  const std::size_t num_blocks = (chosen.size() + dist::kBatch - 1) / dist::kBatch;
  blocks_.resize(num_blocks);
  if (!blocks_.empty()) blocks_.back() = {};
  material_of_.assign(num_blocks * dist::kBatch, 0);
  plastic_.assign(elements.plastic.empty() ? 0 : num_blocks, PlasticBlock{});
  corners_.clear();
  std::fill(seen_.begin(), seen_.end(), 0);
  const auto number_of_corner = [&](std::int32_t slot) {
    const std::int32_t number = nodes.number(slot);
    if (static_cast<std::size_t>(number) >= seen_.size()) seen_.resize(static_cast<std::size_t>(number) + 1024);
    if (seen_[static_cast<std::size_t>(number)] == 0) corners_.push_back(number);
    seen_[static_cast<std::size_t>(number)] = 1;
    return number;
  };
  const auto ask_ahead = [&](std::size_t i) {
    const auto* line = reinterpret_cast<const std::byte*>(&elements.blocks[chosen[i] / dist::kBatch]);
    for (std::size_t at = 0; at < sizeof(dist::ElementBlock); at += 64) __builtin_prefetch(line + at);
  };
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (i + kElementsAhead < chosen.size()) ask_ahead(i + kElementsAhead);
    const int at = chosen[i] % dist::kBatch, lane = static_cast<int>(i % dist::kBatch);
    dist::ElementBlock& to = blocks_[i / dist::kBatch];
    dist::copy_lane(elements.blocks[chosen[i] / dist::kBatch], at, to, lane);
    to.volume[lane] *= weight;  // forces are stresses times a volume
    for (auto& corner : to.corner) corner[lane] = number_of_corner(corner[lane]);
    material_of_[i] = elements.material_of[chosen[i]];
    if (elements.plastic.empty()) continue;
    copy_lane(elements.plastic[chosen[i] / dist::kBatch], at, plastic_[i / dist::kBatch], lane);
  }
}

void PackedElements::put_back_flow(std::span<const std::int32_t> chosen, std::span<PlasticBlock> plastic) const {
  if (plastic_.empty()) return;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    copy_lane(plastic_[i / dist::kBatch], static_cast<int>(i % dist::kBatch), plastic[chosen[i] / dist::kBatch],
              chosen[i] % dist::kBatch);
}

void PackedElements::internal_forces(std::span<const material::Material> materials,
                                     std::span<const dist::NodeMotion> nodes, std::span<dist::NodeForce> forces,
                                     const ForceOptions& options) const {
  for (const std::int32_t corner : corners_) forces[corner] = {};
  add_internal_forces({blocks_, material_of_, plastic_}, materials, nodes, forces, options);
}

void PackedElements::flow_and_add_internal_forces(std::span<const material::Material> materials,
                                                  std::span<const dist::NodeMotion> nodes,
                                                  std::span<dist::NodeForce> forces, const ForceOptions& options) {
  dynamics::flow_and_add_internal_forces({blocks_, material_of_, plastic_}, materials, nodes, plastic_, forces,
                                         options);
}

}  // namespace brisance::dynamics
