#include "rigid_body.hpp"

namespace brisance::contact {
namespace {

// exp of a rotation vector, times `start`
Eigen::Quaterniond turned(const Vec3& rotation, const Eigen::Quaterniond& start) {
  const double angle = rotation.norm();
  if (angle == 0) return start;
  return (Eigen::Quaterniond(Eigen::AngleAxisd(angle, rotation / angle)) * start).normalized();
}

/// Principal axes in world coordinates.
Mat3 principal_axes(const Inertia& inertia, const Eigen::Quaterniond& orientation) {
  return orientation.toRotationMatrix() * inertia.axes;
}

}  // namespace

Vec3 angular_velocity(const Inertia& inertia, const Eigen::Quaterniond& orientation, const Vec3& momentum) {
  const Mat3 axes = principal_axes(inertia, orientation);
  return axes * (axes.transpose() * momentum).cwiseQuotient(inertia.principal);
}

MassProperties mass_properties(const ColliderParameters& body, const RigidShape& shape) {
  if (body.motion != ColliderMotion::free) return {.mass_kg = body.mass_kg};
  const Inertia inertia = shape.inertia(body.mass_kg);
  const double lever = shape.reach();
  return {body.mass_kg, inertia, 1 / body.mass_kg + lever * lever / inertia.principal.minCoeff()};
}

Vec3 angular_momentum(const Inertia& inertia, const Eigen::Quaterniond& orientation, const Vec3& angular_velocity) {
  const Mat3 axes = principal_axes(inertia, orientation);
  return axes * (axes.transpose() * angular_velocity).cwiseProduct(inertia.principal);
}

void give_impulse(const MassProperties& body, const Vec3& linear, const Vec3& angular, BodyState& state) {
  state.velocity += linear / body.mass_kg;
  state.angular_momentum += angular;
  state.angular_velocity = angular_velocity(body.inertia, state.orientation, state.angular_momentum);
}

void step_free_body(const MassProperties& body, const ForcesOnBody& forces, const Vec3& gravity, double dt_s,
                    BodyState& state) {
  state.velocity += dt_s * (forces.force / body.mass_kg + gravity);
  state.position += dt_s * (state.velocity + dt_s * forces.late_force / body.mass_kg);

  state.angular_momentum += dt_s * forces.torque;
  const Vec3 momentum = state.angular_momentum + dt_s * forces.late_torque;
  const Vec3 start = angular_velocity(body.inertia, state.orientation, momentum);
  const Eigen::Quaterniond half_turned = turned(0.5 * dt_s * start, state.orientation);
  state.orientation = turned(dt_s * angular_velocity(body.inertia, half_turned, momentum), state.orientation);
  state.angular_velocity = angular_velocity(body.inertia, state.orientation, state.angular_momentum);
}

}  // namespace brisance::contact
