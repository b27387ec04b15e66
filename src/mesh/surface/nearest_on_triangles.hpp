/// Nearest points on triangles and on line segments.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace brisance::mesh {

/// Results do not depend on the tree's construction, except where several points are equally near. Local.
class TriangleTree {
public:
  struct Found {
    Vec3 point;             ///< [m]
    std::int32_t triangle;  ///< triangle that contains it
  };

  /// Requires at least one triangle.
  TriangleTree(std::span<const Vec3> vertices, std::span<const std::array<std::int32_t, 3>> triangles);
  ~TriangleTree();
  TriangleTree(TriangleTree&&) noexcept;

  [[nodiscard]] Found nearest(const Vec3& x) const;
  /// The triangles that the segment from a to b intersects, unordered.
  [[nodiscard]] std::vector<std::int32_t> between(const Vec3& a, const Vec3& b) const;

private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

/// The same for line segments.
class SegmentTree {
public:
  /// Requires at least one segment.
  SegmentTree(std::span<const Vec3> vertices, std::span<const std::array<std::int32_t, 2>> segments);
  ~SegmentTree();
  SegmentTree(SegmentTree&&) noexcept;

  [[nodiscard]] Vec3 nearest(const Vec3& x) const;

private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace brisance::mesh
