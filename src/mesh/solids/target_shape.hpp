/// The target surface of remeshing: nearest points on it and on its creases.
#pragma once

#include "mesh/solids/cgal_mesh.hpp"
#include "mesh/solids/shape_distance.hpp"
#include "mesh/surface/creases.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace brisance::mesh::solids {

[[nodiscard]] inline Vec3 as_vec3(const CgalKernel::Point_3& p) { return {p.x(), p.y(), p.z()}; }
[[nodiscard]] inline CgalKernel::Point_3 as_point(const Vec3& x) { return {x.x(), x.y(), x.z()}; }

/// A small piece of the surface.
struct Patch {
  Vec3 middle, normal;  ///< [m], unit
  double area_m2 = 0;
};

class TargetShape {
public:
  /// Keeps a reference to the surface.
  explicit TargetShape(const Surface& surface);
  ~TargetShape();
  TargetShape(const TargetShape&) = delete;
  TargetShape& operator=(const TargetShape&) = delete;

  /// The nearest point of the surface; nothing where its normal there is opposite to the given normal (of any length):
  /// then the point belongs to another sheet of a thin body, or across a narrow gap.
  [[nodiscard]] std::optional<Vec3> closest(const Vec3& x, const Vec3& normal) const;
  [[nodiscard]] double distance_m(const Vec3& x) const;
  [[nodiscard]] std::int32_t closest_triangle(const Vec3& x) const;

  /// The whole surface in patches no longer than the spacing; triangles without area give none.
  [[nodiscard]] std::vector<Patch> patches(double spacing_m) const;

private:
  struct Tree;
  const Surface& surface_;
  std::unique_ptr<Tree> tree_;
};

/// The kept polylines.
class Polylines {
public:
  explicit Polylines(const Segments& segments);
  ~Polylines();
  Polylines(const Polylines&) = delete;
  Polylines& operator=(const Polylines&) = delete;

  void replace(const Segments& segments);
  /// x itself if there are none.
  [[nodiscard]] Vec3 closest(const Vec3& x) const;
  /// Infinite if there are none.
  [[nodiscard]] double distance_m(const Vec3& x) const;

private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace brisance::mesh::solids
