/// Points in cubic cells, for queries by position.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace brisance::mesh {

/// Points with a label each.
class PointGrid {
public:
  /// @param cell_m  positive
  explicit PointGrid(double cell_m) : cell_m_(cell_m) {}

  void add(const Vec3& point, std::int32_t label) { cells_[cell_of(point)].emplace_back(point, label); }

  /// Calls visit(point, label) for all points nearer than a cell, and some that are farther, in a fixed order.
  template <class Visit>
  void for_each_near(const Vec3& point, Visit visit) const {
    const Cell cell = cell_of(point);
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j)
        for (int k = -1; k <= 1; ++k) {
          const auto found = cells_.find({cell[0] + i, cell[1] + j, cell[2] + k});
          if (found == cells_.end()) continue;
          for (const auto& [near, label] : found->second) visit(near, label);
        }
  }

private:
  using Cell = std::array<std::int64_t, 3>;

  [[nodiscard]] Cell cell_of(const Vec3& point) const {
    return {std::llround(point.x() / cell_m_), std::llround(point.y() / cell_m_), std::llround(point.z() / cell_m_)};
  }

  double cell_m_;
  std::map<Cell, std::vector<std::pair<Vec3, std::int32_t>>> cells_;
};

}  // namespace brisance::mesh
