/// Bullet behind plain values: scaled lengths, principal axes, one convex hull a part.
#include "brisance/rigid/world.hpp"

#include "brisance/core/error.hpp"

#include <cmath>
#include <map>

#include <LinearMath/btConvexHullComputer.h>
#include <btBulletDynamicsCommon.h>
#include <spdlog/fmt/fmt.h>

namespace brisance::rigid {

namespace {

/// In Bullet's units, where a typical body has size 1: rounding of hulls, which are made smaller by as much.
constexpr double kMargin = 0.01;
constexpr double kRestingSpeed = 0.05, kRestingSpin = 0.1;

btVector3 to_bullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
btQuaternion to_bullet(const Eigen::Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }
Eigen::Quaterniond from_bullet(const btQuaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }

/// Principal moments and the rotation from principal axes to the rest frame.
struct PrincipalAxes {
  Vec3 moments;
  Eigen::Quaterniond to_rest;
};

PrincipalAxes principal_axes(const Mat3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia);
  Mat3 axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) *= -1;
  return {solver.eigenvalues(), Eigen::Quaterniond(axes)};
}

/// Shapes of one body, which Bullet does not own.
struct Collision {
  btCompoundShape compound;
  std::vector<std::unique_ptr<btConvexHullShape>> hulls;
};

/// The hull of points, pulled in by the margin that Bullet adds around it.
std::unique_ptr<btConvexHullShape> hull_shape(const std::vector<btVector3>& points) {
  btConvexHullComputer computer;
  computer.compute(points.front().m_floats, sizeof(btVector3), static_cast<int>(points.size()), kMargin, 0.4);
  auto hull = std::make_unique<btConvexHullShape>();
  for (int i = 0; i < computer.vertices.size(); ++i) hull->addPoint(computer.vertices[i], false);
  if (computer.vertices.size() == 0)  // flatter than rounding
    for (const btVector3& point : points) hull->addPoint(point, false);
  hull->recalcLocalAabb();
  hull->setMargin(kMargin);
  return hull;
}

void check(const WorldParameters& p) {
  if (!(p.length_m > 0)) throw core::Error(fmt::format("length_m = {:g} must be above 0.", p.length_m));
  if (!(p.friction >= 0)) throw core::Error(fmt::format("friction = {:g} must not be negative.", p.friction));
  if (!(p.restitution >= 0 && p.restitution <= 1))
    throw core::Error(fmt::format("restitution = {:g} must be between 0 and 1.", p.restitution));
}

}  // namespace

struct World::Implementation {
  struct Body {
    Collision collision;
    Eigen::Quaterniond principal_to_rest;
    std::unique_ptr<btRigidBody> rigid;
  };
  struct Plane {
    btStaticPlaneShape shape;
    btCollisionObject object;
    Plane(const btVector3& normal, double offset) : shape(normal, offset) { object.setCollisionShape(&shape); }
  };

  WorldParameters parameters;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
  std::map<BodyNumber, std::unique_ptr<Body>> bodies;
  std::vector<std::unique_ptr<Plane>> planes;
  BodyNumber next = 0;

  explicit Implementation(const WorldParameters& p) : parameters(p) {
    dynamics.setGravity(scaled(p.gravity));
    // Hulls of pieces that were one body may overlap: push them apart by position, without giving them speed.
    dynamics.getSolverInfo().m_splitImpulse = true;
    dynamics.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
    dynamics.getSolverInfo().m_erp2 = 0.1;
  }
  ~Implementation() {
    for (auto& [number, body] : bodies) dynamics.removeRigidBody(body->rigid.get());
    for (auto& plane : planes) dynamics.removeCollisionObject(&plane->object);
  }

  [[nodiscard]] btVector3 scaled(const Vec3& v) const { return to_bullet(v / parameters.length_m); }
  [[nodiscard]] Vec3 unscaled(const btVector3& v) const { return parameters.length_m * from_bullet(v); }
  /// Bullet multiplies the values of both sides.
  void set_surface(btCollisionObject& object) const {
    object.setFriction(std::sqrt(parameters.friction));
    object.setRestitution(std::sqrt(parameters.restitution));
  }
};

struct World::State {
  struct Body {
    btTransform transform;
    btVector3 velocity, angular_velocity;
    int activation;
    btScalar quiet_time;
  };
  std::map<BodyNumber, Body> bodies;
};

