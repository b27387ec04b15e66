/// What a rigid body is and how it moves; and how a body that breaks hands its motion to its pieces.
#pragma once

#include "brisance/core/types.hpp"

#include <vector>

namespace brisance::rigid {

/// A solid in its rest frame.
struct BodyShape {
  double mass = 1;                       ///< [kg]
  Vec3 centre = Vec3::Zero();            ///< of mass [m]
  Mat3 inertia = Mat3::Identity();       ///< about the centre [kg m²]
  std::vector<std::vector<Vec3>> hulls;  ///< what it touches others with: the convex hulls of these points [m]
};

/// Where a body is and how it moves: rest point x is at position + orientation·(x − centre).
struct Motion {
  Vec3 position = Vec3::Zero();  ///< of the centre of mass [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Vec3 velocity = Vec3::Zero();          ///< of the centre of mass [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< in the world [rad/s]
};

/// Where a point of the body's rest frame is now [m].
[[nodiscard]] inline Vec3 to_world(const Motion& motion, const Vec3& centre, const Vec3& rest) {
  return motion.position + motion.orientation * (rest - centre);
}
/// The point of the rest frame that is at `world` now [m].
[[nodiscard]] inline Vec3 to_rest(const Motion& motion, const Vec3& centre, const Vec3& world) {
  return centre + motion.orientation.conjugate() * (world - motion.position);
}

/// The motion of a piece at the moment the body breaks: the body's own velocity field at the piece. Over all pieces
/// linear and angular momentum and kinetic energy are the body's (the inertia of pieces adds up by Steiner's theorem).
[[nodiscard]] inline Motion motion_of_piece(const Motion& body, const Vec3& body_centre, const Vec3& piece_centre) {
  Motion piece = body;
  piece.position = to_world(body, body_centre, piece_centre);
  piece.velocity = body.velocity + body.angular_velocity.cross(piece.position - body.position);
  return piece;
}

}  // namespace brisance::rigid
