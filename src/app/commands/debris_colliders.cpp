#include "app/commands/debris_colliders.hpp"

#include "brisance/contact/rigid/prescribed_path.hpp"
#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/contact/shapes/rigid_mesh.hpp"
#include "brisance/contact/shapes/shape_kinds.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/rigid/hull.hpp"

#include <memory>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

namespace brisance::app {

namespace {

Eigen::Isometry3d placement(const contact::BodyState& state) {
  Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
  result.linear() = state.orientation.toRotationMatrix();
  result.translation() = state.position;
  return result;
}

/// The solid of a mesh as stored in the frame, relative to its centre of mass; for a prescribed path, relative to the
/// point that follows the path, its file's origin, which the frame does not store.
std::shared_ptr<const contact::RigidMesh> solid_of(const contact::ColliderParameters& p, const io::Collider& at,
                                                   double time_s) {
  std::vector<Vec3> vertices = at.vertices;
  if (p.motion == contact::ColliderMotion::path) {
    const Vec3 arm = placement(contact::state_on_path(p.path, time_s)).inverse() * at.centre;
    for (Vec3& x : vertices) x += arm;
  }
  return std::make_shared<const contact::RigidMesh>(std::move(vertices), at.triangles);
}

/// Bullet moves convex bodies: a free collider collides as its convex hull, which must not be much larger than it.
constexpr double kMostBeyondHull = 1.02;

void fill_surface(const contact::ColliderParameters& p, const io::Collider& at, rigid::Obstacle& obstacle) {
  obstacle.vertices = at.vertices;
  obstacle.triangles = at.triangles;
  if (p.motion != contact::ColliderMotion::free) return;
  const std::shared_ptr<const contact::RigidShape> solid = contact::make_shape(p);
  const double volume = solid->volume();
  const double hull = rigid::hull_volume(at.vertices);
  if (hull > kMostBeyondHull * volume)
    throw core::Error(fmt::format(
        "collider \"{}\" is a mesh that moves freely, and debris meets such meshes as their convex hulls, of {:.3g} m3 "
        "where the solid has {:.3g}. Run the scene again with it fixed, on a path, or as convex ones.",
        p.name, hull, volume));
  const contact::Inertia of_volume = solid->inertia(volume);
  obstacle.inertia =
      obstacle.mass / volume * (of_volume.axes * of_volume.principal.asDiagonal() * of_volume.axes.transpose());
}

/// Estimates velocities of a free collider, where the frame has none, from its displacement since the frame before.
void estimate_velocity(const io::Collider& before, const io::Collider& now, double time_s, rigid::Obstacle& obstacle) {
  obstacle.velocity = (now.centre - before.centre) / time_s;
  const auto turn_of = [](const io::Collider& c) {
    return Eigen::Quaterniond(c.orientation[0], c.orientation[1], c.orientation[2], c.orientation[3]);
  };
  Eigen::Quaterniond turn = turn_of(now) * turn_of(before).conjugate();
  if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
  const Eigen::AngleAxisd rotation(turn.normalized());
  obstacle.angular_velocity = rotation.angle() / time_s * rotation.axis();
}

/// Velocities of a free collider: those of the frame, else estimates from the frame before, else those of the scene.
void set_velocity(const contact::ColliderParameters& p, std::size_t c, const io::SnapshotHeader& now,
                  const std::filesystem::path& before, rigid::Obstacle& o) {
  const io::Collider& at = now.colliders[c];
  if (at.velocity && at.angular_velocity) {
    o.velocity = *at.velocity;
    o.angular_velocity = *at.angular_velocity;
  } else if (!before.empty()) {
    const io::SnapshotHeader earlier = io::read_snapshot_header(before);
    estimate_velocity(earlier.colliders.at(c), at, now.time_s - earlier.time_s, o);
    spdlog::warn(
        "the frame does not have the velocity of collider \"{}\": taken from its displacement since the one before",
        p.name);
  } else {
    o.velocity = p.velocity;
    o.angular_velocity = p.angular_velocity;
  }
}

}  // namespace

std::vector<breaking::DebrisCollider> debris_colliders(const sim::Scene& scene, const io::SnapshotHeader& now,
                                                       const std::filesystem::path& before,
                                                       const std::optional<double>& friction) {
  if (scene.colliders.size() != now.colliders.size())
    throw core::Error(
        fmt::format("the frame has {}, its scene {}. The file was edited; use the one that the "
                    "run wrote.",
                    core::counted(now.colliders.size(), "collider"), scene.colliders.size()));
  std::vector<breaking::DebrisCollider> list;
  for (std::size_t c = 0; c < scene.colliders.size(); ++c) {
    contact::ColliderParameters p = scene.colliders[c];
    const io::Collider& at = now.colliders[c];
    if (contact::shape_kind(p.shape).reads_file) p.mesh.mesh = solid_of(p, at, now.time_s);
    p = contact::RigidColliders({p}).parameters(0);  // with the mass from its density
    breaking::DebrisCollider collider;
    collider.name = p.name;
    rigid::Obstacle& o = collider.obstacle;
    o.kind = rigid::kind_of_name(at.kind);
    o.centre = at.centre;
    o.size = at.size;  // for a plane its normal in the world
    o.friction = friction.value_or(p.friction);
    if (o.kind != rigid::Obstacle::Kind::plane)
      o.orientation = {at.orientation[0], at.orientation[1], at.orientation[2], at.orientation[3]};
    if (p.motion == contact::ColliderMotion::path) {
      o.is_kinematic = true;
      if (o.kind == rigid::Obstacle::Kind::plane) o.size = p.normal;
      collider.path = [p](double time_s) { return placement(contact::RigidColliders({p}, time_s).states()[0]); };
    }
    if (p.motion == contact::ColliderMotion::free) o.mass = p.mass_kg;
    if (o.kind == rigid::Obstacle::Kind::mesh) fill_surface(p, at, o);
    if (p.motion == contact::ColliderMotion::free) set_velocity(p, c, now, before, o);
    list.push_back(std::move(collider));
  }
  return list;
}

}  // namespace brisance::app
