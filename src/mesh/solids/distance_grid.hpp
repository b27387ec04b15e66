/// The distance to a surface, computed once at the points of a grid and interpolated.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace brisance::mesh::solids {

/// Trilinear between grid points. Points that cannot be reached from the grid's border without coming nearer to the
/// surface than half a spacing are inside: there the distance is negative.
class DistanceGrid {
public:
  /// @param lower, upper  corners of the box [m]; the border must be farther from the surface than half a spacing
  /// @param distance  to the surface [m], never negative
  DistanceGrid(const Vec3& lower, const Vec3& upper, double spacing_m,
               const std::function<double(const Vec3&)>& distance);

  /// Distance [m]; outside of the box that of the nearest point of the box.
  [[nodiscard]] double at(const Vec3& point) const;

private:
  [[nodiscard]] std::int64_t index(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return i + size_[0] * (j + size_[1] * k);
  }
  void mark_inside();

  Vec3 lower_;
  double spacing_m_;
  std::array<std::int64_t, 3> size_{};
  std::vector<double> value_;
};

}  // namespace brisance::mesh::solids
