#include "brisance/modes/body/mode_set.hpp"

#include <algorithm>
#include <functional>

namespace brisance::modes {

bool ModeSet::same_along_all_axes() const {
  const auto last = axis_strength.begin() + dimension;
  return std::adjacent_find(axis_strength.begin(), last, std::not_equal_to<>()) == last;
}

std::array<std::int32_t, 3> num_lowest(const ModeSet& set, std::span<const double> energy) {
  std::array<std::int32_t, 3> counts{};
  if (energy.empty()) return counts;
  const double weakest = *std::min_element(set.axis_strength.begin(), set.axis_strength.begin() + set.dimension);
  const double most = *std::max_element(energy.begin(), energy.end());
  for (int axis = 0; axis < set.dimension; ++axis) {
    const double bound = set.components == 1 ? most * (weakest / set.axis_strength[axis]) : most;
    counts[axis] =
        static_cast<std::int32_t>(std::count_if(energy.begin(), energy.end(), [&](double e) { return e <= bound; }));
  }
  return counts;
}

}  // namespace brisance::modes
