#include "brisance/dynamics/explicit_step.hpp"

namespace brisance::dynamics {

namespace {

/// −dt f^ν·(v_old + v_new)/2: the work done against the viscous force in this step.
double viscous_loss(const dist::NodeForce& force, const double* old_velocity, const double* new_velocity, double dt_s) {
  double power = 0;
  for (int k = 0; k < 3; ++k) power += force.viscous[k] * (old_velocity[k] + new_velocity[k]);
  return -0.5 * dt_s * power;
}

/// Calls advance(motion, force, inverse mass) for each node with an inverse mass, and updates the viscous work.
template <class Advance>
void for_each_owned(const NodeSpans& nodes, double dt_s, const Advance& advance) {
  for (std::size_t i = 0; i < nodes.motion.size(); ++i) {
    const double inverse_mass = nodes.inverse_mass[i];
    if (inverse_mass == 0) continue;
    dist::NodeMotion& m = nodes.motion[i];
    const double old_velocity[3] = {m.velocity[0], m.velocity[1], m.velocity[2]};
    advance(i, m, inverse_mass);
    if (!nodes.viscous_work.empty())
      nodes.viscous_work[i] += viscous_loss(nodes.forces[i], old_velocity, m.velocity, dt_s);
  }
}

}  // namespace

void symplectic_euler(const NodeSpans& nodes, const Vec3& gravity, double dt_s) {
  for_each_owned(nodes, dt_s, [&](std::size_t i, dist::NodeMotion& m, double inverse_mass) {
    for (int k = 0; k < 3; ++k) {
      m.velocity[k] += dt_s * (nodes.forces[i].force[k] * inverse_mass + gravity[k]);
      m.position[k] += dt_s * m.velocity[k];
    }
  });
}

void forward_euler(const NodeSpans& nodes, const Vec3& gravity, double dt_s) {
  for_each_owned(nodes, dt_s, [&](std::size_t i, dist::NodeMotion& m, double inverse_mass) {
    for (int k = 0; k < 3; ++k) {
      m.position[k] += dt_s * m.velocity[k];
      m.velocity[k] += dt_s * (nodes.forces[i].force[k] * inverse_mass + gravity[k]);
    }
  });
}

void predict(const NodeSpans& nodes, const Vec3& gravity, double dt_s, std::span<dist::NodeMotion> predicted) {
  for (std::size_t i = 0; i < nodes.motion.size(); ++i) {
    predicted[i] = nodes.motion[i];
    if (nodes.inverse_mass[i] == 0) continue;
    for (int k = 0; k < 3; ++k) {
      predicted[i].position[k] += dt_s * nodes.motion[i].velocity[k];
      predicted[i].velocity[k] += dt_s * (nodes.forces[i].force[k] * nodes.inverse_mass[i] + gravity[k]);
    }
  }
}

void taylor2(const NodeSpans& nodes, std::span<const dist::NodeForce> predicted_forces, const Vec3& gravity,
             double dt_s) {
  for_each_owned(nodes, dt_s, [&](std::size_t i, dist::NodeMotion& m, double inverse_mass) {
    for (int k = 0; k < 3; ++k) {
      const double now = nodes.forces[i].force[k] * inverse_mass + gravity[k];
      const double later = predicted_forces[i].force[k] * inverse_mass + gravity[k];
      m.position[k] += dt_s * m.velocity[k] + 0.5 * dt_s * dt_s * now;
      m.velocity[k] += 0.5 * dt_s * (now + later);
    }
  });
}

}  // namespace brisance::dynamics
