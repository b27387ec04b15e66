/// Broad phase of surface contact: nodes in the cells of a grid, moved one by one, asked for by boxes.
#pragma once

#include "brisance/core/types.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace brisance::contact {

/// Nodes by grid cell, the cells in a hash table: memory goes with the nodes, whatever the extent of the scene.
class NodeGrid {
public:
  /// Empties it. @param cell_m  edge of a cell, larger than 0 [m]; no result depends on it
  void reset(std::size_t num_nodes, double cell_m);

  /// Puts a node, by number, where it is now: into the grid, or from another place in it. Local.
  void put(std::int32_t node, const Vec3& position);

  /// Calls visit(node) for every node that was put into the box, and for some beside it: those in its cells. Local.
  template <class Visit>
  void for_each_near(const Vec3& low, const Vec3& high, const Visit& visit) const {
    if (num_put_ == 0) return;
    const Cell first = cell_of(low), last = cell_of(high);
    const double cells = static_cast<double>(last.x - first.x + 1) * static_cast<double>(last.y - first.y + 1) *
                         static_cast<double>(last.z - first.z + 1);
    if (cells > static_cast<double>(num_put_)) {
      for (std::size_t node = 0; node < cell_.size(); ++node)
        if (next_[node] != kOutside) visit(static_cast<std::int32_t>(node));
      return;
    }
    for (std::int64_t z = first.z; z <= last.z; ++z)
      for (std::int64_t y = first.y; y <= last.y; ++y)
        for (std::int64_t x = first.x; x <= last.x; ++x) {
          const Cell cell{x, y, z};
          for (std::int32_t node = head_[bucket(cell)]; node != kEnd; node = next_[static_cast<std::size_t>(node)])
            if (cell_[static_cast<std::size_t>(node)] == cell) visit(node);
        }
  }

  [[nodiscard]] std::size_t memory_bytes() const;

private:
  static constexpr std::int32_t kEnd = -1, kOutside = -2;
  struct Cell {
    std::int64_t x = 0, y = 0, z = 0;
    [[nodiscard]] bool operator==(const Cell&) const = default;
  };
  [[nodiscard]] Cell cell_of(const Vec3& position) const {
    const auto along = [&](int k) {
      constexpr double kFarthest = 1e15;  // beyond it all are in one cell
      return static_cast<std::int64_t>(std::floor(std::clamp(position[k] / cell_m_, -kFarthest, kFarthest)));
    };
    return {along(0), along(1), along(2)};
  }
  [[nodiscard]] std::size_t bucket(const Cell& cell) const {
    const std::uint64_t mixed = static_cast<std::uint64_t>(cell.x) * 0x9E3779B97F4A7C15ULL ^
                                static_cast<std::uint64_t>(cell.y) * 0xC2B2AE3D27D4EB4FULL ^
                                static_cast<std::uint64_t>(cell.z) * 0x165667B19E3779F9ULL;
    return static_cast<std::size_t>((mixed ^ mixed >> 29) & (head_.size() - 1));
  }
  void take_out(std::int32_t node);

  double cell_m_ = 1;
  std::size_t num_put_ = 0;
  std::vector<std::int32_t> head_;         ///< by bucket: the first node in it, or kEnd; a power of two of them
  std::vector<std::int32_t> next_, back_;  ///< by node: neighbours in the bucket's list; kOutside: not in the grid
  std::vector<Cell> cell_;                 ///< by node
};

}  // namespace brisance::contact
