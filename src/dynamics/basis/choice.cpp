#include "brisance/dynamics/basis/choice.hpp"

#include "brisance/core/random.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/elements/corotated.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <limits>
#include <map>
#include <vector>

namespace brisance::dynamics {

namespace {

constexpr double kOfMean = 0.25;       ///< weight of the mean strain in the measure [–]
constexpr double kLeastStrain = 1e-9;  ///< added to it, so that a body at rest is refined evenly [–]
constexpr int kBisections = 60;

std::vector<Mat3> strains(const dist::Mesh& mesh, Strain kind) {
  std::vector<Mat3> strains(static_cast<std::size_t>(mesh.num_element_slots()), Mat3::Zero());
  for (std::int32_t slot = 0; slot < mesh.num_element_slots(); ++slot) {
    const LocalElement e(slot);
    if (!mesh.is_held(e)) continue;
    std::array<Vec3, 4> x;
    for (std::size_t i = 0; i < 4; ++i) x[i] = Vec3(mesh.motion[mesh.corners(e)[i]].position);
    const Mat3 f = corner_gradient(
        x, shape_gradients(mesh.blocks[static_cast<std::size_t>(slot / dist::kBatch)], slot % dist::kBatch));
    strains[static_cast<std::size_t>(slot)] =
        elements::small_strain(kind == Strain::linear ? Mat3(Mat3::Identity()) : elements::rotation_of(f), f);
  }
  return strains;
}

std::vector<double> measures(const dist::Mesh& mesh, Strain kind, std::span<const double> wanted) {
  const std::vector<Mat3> strain = strains(mesh, kind);
  std::vector<double> measure(wanted.size(), 0);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    const auto star = mesh.star(n);
    Mat3 mean = Mat3::Zero();
    for (const std::int32_t e : star) mean += strain[static_cast<std::size_t>(e)];
    mean /= static_cast<double>(star.size());
    double largest = 0;
    for (const std::int32_t e : star) largest = std::max(largest, (strain[static_cast<std::size_t>(e)] - mean).norm());
    const double found = largest + kOfMean * mean.norm() + kLeastStrain;
    measure[static_cast<std::size_t>(i)] = wanted[static_cast<std::size_t>(i)] * (std::isfinite(found) ? found : 1);
  }
  return measure;
}

/// A lattice function without regard to copies, and the largest measure in its support.
struct Candidate {
  std::int32_t level, z, y, x;
  double measure;
  [[nodiscard]] bool is_same(const Candidate& other) const {
    return level == other.level && z == other.z && y == other.y && x == other.x;
  }
  auto operator<=>(const Candidate&) const = default;
};

/// Keeps of each function the entry with the largest measure.
void merge(std::vector<Candidate>& list) {
  std::sort(list.begin(), list.end(), std::greater<>());
  list.erase(std::unique(list.begin(), list.end(), [](const Candidate& a, const Candidate& b) { return a.is_same(b); }),
             list.end());
}

/// The rank that counts a function.
int counter_of(const Candidate& c, int num_ranks) {
  const auto bits = [](std::int32_t value) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(value)); };
  return static_cast<int>(core::hash_bits(bits(c.level) << 32 | bits(c.z), bits(c.y), bits(c.x)) %
                          static_cast<std::uint64_t>(num_ranks));
}

/// Measures of functions of each level that this rank counts, and of its own nodes, ascending.
using Sorted = std::vector<std::vector<double>>;

Sorted sorted_measures(const dist::Mesh& mesh, const BasisGrid& grid, std::span<const double> measure) {
  std::vector<Candidate> candidates;
  std::vector<double> nodes;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    const double here = measure[static_cast<std::size_t>(i)];
    nodes.push_back(here);
    for (int level = 0; level < grid.levels; ++level) {
      const BasisGrid::Place at = grid.place(mesh.rest[n], level);
      for (int k = 0; k < 8; ++k) {
        std::array<std::int32_t, 3> point = at.cell;
        bool is_inside = true;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const bool upper = (k >> axis & 1) != 0;
          is_inside = is_inside && !(upper && at.inside[axis] == 0);
          point[axis] += upper ? 1 : 0;
        }
        if (is_inside && (level == 0 || ((point[0] | point[1] | point[2]) & 1) != 0))
          candidates.push_back({level, point[2], point[1], point[0], here});
      }
    }
    if (candidates.size() > (std::size_t{1} << 22)) merge(candidates);
  }
  merge(candidates);
  std::map<int, std::vector<Candidate>> outgoing;
  for (const Candidate& c : candidates) outgoing[counter_of(c, mesh.comm().size())].push_back(c);
  candidates.clear();
  for (const auto& [rank, list] : la::exchange_arrays(mesh.comm(), outgoing))
    candidates.insert(candidates.end(), list.begin(), list.end());
  merge(candidates);
  Sorted sorted(static_cast<std::size_t>(grid.levels) + 1);
  for (const Candidate& c : candidates) sorted[static_cast<std::size_t>(c.level)].push_back(c.measure);
  sorted.back() = std::move(nodes);
  for (auto& list : sorted) std::ranges::sort(list);
  return sorted;
}

double threshold_of(double threshold, std::size_t level) { return std::ldexp(threshold, static_cast<int>(level) - 1); }

/// Functions that a threshold for level 1 activates, of all ranks. Collective.
std::int64_t count_above(const core::Comm& comm, const Sorted& sorted, double threshold) {
  auto count = static_cast<std::int64_t>(sorted[0].size());
  for (std::size_t level = 1; level < sorted.size(); ++level)
    count += sorted[level].end() - std::ranges::lower_bound(sorted[level], threshold_of(threshold, level));
  return comm.sum(count);
}

}  // namespace

BasisChoice choose_basis_levels(dist::Mesh& mesh, const BasisGrid& grid, double share, Strain strain,
                                std::span<const double> wanted) {
  const std::vector<double> measure = measures(mesh, strain, wanted);
  const Sorted sorted = sorted_measures(mesh, grid, measure);
  BasisChoice choice;
  choice.num_nodes = mesh.comm().sum(static_cast<std::int64_t>(sorted.back().size()));
  choice.num_coarsest = mesh.comm().sum(static_cast<std::int64_t>(sorted[0].size()));
  auto& wish = mesh.field(kBasisLevel);
  if (share >= 1) {
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) wish[LocalNode(i)] = kFree;
    choice.num_asked = choice.num_nodes;
    return choice;
  }
  const double most = share * static_cast<double>(choice.num_nodes);
  double low = std::log(kLeastStrain) - 20, high = std::log(1e6);  // of the threshold
  for (int i = 0; i < kBisections; ++i) {
    const double between = 0.5 * (low + high);
    (static_cast<double>(count_above(mesh.comm(), sorted, std::exp(between))) > most ? low : high) = between;
  }
  const double threshold = std::exp(high);
  choice.num_asked = count_above(mesh.comm(), sorted, threshold);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    if (!mesh.is_owned(LocalNode(i))) continue;
    std::size_t level = 0;
    while (level < sorted.size() - 1 && measure[static_cast<std::size_t>(i)] >= threshold_of(threshold, level + 1))
      ++level;
    wish[LocalNode(i)] = level == sorted.size() - 1 ? kFree : static_cast<std::uint8_t>(level);
  }
  return choice;
}

}  // namespace brisance::dynamics
