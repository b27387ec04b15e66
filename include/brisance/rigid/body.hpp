/// Shape and motion of rigid bodies, and the motion of the pieces of a body that breaks. Everything is local and does
/// not throw.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace brisance::rigid {

/// A solid in its rest frame, the coordinates in which its points are given.
struct BodyShape {
  double mass = 1;                       ///< [kg]
  Vec3 centre = Vec3::Zero();            ///< centre of mass [m]
  Mat3 inertia = Mat3::Identity();       ///< about the centre of mass [kg m²]
  std::vector<std::vector<Vec3>> hulls;  ///< collision shape: the convex hulls of these points [m]
};

/// A collision object that never breaks: a half space (plane), a ball, a box, or the solid inside a closed surface
/// (mesh). It is fixed, kinematic (prescribed motion) or free.
struct Obstacle {
  enum class Kind { plane, ball, box, mesh };
  Kind kind = Kind::plane;
  Vec3 centre = Vec3::Zero();  ///< plane: a point on it; mesh: its centre of mass [m]
  /// plane: outward normal; ball: radius, 0, 0 [m]; box: edge lengths [m]; mesh: size of its bounding box [m]
  Vec3 size = Vec3::UnitZ();
  double mass = 0;                       ///< of a free one [kg]; 0: fixed or kinematic. Planes are never free
  Vec3 velocity = Vec3::Zero();          ///< initial velocity of a free one [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< initial angular velocity of a free one, in the world frame [rad/s]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< body to world; also rotates a plane's normal
  bool is_kinematic = false;                                        ///< kinematic: moved by World::move_to alone
  double friction = -1;                                     ///< Coulomb coefficient with bodies; negative: the world's
  std::vector<Vec3> vertices = {};                          ///< mesh: relative to its centre [m]
  std::vector<std::array<std::int32_t, 3>> triangles = {};  ///< mesh: outward. A free mesh collides as its convex hull
  Mat3 inertia = Mat3::Identity();                          ///< free mesh: about its centre [kg m²]
};

/// Name of a kind in snapshots and scene files.
[[nodiscard]] constexpr const char* kind_name(Obstacle::Kind kind) {
  switch (kind) {
    case Obstacle::Kind::plane:
      return "plane";
    case Obstacle::Kind::ball:
      return "sphere";
    case Obstacle::Kind::box:
      return "box";
    case Obstacle::Kind::mesh:
      return "mesh";
  }
  return "";
}

/// The kind of an obstacle that snapshots call so: any other name than the above is that of a closed surface.
[[nodiscard]] constexpr Obstacle::Kind kind_of_name(std::string_view name) {
  for (const auto kind : {Obstacle::Kind::plane, Obstacle::Kind::ball, Obstacle::Kind::box})
    if (name == kind_name(kind)) return kind;
  return Obstacle::Kind::mesh;
}

/// Mass and inertia of a free obstacle (solid ball, box or mesh), whose rest frame has its origin at the centre of
/// mass. `hulls` stays empty.
[[nodiscard]] inline BodyShape body_shape(const Obstacle& o) {
  BodyShape shape;
  shape.mass = o.mass;
  if (o.kind == Obstacle::Kind::mesh) {
    shape.inertia = o.inertia;
    return shape;
  }
  const Vec3 squares = o.size.cwiseProduct(o.size);
  const Vec3 moments = o.kind == Obstacle::Kind::ball ? Vec3::Constant(0.4 * squares.x())
                                                      : Vec3((Vec3::Constant(squares.sum()) - squares) / 12);
  shape.inertia = (o.mass * moments).asDiagonal();
  return shape;
}

/// Position and velocity of a body. Point x of the rest frame is at position + orientation·(x − centre), with
/// BodyShape::centre.
struct Motion {
  Vec3 position = Vec3::Zero();  ///< of the centre of mass [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Vec3 velocity = Vec3::Zero();          ///< of the centre of mass [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< in the world frame [rad/s]
};

/// Present position of a point of the body's rest frame [m].
[[nodiscard]] inline Vec3 to_world(const Motion& motion, const Vec3& centre, const Vec3& rest) {
  return motion.position + motion.orientation * (rest - centre);
}
/// The point of the rest frame whose present position is `world` [m].
[[nodiscard]] inline Vec3 to_rest(const Motion& motion, const Vec3& centre, const Vec3& world) {
  return centre + motion.orientation.conjugate() * (world - motion.position);
}

/// Conserved quantities, summed over bodies. The scales are sums of the magnitudes of all terms, to which rounding
/// errors are proportional.
struct Momenta {
  Vec3 linear = Vec3::Zero();                  ///< Σ m v [kg m/s]
  Vec3 angular = Vec3::Zero();                 ///< Σ m r×v + Iω about a point [kg m²/s]
  double linear_scale = 0, angular_scale = 0;  ///< [kg m/s], [kg m²/s]
  double energy = 0;                           ///< Σ ½ m v² + ½ ω·Iω [J]

  Momenta& operator+=(const Momenta& other) {
    linear += other.linear;
    angular += other.angular;
    linear_scale += other.linear_scale;
    angular_scale += other.angular_scale;
    energy += other.energy;
    return *this;
  }
};
/// The quantities of one body; the angular momentum is about the point `about`.
[[nodiscard]] inline Momenta momenta(const BodyShape& shape, const Motion& motion, const Vec3& about) {
  const Mat3 turn = motion.orientation.toRotationMatrix();
  const Vec3 spin = turn * shape.inertia * turn.transpose() * motion.angular_velocity;
  const Vec3 orbit = shape.mass * (motion.position - about).cross(motion.velocity);
  Momenta m;
  m.linear = shape.mass * motion.velocity;
  m.angular = orbit + spin;
  m.linear_scale = m.linear.norm();
  m.angular_scale = shape.mass * (motion.position - about).norm() * motion.velocity.norm() + spin.norm();
  m.energy = 0.5 * shape.mass * motion.velocity.squaredNorm() + 0.5 * motion.angular_velocity.dot(spin);
  return m;
}

/// The motion of a piece when the body breaks: the body's rigid velocity field at the piece's centre of mass. Summed
/// over all pieces, momentum, angular momentum and kinetic energy are those of the body, since inertias add up by
/// Steiner's theorem.
/// @param body_centre, piece_centre  centres of mass in the common rest frame [m]
[[nodiscard]] inline Motion motion_of_piece(const Motion& body, const Vec3& body_centre, const Vec3& piece_centre) {
  Motion piece = body;
  piece.position = to_world(body, body_centre, piece_centre);
  piece.velocity = body.velocity + body.angular_velocity.cross(piece.position - body.position);
  return piece;
}

}  // namespace brisance::rigid
