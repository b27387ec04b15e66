#include "angular_momentum.hpp"

#include "bullet_values.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace brisance::rigid {

namespace {

constexpr double kMostTurn = 0.25;  ///< most rotation of a body in contact in a step [rad]

std::set<const btCollisionObject*> objects_in_contact(btCollisionDispatcher& dispatcher) {
  std::set<const btCollisionObject*> touching;
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
    for (int c = 0; c < manifold.getNumContacts(); ++c)
      if (const btManifoldPoint& p = manifold.getContactPoint(c); p.getDistance() <= 0 || p.getAppliedImpulse() != 0) {
        touching.insert(manifold.getBody0());
        touching.insert(manifold.getBody1());
      }
  }
  return touching;
}

Eigen::Quaterniond turned(const Vec3& by, const Eigen::Quaterniond& start) {
  const double angle = by.norm();
  return angle == 0 ? start : (Eigen::Quaterniond(Eigen::AngleAxisd(angle, by / angle)) * start).normalized();
}

}  // namespace

std::vector<Spin> spins(const WorldBodies& bodies) {
  std::vector<Spin> list;
  for (const auto& [number, body] : bodies) {
    if (body->rigid->isStaticOrKinematicObject() || !body->rigid->isActive()) continue;
    const Eigen::Quaterniond q = from_bullet(body->rigid->getCenterOfMassTransform().getRotation()).normalized();
    list.push_back({body.get(), q.toRotationMatrix(), q});
  }
  return list;
}

void conserve_angular_momentum(btCollisionDispatcher& dispatcher, const std::vector<Spin>& before, double step_s) {
  if (before.empty()) return;
  const std::set<const btCollisionObject*> touching = objects_in_contact(dispatcher);
  for (const Spin& spin : before) {
    btRigidBody& rigid = *spin.body->rigid;
    const Vec3& moments = spin.body->moments;
    const Vec3 start = from_bullet(rigid.getAngularVelocity());
    const Vec3 momentum = spin.axes * moments.cwiseProduct(spin.axes.transpose() * start);
    const auto velocity_at = [&](const Eigen::Quaterniond& q) {
      const Mat3 axes = q.toRotationMatrix();
      return Vec3(axes * (axes.transpose() * momentum).cwiseQuotient(moments));
    };
    btTransform at = rigid.getCenterOfMassTransform();
    const bool touches = touching.contains(&rigid);
    if (!touches) {
      const Vec3 half_way = velocity_at(turned(0.5 * step_s * start, spin.orientation));
      at.setRotation(to_bullet(turned(step_s * half_way, spin.orientation)));
      rigid.setCenterOfMassTransform(at);
    }
    Vec3 velocity = velocity_at(from_bullet(at.getRotation()).normalized());
    if (touches) {
      const double energy = momentum.dot(velocity), given = momentum.dot(start);  // twice the energies
      if (energy > given) velocity *= given > 0 ? std::sqrt(given / energy) : 0;
      velocity *= std::min(1.0, kMostTurn / std::max(step_s * velocity.norm(), kMostTurn));
    }
    rigid.setAngularVelocity(to_bullet(velocity));
  }
}

}  // namespace brisance::rigid
