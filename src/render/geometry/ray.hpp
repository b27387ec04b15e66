/// A ray, and where it meets a surface.
#pragma once

#include "brisance/render/colour.hpp"

#include <cstdint>
#include <limits>

namespace brisance::render {

inline constexpr float kFar = std::numeric_limits<float>::infinity();
inline constexpr std::uint32_t kNoTriangle = ~std::uint32_t{0};

struct Ray {
  Vec3f origin;       ///< relative to Geometry::origin [m]
  Vec3f direction;    ///< unit
  float far = kFar;   ///< surfaces beyond this distance are not met [m]
  float time = 0.5F;  ///< share of the shutter's time; 0.5 is that of the frame
};

/// The closest surface along a ray.
struct Hit {
  Vec3f position;        ///< relative to Geometry::origin [m]
  Vec3f face_normal;     ///< unit, towards the ray's origin
  Vec3f shading_normal;  ///< unit, on the side of face_normal
  Rgb albedo;            ///< colour by palette or field; what a material without a colour of its own takes
  /// Weights of the triangle's second and third corner; what else varies over it is in Geometry::triangles.
  Eigen::Vector2f barycentric = Eigen::Vector2f::Zero();
  float distance = 0;                    ///< along the ray [m]
  float time = 0.5F;                     ///< of the ray
  std::uint32_t triangle = kNoTriangle;  ///< in Geometry::triangles; kNoTriangle on a plane
  std::uint32_t surface = 0;             ///< in Geometry::surfaces: object, outside or crack, material
  std::uint32_t solid = 0;               ///< the closed surface that this is a part of: a piece, a collider
  bool from_inside = false;              ///< the ray arrives from inside the solid
  bool is_plane = false;
};

/// The same point with its normals on the outside of its solid.
[[nodiscard]] inline Hit seen_from_outside(Hit hit) {
  if (!hit.from_inside) return hit;
  hit.face_normal = -hit.face_normal;
  hit.shading_normal = -hit.shading_normal;
  hit.from_inside = false;
  return hit;
}

}  // namespace brisance::render
