/// Projection of the middles of boundary edges onto the reference surface, for refinement.
#pragma once

#include "brisance/mesh/reference.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace brisance::mesh {

/// A reference prepared for projection queries.
class ReferenceShape {
public:
  explicit ReferenceShape(Reference reference);
  ~ReferenceShape();
  ReferenceShape(ReferenceShape&&) noexcept;

  [[nodiscard]] const Reference& reference() const { return reference_; }

  /// Displacement from the middle of an edge to its projection [m]: for a sharp edge between two points of creases the
  /// nearest point of a crease; for any other sharp edge the point where the line along its mean normal meets the
  /// triangles; else the nearest point of the surface that faces as the edge's faces do. Nothing where the displacement
  /// is more than two fifths of the edge, or within rounding. A pure function of its arguments. Local.
  [[nodiscard]] std::optional<Vec3> way_of_middle(const SurfaceEdge& edge) const;

private:
  [[nodiscard]] std::optional<Vec3> on_surface(const Vec3& x, const Vec3& normal) const;
  [[nodiscard]] std::optional<Vec3> on_ridge(const Vec3& x, const Vec3& normal, double within_m) const;
  [[nodiscard]] std::optional<Vec3> on_crease(const Vec3& x) const;
  [[nodiscard]] bool is_on_crease(const Vec3& x, double within_m) const;

  struct Trees;
  Reference reference_;
  std::vector<std::pair<Vec3, Vec2>> rims_;  ///< rims of the turned profiles: origin, and (r, z)
  std::unique_ptr<Trees> trees_;             ///< search trees of the triangles and their creases
};

}  // namespace brisance::mesh
