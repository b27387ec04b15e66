/// What the rays of one frame can hit: triangles relative to a local origin, and infinite planes.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/render/colour.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::render {

/// A triangle with its own corners, since pieces may be moved apart and crack edges are sharp. Single precision
/// relative to the origin.
struct Triangle {
  std::array<Vec3f, 3> position;  ///< relative to Geometry::origin [m]
  std::array<Vec3f, 3> normal;    ///< unit, outward, for shading
  std::array<Vec3f, 3> rest;      ///< positions at rest, in the world [m]; of colliders and dust about their centre
  std::array<Rgb, 3> albedo;      ///< by palette or field
  std::array<Eigen::Vector2f, 3> texture{Eigen::Vector2f::Zero(), Eigen::Vector2f::Zero(), Eigen::Vector2f::Zero()};
  std::uint32_t surface = 0;  ///< in Geometry::surfaces
  std::uint32_t solid = 0;    ///< the closed surface that it is a part of: a piece, a particle or a collider
};

/// Unit normal of a triangle, out of its solid.
[[nodiscard]] inline Vec3f outward_normal(const Triangle& triangle) {
  const auto& [a, b, c] = triangle.position;
  return (b - a).cross(c - a).normalized();
}

/// Triangles of one material: of the outside or the cracks of one simulation material, or of a collider.
struct Surface {
  std::uint32_t material = 0;  ///< number in make_materials()
  bool is_crack = false;
};

/// A plane above a solid half space; visible from above only.
struct Plane {
  Vec3f normal;
  float offset;  ///< normal · x on the plane [m]
  std::uint32_t surface = 0, solid = 0;
};

/// Faint checker pattern of planes, which fades away from `centre`.
struct PlaneLook {
  Rgb albedo = Rgb::Constant(0.5F);
  float contrast = 0;
  Vec3f centre = Vec3f::Zero();  ///< relative to Geometry::origin [m]
  float length = 1;              ///< length scale of the fading [m]; four tiles
};

struct Geometry {
  /// Displacement of a corner at a share of the shutter's time [m].
  [[nodiscard]] Vec3f moved(std::size_t triangle, std::size_t corner, float time) const {
    return shutter_s > 0 ? Vec3f((time - 0.5F) * shutter_s * velocity[triangle][corner]) : Vec3f(Vec3f::Zero());
  }

  Vec3 origin = Vec3::Zero();  ///< [m]
  float extent = 1;            ///< diagonal of the objects' bounding box [m]
  std::vector<Triangle> triangles;
  std::vector<Plane> planes;
  std::vector<Surface> surfaces;
  std::uint32_t num_solids = 0, num_pieces = 0;  ///< the first solids are the pieces, by their numbers
  /// Velocities of each triangle's corners [m/s]; empty unless the picture shows them or is blurred by them.
  std::vector<std::array<Vec3f, 3>> velocity;
  float shutter_s = 0;  ///< time that the shutter is open, half of it before the frame [s]
  PlaneLook plane_view;
};

}  // namespace brisance::render
