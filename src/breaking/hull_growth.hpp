/// Convex hull of some nodes of a mesh, and what a further node adds to it, without a new hull.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::breaking {

class NodeHull {
public:
  NodeHull() = default;
  /// By rigid::hull_corners. Local.
  /// @param of  distinct rows of `nodes` [m]
  NodeHull(std::span<const Vec3> nodes, const std::vector<std::int32_t>& of);

  [[nodiscard]] const std::vector<std::int32_t>& corners() const { return corners_; }  ///< rows of nodes, ascending
  [[nodiscard]] double volume() const { return volume_; }                              ///< [m³]

  struct Size {
    double volume = 0;  ///< [m³]
    std::size_t num_corners = 0;
    bool is_bound = false;  ///< with the one node that adds most; all together add at least as much
  };
  /// Size of the hull of this one and further nodes: a node adds the cone over the triangles that it sees. A bound
  /// where several lie outside. Lengths below a ten-thousandth of the extent count as 0, as in rigid::hull_corners.
  /// Local.
  [[nodiscard]] Size with(std::span<const Vec3> nodes, std::span<const std::int32_t> further) const;
  /// Do all of these nodes lie inside, but for such lengths? Local.
  [[nodiscard]] bool holds(std::span<const Vec3> nodes, std::span<const std::int32_t> further) const;

private:
  struct Triangle {
    Vec3 normal;  ///< of length 1
    double offset = 0, area = 0;
    std::array<std::int32_t, 3> corners{};  ///< places in corners_
  };
  [[nodiscard]] bool is_outside(const Vec3& x) const;
  [[nodiscard]] Size with_point(const Vec3& x) const;

  std::vector<std::int32_t> corners_;
  std::vector<Triangle> triangles_;
  double volume_ = 0;
  double flat_ = 0;  ///< lengths that count as 0 [m]
};

}  // namespace brisance::breaking
