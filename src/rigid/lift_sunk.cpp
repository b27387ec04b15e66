#include "lift_sunk.hpp"

#include <algorithm>

namespace brisance::rigid {

namespace {

constexpr double kSunk = 0.005;  ///< deeper bodies count as inside
constexpr double kLift = 0.2;    ///< share of the depth by which they are moved out in a step

const btManifoldPoint* deepest_point(const btPersistentManifold& manifold) {
  const btManifoldPoint* deepest = nullptr;
  for (int c = 0; c < manifold.getNumContacts(); ++c)
    if (const btManifoldPoint& p = manifold.getContactPoint(c); !deepest || p.getDistance() < deepest->getDistance())
      deepest = &p;
  return deepest;
}

}  // namespace

void lift_sunk_bodies(btCollisionDispatcher& dispatcher, const WorldBodies& bodies) {
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
    const btCollisionObject &a = *manifold.getBody0(), &b = *manifold.getBody1();
    if (a.isStaticOrKinematicObject() == b.isStaticOrKinematicObject()) continue;
    const btCollisionObject& obstacle = a.isStaticOrKinematicObject() ? a : b;
    const auto found = bodies.find((a.isStaticOrKinematicObject() ? b : a).getUserIndex());
    if (found == bodies.end() || !found->second->rigid->isActive()) continue;
    btRigidBody& body = *found->second->rigid;
    const btManifoldPoint* const deepest = deepest_point(manifold);
    if (!deepest || deepest->getDistance() > -kSunk) continue;
    const btVector3 out = &obstacle == &b ? deepest->m_normalWorldOnB : -deepest->m_normalWorldOnB;
    btTransform at = body.getCenterOfMassTransform();
    const btRigidBody* const kinematic = btRigidBody::upcast(&obstacle);
    const btVector3 of_obstacle =
        kinematic ? kinematic->getVelocityInLocalPoint(at.getOrigin() - kinematic->getCenterOfMassPosition())
                  : btVector3(0, 0, 0);
    const btVector3 velocity = body.getLinearVelocity() - of_obstacle;
    const btScalar inward = -velocity.dot(out);
    if (inward > 0) {
      const btVector3 along = velocity + inward * out;
      const btScalar friction = body.getFriction() * obstacle.getFriction() * inward;
      const btScalar share = 1 - std::min<btScalar>(1, friction / std::max<btScalar>(along.length(), SIMD_EPSILON));
      body.setLinearVelocity(of_obstacle + share * along);
    }
    at.setOrigin(at.getOrigin() + kLift * (-deepest->getDistance() - kSunk) * out);
    body.setCenterOfMassTransform(at);
  }
}

}  // namespace brisance::rigid
