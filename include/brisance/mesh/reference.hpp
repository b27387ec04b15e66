/// The surface that a mesh's boundary approximates: nodes added on the boundary later are projected onto it.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::mesh {

using Vec2 = Eigen::Vector2d;

/// A smooth curve in the half-plane (r ≥ 0, z) [m]: a straight line, or an arc where the radius is positive.
struct ProfileCurve {
  struct Point {
    Vec2 at, direction;  ///< [m]; unit tangent along the curve
  };

  Vec2 from = Vec2::Zero(), to = Vec2::Zero();  ///< of a straight line
  Vec2 centre = Vec2::Zero();                   ///< of an arc: centre + radius (cos φ, sin φ), φ from first to last
  double radius_m = 0, first_rad = 0, last_rad = 0;

  /// The point at a fraction of its length.
  [[nodiscard]] Vec2 point(double fraction) const;
  [[nodiscard]] Vec2 direction(double fraction) const;
  /// Its point nearest to another.
  [[nodiscard]] Point nearest(const Vec2& x) const;
};

/// The surface swept by a closed profile around an axis through `origin` along z. The body lies to the left of the
/// curves.
struct TurnedSurface {
  Vec3 origin = Vec3::Zero();  ///< [m]
  std::vector<ProfileCurve> profile;
};

/// The whole reference surface: turned profiles, or triangles. Empty where a mesh's boundary is exact: flat sides, tets
/// from files, cages.
struct Reference {
  std::int64_t first_tet = 0, num_tets = 0;  ///< the tets that it bounds
  double volume_m3 = 0;                      ///< volume that it encloses
  double crease_angle_deg = 30;              ///< edges that turn by more are creases
  Mat3 rotation = Mat3::Identity();          ///< placement of the body: rotation x + shift
  Vec3 shift = Vec3::Zero();                 ///< [m]
  std::vector<TurnedSurface> turned;
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<std::array<std::int32_t, 3>> triangles;
  std::vector<std::array<std::int32_t, 2>> creases;  ///< edges of the triangles that are creases, by their vertices
};

/// An edge of a mesh's boundary.
struct SurfaceEdge {
  std::array<Vec3, 2> ends;     ///< [m]
  std::array<Vec3, 2> normals;  ///< outward unit normals of the two faces at the edge
};

}  // namespace brisance::mesh
