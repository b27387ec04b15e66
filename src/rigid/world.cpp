/// Wraps Bullet behind plain values: scaled lengths, principal axes, one convex hull for each part.
#include "brisance/rigid/world.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"

#include "angular_momentum.hpp"
#include "bullet_values.hpp"
#include "check_world.hpp"
#include "collision_shapes.hpp"
#include "lift_sunk.hpp"
#include "offset_dynamics.hpp"
#include "world_body.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <btBulletDynamicsCommon.h>
#include <spdlog/fmt/fmt.h>

namespace brisance::rigid {

namespace {

constexpr double kRestingSpeed = 0.05, kRestingSpin = 0.1;
constexpr double kLeastFriction = 1e-6;  ///< bound on the root of the coefficient

}  // namespace

struct World::Implementation {
  struct Fixed {
    std::unique_ptr<btCollisionShape> shape;
    btCollisionObject object;
  };

  WorldParameters parameters;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  OffsetDynamics dynamics{&dispatcher, &broadphase, &solver, &configuration};
  WorldBodies bodies;
  std::vector<std::unique_ptr<Fixed>> fixed;  ///< numbered −1 − index
  BodyNumber next = 0;

  explicit Implementation(const WorldParameters& p) : parameters(p) {
    dynamics.setGravity(scaled(p.gravity));
    // Overlap beyond the contact offset is corrected by position, without adding velocity.
    dynamics.getSolverInfo().m_splitImpulse = true;
    dynamics.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
    dynamics.getSolverInfo().m_erp2 = 0.1;
    dynamics.getSolverInfo().m_numIterations = p.iterations;
    dynamics.offsets_whole_bodies = p.offsets_whole_bodies;
    dynamics.parting_time_s = p.parting_time_s;
  }
  ~Implementation() {
    for (auto& [number, body] : bodies) dynamics.removeRigidBody(body->rigid.get());
    for (auto& obstacle : fixed) dynamics.removeCollisionObject(&obstacle->object);
  }

  /// A fixed plane's shape holds its position; other shapes are at the origin.
  [[nodiscard]] std::unique_ptr<btCollisionShape> shape_of(const Obstacle& o) const {
    if (o.kind == Obstacle::Kind::ball) return std::make_unique<btSphereShape>(o.size.x() / parameters.length_m);
    if (o.kind == Obstacle::Kind::box) return std::make_unique<btBoxShape>(scaled(o.size / 2));
    if (o.kind == Obstacle::Kind::mesh) return triangle_shape(scaled(o.vertices), o.triangles);
    if (o.is_kinematic) return std::make_unique<btStaticPlaneShape>(to_bullet(o.size.normalized()), 0);
    const Vec3 normal = (o.orientation * o.size).normalized();
    return std::make_unique<btStaticPlaneShape>(to_bullet(normal), normal.dot(o.centre) / parameters.length_m);
  }

  /// Adds a body whose shapes, mass and moments are set.
  BodyNumber add(std::unique_ptr<WorldBody> body, const Motion& motion, bool is_kinematic);
  void join(const WorldBody& body);

