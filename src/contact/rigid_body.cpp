#include "rigid_body.hpp"

namespace brisance::contact {
namespace {

// exp of a rotation vector, times `start`
Eigen::Quaterniond turned(const Vec3& rotation, const Eigen::Quaterniond& start) {
  const double angle = rotation.norm();
  if (angle == 0) return start;
  return (Eigen::Quaterniond(Eigen::AngleAxisd(angle, rotation / angle)) * start).normalized();
}

}  // namespace

Vec3 angular_velocity(const Vec3& inertia, const Eigen::Quaterniond& orientation, const Vec3& momentum) {
  const Mat3 axes = orientation.toRotationMatrix();
  return axes * (axes.transpose() * momentum).cwiseQuotient(inertia);
}

Vec3 principal_inertia(const ColliderParameters& body) {
  if (body.shape == ColliderShape::sphere) return Vec3::Constant(0.4 * body.mass_kg * body.radius_m * body.radius_m);
  const Vec3 squared = body.size.cwiseAbs2();
  return body.mass_kg / 12 * Vec3(squared.y() + squared.z(), squared.z() + squared.x(), squared.x() + squared.y());
}

Vec3 angular_momentum(const Vec3& inertia, const Eigen::Quaterniond& orientation, const Vec3& angular_velocity) {
  const Mat3 axes = orientation.toRotationMatrix();
  return axes * (axes.transpose() * angular_velocity).cwiseProduct(inertia);
}

double mobility(const ColliderParameters& body) {
  if (body.motion != ColliderMotion::free) return 0;
  const double lever = body.shape == ColliderShape::sphere ? body.radius_m : 0.5 * body.size.norm();
  return 1 / body.mass_kg + lever * lever / principal_inertia(body).minCoeff();
}

void give_impulse(const ColliderParameters& body, const Vec3& linear, const Vec3& angular, BodyState& state) {
  state.velocity += linear / body.mass_kg;
  state.angular_momentum += angular;
  state.angular_velocity = angular_velocity(principal_inertia(body), state.orientation, state.angular_momentum);
}

void step_free_body(const ColliderParameters& body, const Vec3& force, const Vec3& torque, const Vec3& gravity,
                    double dt_s, BodyState& state) {
  state.velocity += dt_s * (force / body.mass_kg + gravity);
  state.position += dt_s * state.velocity;

  state.angular_momentum += dt_s * torque;
  const Vec3 inertia = principal_inertia(body);
  const Vec3& momentum = state.angular_momentum;
  const Vec3 start = angular_velocity(inertia, state.orientation, momentum);
  const Eigen::Quaterniond half_turned = turned(0.5 * dt_s * start, state.orientation);
  state.orientation = turned(dt_s * angular_velocity(inertia, half_turned, momentum), state.orientation);
  state.angular_velocity = angular_velocity(inertia, state.orientation, momentum);
}

}  // namespace brisance::contact
