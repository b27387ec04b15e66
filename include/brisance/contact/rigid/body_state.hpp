/// Motion and mass of a rigid body.
#pragma once

#include "brisance/contact/parameters.hpp"
#include "brisance/contact/shapes/rigid_shape.hpp"
#include "brisance/core/types.hpp"

#include <span>

namespace brisance::contact {

/// State of motion of a rigid body, with the same bits on every rank.
struct BodyState {
  Vec3 position = Vec3::Zero();  ///< centre of mass; of a plane, a point on it [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Vec3 velocity = Vec3::Zero();          ///< [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< in the world frame [rad/s]
  Vec3 angular_momentum = Vec3::Zero();  ///< free bodies: about their own centre, in the world frame [kg m²/s]
  // Sums over the nodes that touched a free body in the last step: they bound the next step and share out friction.
  double contact_mass = 0;       ///< [kg]
  double contact_stiffness = 0;  ///< [N/m]
  double contact_damping = 0;    ///< [N s/m]
};

/// Mass properties of a body, which a run does not change.
struct MassProperties {
  double mass_kg = 0;
  Inertia inertia = {};  ///< of free bodies [kg m²]
  double mobility = 0;  ///< largest velocity change at the point of application, per unit impulse on its surface [1/kg]
};

/// All bodies of a scene, by number. The spans have one length.
struct BodiesView {
  std::span<const ColliderParameters> parameters;
  std::span<const MassProperties> mass;
  std::span<const BodyState> states;
  std::span<const PlacedShape> shapes;  ///< as the states place them
};

}  // namespace brisance::contact
