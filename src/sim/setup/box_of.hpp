/// Bounding box of points on several ranks.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"

#include <array>
#include <limits>
#include <span>

#include <Eigen/Geometry>

namespace brisance::sim {

/// The bounding box; empty if no rank has a point. Collective.
[[nodiscard]] inline Eigen::AlignedBox3d box_of(const core::Comm& comm, std::span<const Vec3> points) {
  std::array<double, 6> least;  // minimum, then the negated maximum
  least.fill(std::numeric_limits<double>::infinity());
  for (const Vec3& x : points)
    for (std::size_t k = 0; k < 3; ++k) {
      least[k] = std::min(least[k], x[static_cast<int>(k)]);
      least[3 + k] = std::min(least[3 + k], -x[static_cast<int>(k)]);
    }
  least = comm.min(least);
  return {Vec3(least.data()), -Vec3(least.data() + 3)};
}

}  // namespace brisance::sim
