/// Wraps Bullet behind plain values: scaled lengths, principal axes, one convex hull for each part.
#include "brisance/rigid/world.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"

#include "bullet_values.hpp"
#include "collision_shapes.hpp"
#include "forgiving_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <btBulletDynamicsCommon.h>
#include <spdlog/fmt/fmt.h>

namespace brisance::rigid {

namespace {

constexpr double kRestingSpeed = 0.05, kRestingSpin = 0.1;
constexpr double kSunk = 0.005;          ///< deeper bodies count as inside
constexpr double kLift = 0.2;            ///< share of the depth by which they are moved out in a step
constexpr double kMostTurn = 0.25;       ///< most rotation of a body in contact in a step [rad]
constexpr double kLeastFriction = 1e-6;  ///< bound on the root of the coefficient

void check(const Obstacle& o) {
  using Kind = Obstacle::Kind;
  const bool sized = o.kind == Kind::plane  ? o.size.norm() > 0
                     : o.kind == Kind::ball ? o.size.x() > 0
                                            : o.size.minCoeff() > 0;
  if (!sized || !o.size.allFinite() || !o.angular_velocity.allFinite() || !o.orientation.coeffs().allFinite() ||
      !o.centre.allFinite() || !o.velocity.allFinite())
    throw core::Error(
        "An obstacle needs finite numbers: a plane a normal that is not zero, a ball a radius above 0, a "
        "box edges above 0, as the box around a mesh has.");
  const auto count = static_cast<std::int32_t>(o.vertices.size());
  const auto exist = [&](const auto& triangle) {
    return std::all_of(triangle.begin(), triangle.end(), [&](std::int32_t v) { return v >= 0 && v < count; });
  };
  if (o.kind == Kind::mesh &&
      (count < 4 || o.triangles.size() < 4 ||
       !std::all_of(o.vertices.begin(), o.vertices.end(), [](const Vec3& x) { return x.allFinite(); }) ||
       !std::all_of(o.triangles.begin(), o.triangles.end(), exist)))
    throw core::Error(
        "A mesh obstacle needs a closed surface: four vertices and four triangles between them, or more.");
  if (!(o.mass >= 0) || !std::isfinite(o.mass) || (o.mass > 0 && (o.kind == Kind::plane || o.is_led)))
    throw core::Error(fmt::format(
        "The mass {:g} kg of an obstacle must not be negative, and planes and kinematic obstacles have none.", o.mass));
}

void check(const WorldParameters& p) {
  if (!(p.length_m > 0)) throw core::Error(fmt::format("length_m = {:g} must be above 0.", p.length_m));
  if (!(p.friction >= 0)) throw core::Error(fmt::format("friction = {:g} must not be negative.", p.friction));
  if (!(p.restitution >= 0 && p.restitution <= 1))
    throw core::Error(fmt::format("restitution = {:g} must be between 0 and 1.", p.restitution));
  if (p.iterations < 1) throw core::Error(fmt::format("iterations = {} must be 1 or more.", p.iterations));
  if (!(p.rolling_lever_m >= 0))
    throw core::Error(fmt::format("rolling_lever_m = {:g} must not be negative.", p.rolling_lever_m));
  if (!(p.parting_time_s >= 0))
    throw core::Error(fmt::format("parting_time_s = {:g} must not be negative.", p.parting_time_s));
  if (!(p.resting_speed_m_s >= 0))
    throw core::Error(fmt::format("resting_speed_m_s = {:g} must not be negative.", p.resting_speed_m_s));
}

}  // namespace

struct World::Implementation {
  struct Body {
    Collision collision;
    Eigen::Quaterniond principal_to_rest;
    std::unique_ptr<btRigidBody> rigid;
    double mass = 0;  ///< [kg]
    Vec3 moments;     ///< principal moments [kg m²]
    bool is_small = false;
  };
  struct Fixed {
    std::unique_ptr<btCollisionShape> shape;
    btCollisionObject object;
  };

  WorldParameters parameters;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  ForgivingDynamics dynamics{&dispatcher, &broadphase, &solver, &configuration};
  std::map<BodyNumber, std::unique_ptr<Body>> bodies;
  std::vector<std::unique_ptr<Fixed>> fixed;  ///< numbered −1 − index
  BodyNumber next = 0;

  explicit Implementation(const WorldParameters& p) : parameters(p) {
    dynamics.setGravity(scaled(p.gravity));
    // Overlap beyond the contact offset is corrected by position, without adding velocity.
    dynamics.getSolverInfo().m_splitImpulse = true;
    dynamics.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
    dynamics.getSolverInfo().m_erp2 = 0.1;
    dynamics.getSolverInfo().m_numIterations = p.iterations;
    dynamics.forgives_whole_bodies = p.forgives_whole_bodies;
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
    if (o.is_led) return std::make_unique<btStaticPlaneShape>(to_bullet(o.size.normalized()), 0);
    const Vec3 normal = (o.orientation * o.size).normalized();
    return std::make_unique<btStaticPlaneShape>(to_bullet(normal), normal.dot(o.centre) / parameters.length_m);
  }

  /// Adds a body whose shapes, mass and moments are set.
  BodyNumber add(std::unique_ptr<Body> body, const Motion& motion, bool is_led);
  void join(const Body& body);

