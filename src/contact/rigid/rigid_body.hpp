/// Newton's and Euler's laws for one free rigid body.
#pragma once

#include "brisance/contact/parameters.hpp"
#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/contact/shapes/rigid_shape.hpp"

namespace brisance::contact {

/// Mass, inertia and mobility of a uniform solid; a body that does not move freely has a mobility of 0.
[[nodiscard]] MassProperties mass_properties(const ColliderParameters& body, const RigidShape& shape);

/// Angular momentum of a body that turns with `angular_velocity`, both in the world frame [kg m²/s].
[[nodiscard]] Vec3 angular_momentum(const Inertia& inertia, const Eigen::Quaterniond& orientation,
                                    const Vec3& angular_velocity);

/// The inverse of it [rad/s].
[[nodiscard]] Vec3 angular_velocity(const Inertia& inertia, const Eigen::Quaterniond& orientation,
                                    const Vec3& angular_momentum);

/// A force and torque that acted for an instant: N s and N m s, in the world frame, the latter about the centre.
void give_impulse(const MassProperties& body, const Vec3& linear, const Vec3& angular, BodyState& state);

/// In the world frame, torques about the centre [N], [N m].
struct ForcesOnBody {
  Vec3 force, torque;
  Vec3 late_force, late_torque;  ///< of impulses that are given at the step's end
};

/// One step of symplectic Euler: momenta first (force and torque act at the pose before the step), then the pose. The
/// orientation turns by the quaternion exponential of dt times the angular velocity at the half-turned pose, so that
/// angular momentum is kept to the last bit without torque, and the energy of a tumbling box to second order. Late
/// forces change the velocity of this step's motion only.
void step_free_body(const MassProperties& body, const ForcesOnBody& forces, const Vec3& gravity, double dt_s,
                    BodyState& state);

}  // namespace brisance::contact
