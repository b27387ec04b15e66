/// Converts rigid colliders to geometry: planes stay planes; spheres, boxes and meshes become triangles.
#pragma once

#include "brisance/io/snapshot.hpp"

#include "render/geometry/geometry.hpp"

#include <span>

namespace brisance::render {

/// Appends the colliders to the geometry, relative to its origin, each a surface of its own, numbered from
/// `first_surface` on. Throws core::Error for an unknown kind.
void add_colliders(Geometry& geometry, std::span<const io::SnapshotHeader::Collider> colliders, const Rgb& albedo,
                   std::uint32_t first_surface);

/// Radius of the smallest ball about its centre that contains a sphere, box or mesh [m]; 0 for a plane.
[[nodiscard]] double bounding_radius(const io::SnapshotHeader::Collider& collider);

}  // namespace brisance::render