World::World(const WorldParameters& parameters) {
  check(parameters);
  it_ = std::make_unique<Implementation>(parameters);
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::add_plane(const Vec3& point, const Vec3& normal) {
  const Vec3 unit = normal.normalized();
  auto plane = std::make_unique<Implementation::Plane>(to_bullet(unit), unit.dot(point) / it_->parameters.length_m);
  plane->object.setUserIndex(kFixed);
  it_->set_surface(plane->object);
  it_->dynamics.addCollisionObject(&plane->object);
  it_->planes.push_back(std::move(plane));
}

BodyNumber World::add_body(const BodyShape& shape, const Motion& motion) {
  const PrincipalAxes axes = principal_axes(shape.inertia);
  if (!(shape.mass > 0) || !(axes.moments.minCoeff() > 0) || shape.hulls.empty())
    throw core::Error(
        fmt::format("A rigid body needs a hull and a positive mass and inertia; this one has {} hull(s), "
                    "mass {:g} kg and smallest moment {:g} kg m².",
                    shape.hulls.size(), shape.mass, axes.moments.minCoeff()));
  auto body = std::make_unique<Implementation::Body>();
  body->principal_to_rest = axes.to_rest;
  for (const auto& points : shape.hulls) {
    std::vector<btVector3> local;
    for (const Vec3& x : points) local.push_back(it_->scaled(axes.to_rest.conjugate() * (x - shape.centre)));
    body->collision.hulls.push_back(hull_shape(local));
    body->collision.compound.addChildShape(btTransform::getIdentity(), body->collision.hulls.back().get());
  }
  const double length = it_->parameters.length_m;
  const btRigidBody::btRigidBodyConstructionInfo info(shape.mass, nullptr, &body->collision.compound,
                                                      to_bullet(axes.moments / (length * length)));
  body->rigid = std::make_unique<btRigidBody>(info);
  btRigidBody& rigid = *body->rigid;
  rigid.setLinearVelocity(it_->scaled(motion.velocity));
  rigid.setAngularVelocity(to_bullet(motion.angular_velocity));
  rigid.setCenterOfMassTransform(
      btTransform(to_bullet(motion.orientation * axes.to_rest), it_->scaled(motion.position)));
  rigid.setSleepingThresholds(kRestingSpeed, kRestingSpin);
  rigid.setUserIndex(it_->next);
  it_->set_surface(rigid);
  it_->dynamics.addRigidBody(&rigid);
  it_->bodies.emplace(it_->next, std::move(body));
  return it_->next++;
}

void World::remove_body(BodyNumber body) {
  it_->dynamics.removeRigidBody(it_->bodies.at(body)->rigid.get());
  it_->bodies.erase(body);
}

Motion World::motion(BodyNumber number) const {
  const auto& body = *it_->bodies.at(number);
  const btTransform& at = body.rigid->getWorldTransform();
  Motion motion;
  motion.position = it_->unscaled(at.getOrigin());
  motion.orientation = (from_bullet(at.getRotation()) * body.principal_to_rest.conjugate()).normalized();
  motion.velocity = it_->unscaled(body.rigid->getLinearVelocity());
  motion.angular_velocity = from_bullet(body.rigid->getAngularVelocity());
  return motion;
}

void World::step(double step_s) { it_->dynamics.stepSimulation(step_s, 0); }

std::shared_ptr<const World::State> World::state() const {
  auto state = std::make_shared<State>();
  for (const auto& [number, body] : it_->bodies) {
    const btRigidBody& rigid = *body->rigid;
    state->bodies[number] = {rigid.getWorldTransform(), rigid.getLinearVelocity(), rigid.getAngularVelocity(),
                             rigid.getActivationState(), rigid.getDeactivationTime()};
  }
  return state;
}

void World::return_to(const State& state) {
  // What Bullet remembers of contacts belongs to the step that is taken back.
  for (const auto& [number, body] : it_->bodies)
    it_->broadphase.getOverlappingPairCache()->cleanProxyFromPairs(body->rigid->getBroadphaseHandle(),
                                                                   &it_->dispatcher);
  for (const auto& [number, body] : it_->bodies) {
    const auto found = state.bodies.find(number);
    if (found == state.bodies.end()) continue;
    btRigidBody& rigid = *body->rigid;
    rigid.setLinearVelocity(found->second.velocity);
    rigid.setAngularVelocity(found->second.angular_velocity);
    rigid.setCenterOfMassTransform(found->second.transform);  // last: it turns the inertia and notes the velocities
    rigid.clearForces();
    rigid.forceActivationState(found->second.activation);
    rigid.setDeactivationTime(found->second.quiet_time);
  }
}

std::vector<ContactImpulse> World::contact_impulses(double smallest_impulse) const {
  struct Sum {
    Vec3 moment = Vec3::Zero(), push = Vec3::Zero();
    double impulse = 0;
  };
  std::map<std::pair<BodyNumber, BodyNumber>, Sum> sums;
  for (int m = 0; m < it_->dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold& manifold = *it_->dispatcher.getManifoldByIndexInternal(m);
    const BodyNumber a = manifold.getBody0()->getUserIndex(), b = manifold.getBody1()->getUserIndex();
    for (int c = 0; c < manifold.getNumContacts(); ++c) {
      const btManifoldPoint& point = manifold.getContactPoint(c);
      const double impulse = it_->parameters.length_m * point.getAppliedImpulse();
      if (!(impulse > 0)) continue;
      const Vec3 where = it_->unscaled(point.getPositionWorldOnB()),
                 push = impulse * from_bullet(point.m_normalWorldOnB);
      for (const auto& [pair, sign] : {std::pair(std::pair(a, b), 1.0), std::pair(std::pair(b, a), -1.0)}) {
        if (pair.first == kFixed) continue;
        Sum& sum = sums[pair];
        sum.impulse += impulse;
        sum.moment += impulse * where;
        sum.push += sign * push;
      }
    }
  }
  std::vector<ContactImpulse> contacts;
  for (const auto& [pair, sum] : sums)
    if (sum.impulse >= smallest_impulse && sum.push.norm() > 0)
      contacts.push_back({pair.first, pair.second, sum.moment / sum.impulse, sum.push.normalized(), sum.impulse});
  return contacts;
}

}  // namespace brisance::rigid
