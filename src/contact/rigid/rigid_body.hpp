/// Newton's and Euler's laws for one free rigid body.
#pragma once

#include "brisance/contact/parameters.hpp"
#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/contact/shapes/rigid_mesh.hpp"

namespace brisance::contact {

/// Volume of a sphere, box or mesh [m³].
[[nodiscard]] double volume(const ColliderParameters& body);

/// Moments of inertia of the solid, uniform sphere, box or mesh about its centre of mass [kg m²].
[[nodiscard]] Inertia inertia(const ColliderParameters& body);

/// Angular momentum of a body that turns with `angular_velocity`, both in the world frame [kg m²/s].
[[nodiscard]] Vec3 angular_momentum(const Inertia& inertia, const Eigen::Quaterniond& orientation,
                                    const Vec3& angular_velocity);

/// The inverse of it [rad/s].
[[nodiscard]] Vec3 angular_velocity(const Inertia& inertia, const Eigen::Quaterniond& orientation,
                                    const Vec3& angular_momentum);

/// Largest velocity change of a free body at the point of application, per unit impulse on its surface; 0 for others
/// [1/kg].
[[nodiscard]] double mobility(const ColliderParameters& body);

/// A force and torque that acted for an instant: N s and N m s, in the world frame, the latter about the centre.
void give_impulse(const ColliderParameters& body, const Vec3& linear, const Vec3& angular, BodyState& state);

/// One step of symplectic Euler: momenta first (force and torque act at the pose before the step), then the pose. The
/// orientation turns by the quaternion exponential of dt times the angular velocity at the half-turned pose, so that
/// angular momentum is kept to the last bit without torque, and the energy of a tumbling box to second order.
/// @param force, torque  in the world frame, the torque about the centre [N], [N m]
void step_free_body(const ColliderParameters& body, const Vec3& force, const Vec3& torque, const Vec3& gravity,
                    double dt_s, BodyState& state);

}  // namespace brisance::contact
