#include "mesh/solids/distance_grid.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::mesh::solids {

DistanceGrid::DistanceGrid(const Vec3& lower, const Vec3& upper, double spacing_m,
                           const std::function<double(const Vec3&)>& distance)
    : lower_(lower), spacing_m_(spacing_m) {
  for (int axis = 0; axis < 3; ++axis)
    size_[axis] = static_cast<std::int64_t>(std::ceil((upper[axis] - lower[axis]) / spacing_m)) + 1;
  for (std::int64_t k = 0; k < size_[2]; ++k)
    for (std::int64_t j = 0; j < size_[1]; ++j)
      for (std::int64_t i = 0; i < size_[0]; ++i)
        value_.push_back(
            distance(lower + spacing_m * Vec3(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k))));
  mark_inside();
}

/// Neighbours on different sides of a sheet are a spacing apart, so one of them is near it and stops the flood fill.
void DistanceGrid::mark_inside() {
  const auto is_free = [&](std::int64_t n) { return value_[n] > spacing_m_ / 2; };
  std::vector<char> reached(value_.size(), 0);
  std::vector<std::array<std::int64_t, 3>> front{{0, 0, 0}};
  reached[0] = 1;
  while (!front.empty()) {
    const auto here = front.back();
    front.pop_back();
    for (int axis = 0; axis < 3; ++axis)
      for (const int step : {-1, 1}) {
        auto next = here;
        next[axis] += step;
        if (next[axis] < 0 || next[axis] >= size_[axis]) continue;
        const std::int64_t n = index(next[0], next[1], next[2]);
        if (reached[n] != 0 || !is_free(n)) continue;
        reached[n] = 1;
        front.push_back(next);
      }
  }
  for (std::size_t n = 0; n < value_.size(); ++n)
    if (reached[n] == 0 && is_free(static_cast<std::int64_t>(n))) value_[n] = -value_[n];
}

double DistanceGrid::at(const Vec3& point) const {
  std::array<std::int64_t, 3> cell{};
  Vec3 share;
  for (int axis = 0; axis < 3; ++axis) {
    const double cells =
        std::clamp((point[axis] - lower_[axis]) / spacing_m_, 0.0, static_cast<double>(size_[axis] - 1));
    cell[axis] = std::min(static_cast<std::int64_t>(cells), size_[axis] - 2);
    share[axis] = cells - static_cast<double>(cell[axis]);
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const std::array<int, 3> up{corner & 1, (corner >> 1) & 1, corner >> 2};
    double weight = 1;
    for (int axis = 0; axis < 3; ++axis) weight *= up[axis] != 0 ? share[axis] : 1 - share[axis];
    sum += weight * value_[index(cell[0] + up[0], cell[1] + up[1], cell[2] + up[2])];
  }
  return sum;
}

}  // namespace brisance::mesh::solids
