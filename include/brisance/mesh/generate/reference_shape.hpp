/// Where the middles of edges belong, which a mesh that is refined puts nodes on.
#pragma once

#include "brisance/mesh/reference.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace brisance::mesh {

/// A reference that can be asked where a point belongs.
class ReferenceShape {
public:
  explicit ReferenceShape(Reference reference);
  ~ReferenceShape();
  ReferenceShape(ReferenceShape&&) noexcept;

  [[nodiscard]] const Reference& reference() const { return reference_; }

  /// How far the middle of an edge is from where it belongs [m]: of a sharp edge between two points of creases the
  /// nearest point of a crease; of any other sharp one where triangles meet the line along its mean normal; else the
  /// nearest point of the surface that faces as the edge's faces do. Nothing where that is farther than two fifths of
  /// the edge, or no farther than rounding. A pure function of its arguments. Local.
  [[nodiscard]] std::optional<Vec3> way_of_middle(const SurfaceEdge& edge) const;

private:
  [[nodiscard]] std::optional<Vec3> on_surface(const Vec3& x, const Vec3& normal) const;
  [[nodiscard]] std::optional<Vec3> on_ridge(const Vec3& x, const Vec3& normal, double within_m) const;
  [[nodiscard]] std::optional<Vec3> on_crease(const Vec3& x) const;
  [[nodiscard]] bool is_on_crease(const Vec3& x, double within_m) const;

  struct Trees;
  Reference reference_;
  std::vector<std::pair<Vec3, Vec2>> rims_;  ///< of the turned profiles: origin, and (r, z)
  std::unique_ptr<Trees> trees_;             ///< of the triangles and their creases
};

}  // namespace brisance::mesh