  /// The rotation of a body before a step.
  struct Spin {
    Body* body;
    Mat3 axes;
    Eigen::Quaterniond orientation;  ///< of the principal axes
  };
  [[nodiscard]] std::vector<Spin> spins() const;
  void keep_angular_momentum(const std::vector<Spin>& before, double step_s);
  void lift_what_sank();

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

void World::Implementation::join(const Body& body) {
  if (!body.is_small) {
    dynamics.addRigidBody(body.rigid.get());
    return;
  }
  using Filter = btBroadphaseProxy;
  constexpr int kCrumb = Filter::DebrisFilter;
  dynamics.addRigidBody(body.rigid.get(), kCrumb, Filter::AllFilter & ~kCrumb);
}

BodyNumber World::Implementation::add(std::unique_ptr<Body> body, const Motion& motion, bool is_led) {
  const double length = parameters.length_m;
  // A single hull costs less than a compound of one, and keeps the bits of recorded playbacks along modes.
  const bool is_mesh = body->collision.parts.front()->getShapeType() == TRIANGLE_MESH_SHAPE_PROXYTYPE;
  btCollisionShape* const shape = (parameters.has_tight_hulls || is_mesh) && body->collision.parts.size() == 1
                                      ? body->collision.parts.front().get()
                                      : &body->collision.compound;
  const btRigidBody::btRigidBodyConstructionInfo info(is_led ? 0 : body->mass, nullptr, shape,
                                                      to_bullet(body->moments / (length * length)));
  body->rigid = std::make_unique<btRigidBody>(info);
  btRigidBody& rigid = *body->rigid;
  if (is_led) {
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

std::vector<World::Implementation::Spin> World::Implementation::spins() const {
  std::vector<Spin> list;
  for (const auto& [number, body] : bodies) {
    if (body->rigid->isStaticOrKinematicObject() || !body->rigid->isActive()) continue;
    const Eigen::Quaterniond q = from_bullet(body->rigid->getCenterOfMassTransform().getRotation()).normalized();
    list.push_back({body.get(), q.toRotationMatrix(), q});
  }
  return list;
}

/// Bullet keeps the angular velocity constant in a rotation, not the momentum L = A diag(I) Aᵀ ω. Bodies without
/// contact are rotated again with the velocity that L gives half-way, which conserves the energy to second order.
/// Bodies in contact keep their pose from the contact solver, gain no energy, and spin no faster than contacts can
/// follow.
void World::Implementation::keep_angular_momentum(const std::vector<Spin>& before, double step_s) {
  if (before.empty()) return;
  std::set<const btCollisionObject*> touching;
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
    for (int c = 0; c < manifold.getNumContacts(); ++c)
      if (const btManifoldPoint& p = manifold.getContactPoint(c); p.getDistance() <= 0 || p.getAppliedImpulse() != 0) {
        touching.insert(manifold.getBody0());
        touching.insert(manifold.getBody1());
      }
  }
  const auto turned = [](const Vec3& by, const Eigen::Quaterniond& start) {
    const double angle = by.norm();
    return angle == 0 ? start : (Eigen::Quaterniond(Eigen::AngleAxisd(angle, by / angle)) * start).normalized();
  };
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

/// Removes the velocity of the centre into the obstacle, and reduces that along it by friction.
void World::Implementation::lift_what_sank() {
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
    const btCollisionObject &a = *manifold.getBody0(), &b = *manifold.getBody1();
    if (a.isStaticOrKinematicObject() == b.isStaticOrKinematicObject()) continue;
    const btCollisionObject& obstacle = a.isStaticOrKinematicObject() ? a : b;
    const auto found = bodies.find((a.isStaticOrKinematicObject() ? b : a).getUserIndex());
    if (found == bodies.end() || !found->second->rigid->isActive()) continue;
    btRigidBody& body = *found->second->rigid;
    const btManifoldPoint* deepest = nullptr;
    for (int c = 0; c < manifold.getNumContacts(); ++c)
      if (const btManifoldPoint& p = manifold.getContactPoint(c); !deepest || p.getDistance() < deepest->getDistance())
        deepest = &p;
    if (!deepest || deepest->getDistance() > -kSunk) continue;
    const btVector3 out = &obstacle == &b ? deepest->m_normalWorldOnB : -deepest->m_normalWorldOnB;
    btTransform at = body.getCenterOfMassTransform();
    const btRigidBody* const led = btRigidBody::upcast(&obstacle);
    const btVector3 of_obstacle =
        led ? led->getVelocityInLocalPoint(at.getOrigin() - led->getCenterOfMassPosition()) : btVector3(0, 0, 0);
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

BodyNumber World::add_obstacle(const Obstacle& obstacle) {
  check(obstacle);
  std::unique_ptr<btCollisionShape> shape;
  const bool is_free_mesh = obstacle.kind == Obstacle::Kind::mesh && obstacle.mass > 0;
  if (!is_free_mesh) shape = it_->shape_of(obstacle);
  if (obstacle.mass > 0 || obstacle.is_led) {
    auto body = std::make_unique<Implementation::Body>();
    body->principal_to_rest.setIdentity();
    body->mass = obstacle.mass;
    body->moments = obstacle.is_led ? Vec3(Vec3::Zero()) : Vec3(body_shape(obstacle).inertia.diagonal());
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
    const BodyNumber number = it_->add(std::move(body), motion, obstacle.is_led);
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
  auto body = std::make_unique<Implementation::Body>();
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
  return it_->add(std::move(body), motion, role.is_led);
}

void World::remove_body(BodyNumber body) {
  it_->dynamics.removeRigidBody(it_->bodies.at(body)->rigid.get());
  it_->dynamics.forget_piece(body);
  it_->bodies.erase(body);
}

void World::lead(BodyNumber number, const Motion& pose) {
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
  const std::vector<Implementation::Spin> before =
      it_->parameters.keeps_angular_momentum ? it_->spins() : std::vector<Implementation::Spin>();
  it_->dynamics.stepSimulation(step_s, 0);
  it_->keep_angular_momentum(before, step_s);
  if (it_->parameters.lifts_what_sank) it_->lift_what_sank();
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
