#include "rigid_body.hpp"

#include <numbers>

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

double volume(const ColliderParameters& body) {
  if (body.shape == ColliderShape::mesh) return body.mesh.mesh->volume_m3();
  if (body.shape == ColliderShape::box) return body.size.prod();
  return 4 * std::numbers::pi / 3 * body.radius_m * body.radius_m * body.radius_m;
}

Inertia inertia(const ColliderParameters& body) {
  if (body.shape == ColliderShape::sphere) return {Vec3::Constant(0.4 * body.mass_kg * body.radius_m * body.radius_m)};
  if (body.shape == ColliderShape::mesh) {
    const RigidMesh& mesh = *body.mesh.mesh;
    return {body.mass_kg / mesh.volume_m3() * mesh.inertia_of_volume().principal, mesh.inertia_of_volume().axes};
  }
  const Vec3 squared = body.size.cwiseAbs2();
  return {body.mass_kg / 12 * Vec3(squared.y() + squared.z(), squared.z() + squared.x(), squared.x() + squared.y())};
}

Vec3 angular_momentum(const Inertia& inertia, const Eigen::Quaterniond& orientation, const Vec3& angular_velocity) {
  const Mat3 axes = principal_axes(inertia, orientation);
  return axes * (axes.transpose() * angular_velocity).cwiseProduct(inertia.principal);
}

double mobility(const ColliderParameters& body) {
  if (body.motion != ColliderMotion::free) return 0;
  double lever = body.shape == ColliderShape::sphere ? body.radius_m : 0.5 * body.size.norm();
  if (body.shape == ColliderShape::mesh) lever = body.mesh.mesh->reach();
  return 1 / body.mass_kg + lever * lever / inertia(body).principal.minCoeff();
}

void give_impulse(const ColliderParameters& body, const Vec3& linear, const Vec3& angular, BodyState& state) {
  state.velocity += linear / body.mass_kg;
  state.angular_momentum += angular;
  state.angular_velocity = angular_velocity(inertia(body), state.orientation, state.angular_momentum);
}

void step_free_body(const ColliderParameters& body, const Vec3& force, const Vec3& torque, const Vec3& gravity,
                    double dt_s, BodyState& state) {
  state.velocity += dt_s * (force / body.mass_kg + gravity);
  state.position += dt_s * state.velocity;

  state.angular_momentum += dt_s * torque;
  const Inertia of_body = inertia(body);
  const Vec3& momentum = state.angular_momentum;
  const Vec3 start = angular_velocity(of_body, state.orientation, momentum);
  const Eigen::Quaterniond half_turned = turned(0.5 * dt_s * start, state.orientation);
  state.orientation = turned(dt_s * angular_velocity(of_body, half_turned, momentum), state.orientation);
  state.angular_velocity = angular_velocity(of_body, state.orientation, momentum);
}

}  // namespace brisance::contact
