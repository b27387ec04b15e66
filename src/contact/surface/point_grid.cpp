#include "brisance/contact/surface/point_grid.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

namespace {

constexpr int kBits = 21;  ///< of a cell's number along one axis
constexpr double kMostCells = (1 << kBits) - 1;

}  // namespace

PointGrid::PointGrid(std::span<const Vec3> points, double cell_m) : points_(points), cell_m_(cell_m) {
  if (points.empty()) return;
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  origin_ = low;
  // Far-flung points: larger cells rather than more of them than a key can number.
  cell_m_ = std::max(cell_m_, (high - low).maxCoeff() / kMostCells);
  for (int k = 0; k < 3; ++k) cells_[k] = 1 + static_cast<std::int64_t>(std::floor((high[k] - low[k]) / cell_m_));
  entries_.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    entries_.push_back({key_of(cell_of(points[i])), static_cast<std::int32_t>(i)});
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.key != b.key ? a.key < b.key : a.point < b.point; });
}

PointGrid::Cell PointGrid::cell_of(const Vec3& x) const {
  const auto along = [&](int k) {
    const double cell = std::floor((x[k] - origin_[k]) / cell_m_);
    return static_cast<std::int64_t>(std::clamp(cell, 0.0, static_cast<double>(cells_[k] - 1)));
  };
  return {along(0), along(1), along(2)};
}

std::uint64_t PointGrid::key_of(const Cell& cell) {
  return static_cast<std::uint64_t>(cell.z) << (2 * kBits) | static_cast<std::uint64_t>(cell.y) << kBits |
         static_cast<std::uint64_t>(cell.x);
}

std::pair<std::size_t, std::size_t> PointGrid::row(const Cell& first, const Cell& last) const {
  const auto begin = std::lower_bound(entries_.begin(), entries_.end(), key_of(first),
                                      [](const Entry& entry, std::uint64_t key) { return entry.key < key; });
  const auto end = std::upper_bound(begin, entries_.end(), key_of(last),
                                    [](std::uint64_t key, const Entry& entry) { return key < entry.key; });
  return {static_cast<std::size_t>(begin - entries_.begin()), static_cast<std::size_t>(end - entries_.begin())};
}

}  // namespace brisance::contact