  [[nodiscard]] btVector3 scaled(const Vec3& v) const { return to_bullet(v / parameters.length_m); }
  [[nodiscard]] std::vector<btVector3> scaled(const std::vector<Vec3>& points) const {
    std::vector<btVector3> all;
    for (const Vec3& x : points) all.push_back(scaled(x));
    return all;
  }
  [[nodiscard]] Vec3 unscaled(const btVector3& v) const { return parameters.length_m * from_bullet(v); }
  /// Sets the coefficients so that Bullet's products of both sides' values are the wanted ones.
  void set_surface(btCollisionObject& object, double friction = -1) const {
    // For an obstacle with a friction of its own, the product with a body is that value.
    const double of_bodies = std::sqrt(parameters.friction);
    object.setFriction(friction < 0 ? of_bodies : friction / std::max(of_bodies, kLeastFriction));
    object.setRestitution(std::sqrt(parameters.restitution));
    if (parameters.rolling_lever_m == 0) return;
    // Bullet sums the products of each side's lever with the other side's friction: half from each.
    const double lever = parameters.rolling_lever_m / parameters.length_m / 2 / std::max(of_bodies, kLeastFriction);
    object.setRollingFriction(lever);
    object.setSpinningFriction(lever);
  }
};

struct World::State {
  struct Body {
    btTransform transform;
    btVector3 velocity, angular_velocity;
    int activation;
    btScalar resting_time;
  };
  std::map<BodyNumber, Body> bodies;
};

World::World(const WorldParameters& parameters) {
  require_valid(parameters);
  it_ = std::make_unique<Implementation>(parameters);
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::Implementation::join(const WorldBody& body) {
  if (!body.is_small) {
    dynamics.addRigidBody(body.rigid.get());
    return;
  }
  using Filter = btBroadphaseProxy;
  constexpr int kSmall = Filter::DebrisFilter;
  dynamics.addRigidBody(body.rigid.get(), kSmall, Filter::AllFilter & ~kSmall);
}

BodyNumber World::Implementation::add(std::unique_ptr<WorldBody> body, const Motion& motion, bool is_kinematic) {
  const double length = parameters.length_m;
  // A single hull costs less than a compound of one, and keeps the bits of recorded playbacks along modes.
  const bool is_mesh = body->collision.parts.front()->getShapeType() == TRIANGLE_MESH_SHAPE_PROXYTYPE;
  btCollisionShape* const shape = (parameters.has_tight_hulls || is_mesh) && body->collision.parts.size() == 1
                                      ? body->collision.parts.front().get()
                                      : &body->collision.compound;
  const btRigidBody::btRigidBodyConstructionInfo info(is_kinematic ? 0 : body->mass, nullptr, shape,
                                                      to_bullet(body->moments / (length * length)));
  body->rigid = std::make_unique<btRigidBody>(info);
  btRigidBody& rigid = *body->rigid;
  if (is_kinematic) {
    rigid.setCollisionFlags(rigid.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
  } else {
    rigid.setLinearVelocity(scaled(motion.velocity));
    rigid.setAngularVelocity(to_bullet(motion.angular_velocity));
  }
  if (parameters.keeps_angular_momentum) rigid.setFlags(0);  // gyroscopic torque is then computed here
  rigid.setCenterOfMassTransform(
      btTransform(to_bullet(motion.orientation * body->principal_to_rest), scaled(motion.position)));
  rigid.setSleepingThresholds(parameters.resting_speed_m_s > 0 ? parameters.resting_speed_m_s / length : kRestingSpeed,
                              kRestingSpin);
  rigid.setUserIndex(next);
  set_surface(rigid);
  join(*body);
  bodies.emplace(next, std::move(body));
  return next++;
}

BodyNumber World::add_obstacle(const Obstacle& obstacle) {
  require_valid(obstacle);
  std::unique_ptr<btCollisionShape> shape;
  const bool is_free_mesh = obstacle.kind == Obstacle::Kind::mesh && obstacle.mass > 0;
  if (!is_free_mesh) shape = it_->shape_of(obstacle);
  if (obstacle.mass > 0 || obstacle.is_kinematic) {
    auto body = std::make_unique<WorldBody>();
    body->principal_to_rest.setIdentity();
    body->mass = obstacle.mass;
    body->moments = obstacle.is_kinematic ? Vec3(Vec3::Zero()) : Vec3(body_shape(obstacle).inertia.diagonal());
    if (is_free_mesh) {
      const PrincipalAxes axes = principal_axes(obstacle.inertia);
      if (!(axes.moments.minCoeff() > 0))
        throw core::Error("A mesh obstacle that is free needs an inertia with positive moments.");
      body->principal_to_rest = axes.to_rest;
      body->moments = axes.moments;
      std::vector<Vec3> local;
      for (const Vec3& x : obstacle.vertices) local.emplace_back(axes.to_rest.conjugate() * x);
      shape = hull_shape(it_->scaled(local), it_->parameters.has_tight_hulls);
    }
    body->collision.add(std::move(shape));
    Motion motion;
    motion.position = obstacle.centre;
    motion.orientation = obstacle.orientation;
    motion.velocity = obstacle.velocity;
    motion.angular_velocity = obstacle.angular_velocity;
    const BodyNumber number = it_->add(std::move(body), motion, obstacle.is_kinematic);
    it_->set_surface(*it_->bodies.at(number)->rigid, obstacle.friction);
    if (obstacle.kind == Obstacle::Kind::plane) it_->dynamics.note_plane(number);
    return number;
  }
  auto fixed = std::make_unique<Implementation::Fixed>();
  if (obstacle.kind != Obstacle::Kind::plane)
    fixed->object.setWorldTransform(btTransform(to_bullet(obstacle.orientation), it_->scaled(obstacle.centre)));
  fixed->object.setCollisionShape(shape.get());
  fixed->shape = std::move(shape);
  const BodyNumber number = -1 - static_cast<BodyNumber>(it_->fixed.size());
  fixed->object.setUserIndex(number);
  if (obstacle.kind == Obstacle::Kind::plane) it_->dynamics.note_plane(number);
  it_->set_surface(fixed->object, obstacle.friction);
  it_->dynamics.addCollisionObject(&fixed->object);
  it_->fixed.push_back(std::move(fixed));
  return number;
}

BodyNumber World::add_body(const BodyShape& shape, const Motion& motion, const BodyRole& role) {
  const PrincipalAxes axes = principal_axes(shape.inertia);
  if (!(shape.mass > 0) || !(axes.moments.minCoeff() > 0) || shape.hulls.empty())
    throw core::Error(
        fmt::format("A rigid body needs a hull and a positive mass and inertia; this one has {}, "
                    "mass {:g} kg and smallest moment {:g} kg m².",
                    core::counted(shape.hulls.size(), "hull"), shape.mass, axes.moments.minCoeff()));
  auto body = std::make_unique<WorldBody>();
  body->principal_to_rest = axes.to_rest;
  body->mass = shape.mass;
  body->moments = axes.moments;
  body->is_small = role.is_small;
  for (const auto& points : shape.hulls) {
    std::vector<btVector3> local;
    for (const Vec3& x : points) local.push_back(it_->scaled(axes.to_rest.conjugate() * (x - shape.centre)));
    body->collision.add(hull_shape(local, it_->parameters.has_tight_hulls));
  }
  it_->dynamics.note_piece(it_->next);
  return it_->add(std::move(body), motion, role.is_kinematic);
}

void World::remove_body(BodyNumber body) {
  it_->dynamics.removeRigidBody(it_->bodies.at(body)->rigid.get());
  it_->dynamics.forget_piece(body);
  it_->bodies.erase(body);
}

void World::move_to(BodyNumber number, const Motion& pose) {
  const auto& body = *it_->bodies.at(number);
  const btTransform to(to_bullet(pose.orientation * body.principal_to_rest), it_->scaled(pose.position));
  // Kinematic bodies at rest must not keep others awake.
  const bool moves = !(to == body.rigid->getWorldTransform());
  body.rigid->forceActivationState(moves ? DISABLE_DEACTIVATION : ISLAND_SLEEPING);
  if (moves) {
    body.rigid->setWorldTransform(to);
    return;
  }
  body.rigid->setInterpolationWorldTransform(to);
  body.rigid->setLinearVelocity(btVector3(0, 0, 0));
  body.rigid->setAngularVelocity(btVector3(0, 0, 0));
}

void World::release(BodyNumber number, const Motion& motion) {
  const auto& body = *it_->bodies.at(number);
  btRigidBody& rigid = *body.rigid;
  const double length = it_->parameters.length_m;
  it_->dynamics.removeRigidBody(&rigid);
  rigid.setCollisionFlags(rigid.getCollisionFlags() & ~btCollisionObject::CF_KINEMATIC_OBJECT);
  rigid.setMassProps(body.mass, to_bullet(body.moments / (length * length)));
  rigid.setLinearVelocity(it_->scaled(motion.velocity));
  rigid.setAngularVelocity(to_bullet(motion.angular_velocity));
  rigid.setCenterOfMassTransform(
      btTransform(to_bullet(motion.orientation * body.principal_to_rest), it_->scaled(motion.position)));
  rigid.forceActivationState(ACTIVE_TAG);
  it_->join(body);
}

bool World::is_awake(BodyNumber body) const {
  if (is_fixed(body)) return false;
  const btRigidBody& rigid = *it_->bodies.at(body)->rigid;
  return !rigid.isStaticOrKinematicObject() && rigid.isActive();
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

void World::step(double step_s) {
  const std::vector<Spin> before = it_->parameters.keeps_angular_momentum ? spins(it_->bodies) : std::vector<Spin>();
  it_->dynamics.stepSimulation(step_s, 0);
  conserve_angular_momentum(it_->dispatcher, before, step_s);
  if (it_->parameters.lifts_sunk_bodies) lift_sunk_bodies(it_->dispatcher, it_->bodies);
}

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
  // Bullet's cached contacts belong to the step that is undone.
  for (const auto& [number, body] : it_->bodies)
    it_->broadphase.getOverlappingPairCache()->cleanProxyFromPairs(body->rigid->getBroadphaseHandle(),
                                                                   &it_->dispatcher);
  for (const auto& [number, body] : it_->bodies) {
    const auto found = state.bodies.find(number);
    if (found == state.bodies.end()) continue;
    btRigidBody& rigid = *body->rigid;
    rigid.setLinearVelocity(found->second.velocity);
    rigid.setAngularVelocity(found->second.angular_velocity);
    rigid.setCenterOfMassTransform(found->second.transform);  // last: it rotates the inertia and copies the velocities
    rigid.clearForces();
    rigid.forceActivationState(found->second.activation);
    rigid.setDeactivationTime(found->second.resting_time);
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
        if (is_fixed(pair.first)) continue;
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

double World::deepest_overlap() const { return it_->parameters.length_m * it_->dynamics.deepest_overlap(); }

}  // namespace brisance::rigid
