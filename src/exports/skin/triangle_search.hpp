/// Triangles by place: those in a box, and the nearest one.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace brisance::exports {

using Triangle = std::array<std::int32_t, 3>;

/// Nearest point of a triangle.
struct NearPoint {
  Vec3 point = Vec3::Zero();              ///< [m]
  std::array<double, 3> shares{1, 0, 0};  ///< of the corners, adding up to 1
  double distance_squared = 0;            ///< [m²]
};
[[nodiscard]] NearPoint nearest_on_triangle(const std::array<Vec3, 3>& corners, const Vec3& x);

/// A tree over triangles, which it copies. Local.
class TriangleSearch {
public:
  TriangleSearch(std::span<const Vec3> points, std::span<const Triangle> triangles);
  ~TriangleSearch();
  TriangleSearch(TriangleSearch&&) noexcept;

  /// Calls visit for each triangle whose box meets the given one.
  void each_in(const Eigen::AlignedBox3d& box, const std::function<void(std::int32_t)>& visit) const;

  struct Found {
    std::int32_t triangle = -1;  ///< −1 if none is accepted
    NearPoint at;
  };
  /// The nearest triangle of those that are accepted; all of them if `accepted` is empty.
  [[nodiscard]] Found nearest(const Vec3& x, const std::function<bool(std::int32_t)>& accepted = {}) const;

private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace brisance::exports
