#include "render/geometry/velocities.hpp"

#include "brisance/core/error.hpp"

#include "render/geometry/surfaces.hpp"

namespace brisance::render {
namespace {

/// v + ω × (x − c) of a collider [m/s].
Vec3 velocity_at(const io::Collider& collider, const Vec3& position) {
  const Vec3 zero = Vec3::Zero();
  return collider.velocity.value_or(zero) + collider.angular_velocity.value_or(zero).cross(position - collider.centre);
}

std::array<Vec3f, 3> of_collider(const Geometry& geometry, const Triangle& triangle, const io::Collider& collider) {
  std::array<Vec3f, 3> corners;
  for (std::size_t c = 0; c < 3; ++c)
    corners[c] = velocity_at(collider, triangle.position[c].cast<double>() + geometry.origin).cast<float>();
  return corners;
}

std::array<Vec3f, 3> of_nodes(const io::SnapshotPart& part, std::size_t triangle) {
  std::array<Vec3f, 3> corners{Vec3f::Zero(), Vec3f::Zero(), Vec3f::Zero()};
  for (std::size_t c = 0; c < 3 && !part.velocity.empty(); ++c)
    corners[c] = part.velocity.at(part.boundary[triangle][c]).cast<float>();
  return corners;
}

std::array<Vec3f, 3> alike(const Vec3& velocity) {
  const Vec3f each = velocity.cast<float>();
  return {each, each, each};
}

}  // namespace

void add_velocities(Geometry& geometry, const io::Snapshot& snapshot, bool needs_nodes) {
  const io::SnapshotPart& part = snapshot.part;
  if (needs_nodes && part.velocity.size() != part.node_id.size())
    throw core::Error("the snapshot holds no velocity for motion blur. Render without --shutter.");
  const std::uint32_t first_collider = collider_surface(snapshot, 0);
  geometry.velocity.clear();
  for (std::size_t t = 0; t < geometry.triangles.size(); ++t) {
    const Triangle& triangle = geometry.triangles[t];
    if (t < part.boundary.size())
      geometry.velocity.push_back(of_nodes(part, t));
    else if (triangle.surface >= first_collider)
      geometry.velocity.push_back(
          of_collider(geometry, triangle, snapshot.header.colliders[triangle.surface - first_collider]));
    else
      geometry.velocity.push_back(alike(part.dust.velocity[triangle.solid - geometry.num_pieces]));
  }
}

}  // namespace brisance::render
