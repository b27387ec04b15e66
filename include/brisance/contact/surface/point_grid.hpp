/// Broad phase of surface contact: points sorted into the cells of a grid, asked for by boxes.
#pragma once

#include "brisance/core/types.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace brisance::contact {

/// Points sorted by grid cell, the cells of a row along x one after another, so that a box is answered row by row with
/// one binary search each. Memory: 12 bytes a point, whatever the extent of the scene.
class PointGrid {
public:
  /// @param cell_m  edge of a cell, larger than 0 [m]; no result depends on it
  PointGrid(std::span<const Vec3> points, double cell_m);

  /// Calls visit(index) for every point that lies in the box, ascending within a cell. Local.
  template <class Visit>
  void for_each_in(const Vec3& low, const Vec3& high, const Visit& visit) const {
    if (entries_.empty()) return;
    const Cell first = cell_of(low), last = cell_of(high);
    for (std::int64_t z = first.z; z <= last.z; ++z)
      for (std::int64_t y = first.y; y <= last.y; ++y) {
        const auto [begin, end] = row({first.x, y, z}, {last.x, y, z});
        for (std::size_t i = begin; i < end; ++i) {
          const auto index = static_cast<std::size_t>(entries_[i].point);
          const Vec3& p = points_[index];
          if ((p.array() >= low.array()).all() && (p.array() <= high.array()).all()) visit(index);
        }
      }
  }

private:
  struct Cell {
    std::int64_t x, y, z;
  };
  struct Entry {
    std::uint64_t key;
    std::int32_t point;
  };
  [[nodiscard]] Cell cell_of(const Vec3& x) const;  ///< clamped to the cells that hold points
  [[nodiscard]] static std::uint64_t key_of(const Cell& cell);
  [[nodiscard]] std::pair<std::size_t, std::size_t> row(const Cell& first, const Cell& last) const;

  std::span<const Vec3> points_;  ///< the caller's
  Vec3 origin_ = Vec3::Zero();
  double cell_m_;
  std::int64_t cells_[3] = {1, 1, 1};
  std::vector<Entry> entries_;  ///< ascending key, then point
};

}  // namespace brisance::contact
