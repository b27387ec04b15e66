/// Bullet behind plain values: scaled lengths, principal axes, one convex hull a part.
#include "brisance/rigid/world.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

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

/// Pieces that were one body overlap at birth: their hulls are not their shapes. That overlap is forgiven, hull by
/// hull, for as long as it lasts: they may not go deeper, but nothing pushes them apart.
class ForgivingDynamics : public btDiscreteDynamicsWorld {
public:
  using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;

  void note_piece(BodyNumber number) {
    pieces_.insert(number);
    newborn_.insert(number);
  }
  void forget_piece(BodyNumber number) {
    pieces_.erase(number);
    newborn_.erase(number);
  }
  [[nodiscard]] btScalar deepest_overlap() const { return deepest_; }

private:
  using HullPair = std::array<int, 4>;  ///< body, hull, body, hull

  [[nodiscard]] btScalar forgiven_before(const HullPair& pair, btScalar depth) const {
    if (newborn_.count(pair[0]) + newborn_.count(pair[2]) > 0) return depth;
    const auto found = forgiven_.find(pair);
    return found == forgiven_.end() ? 0 : found->second;
  }

  void solveConstraints(btContactSolverInfo& info) override {
    struct Contact {
      HullPair pair;
      btManifoldPoint* point;
    };
    std::vector<Contact> contacts;
    std::map<HullPair, btScalar> depth;
    deepest_ = 0;
    for (int m = 0; m < getDispatcher()->getNumManifolds(); ++m) {
      btPersistentManifold& manifold = *getDispatcher()->getManifoldByIndexInternal(m);
      const int a = manifold.getBody0()->getUserIndex(), b = manifold.getBody1()->getUserIndex();
      for (int c = 0; c < manifold.getNumContacts(); ++c) {
        btManifoldPoint& point = manifold.getContactPoint(c);
        deepest_ = std::max(deepest_, -point.getDistance());
        if (point.getDistance() >= 0 || pieces_.count(a) + pieces_.count(b) < 2) continue;
        contacts.push_back({{a, point.m_index0, b, point.m_index1}, &point});
        btScalar& deepest = depth[contacts.back().pair];
        deepest = std::max(deepest, -point.getDistance());
      }
    }
    for (auto& [pair, forgiven] : depth) forgiven = std::min(forgiven, forgiven_before(pair, forgiven));
    for (const Contact& contact : contacts)
      contact.point->setDistance(std::min(contact.point->getDistance() + depth[contact.pair], btScalar(0)));
    forgiven_ = std::move(depth);
    newborn_.clear();
    btDiscreteDynamicsWorld::solveConstraints(info);
  }

  std::set<BodyNumber> pieces_, newborn_;
  std::map<HullPair, btScalar> forgiven_;
  btScalar deepest_ = 0;
};

/// Shapes of one body, which Bullet does not own.
struct Collision {
  btCompoundShape compound;
  std::vector<std::unique_ptr<btCollisionShape>> parts;

  void add(std::unique_ptr<btCollisionShape> part) {
    compound.addChildShape(btTransform::getIdentity(), part.get());
    parts.push_back(std::move(part));
  }
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

void check(const Obstacle& o) {
  using Kind = Obstacle::Kind;
  const bool sized = o.kind == Kind::plane  ? o.size.norm() > 0
                     : o.kind == Kind::ball ? o.size.x() > 0
                                            : o.size.minCoeff() > 0;
  if (!sized || !o.size.allFinite() || !o.centre.allFinite() || !o.velocity.allFinite())
    throw core::Error(
        "An obstacle needs finite numbers: a plane a normal that is not zero, a ball a radius above 0, a "
        "box edges above 0.");
  if (!(o.mass >= 0) || !std::isfinite(o.mass) || (o.mass > 0 && o.kind == Kind::plane))
    throw core::Error(
        fmt::format("The mass {:g} kg of an obstacle must not be negative, and a plane has none.", o.mass));
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
  std::vector<std::unique_ptr<Fixed>> fixed;  ///< number −1 − index
  BodyNumber next = 0;

  explicit Implementation(const WorldParameters& p) : parameters(p) {
    dynamics.setGravity(scaled(p.gravity));
    // What overlaps more than is forgiven is pushed apart by position, without giving it speed.
    dynamics.getSolverInfo().m_splitImpulse = true;
    dynamics.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
    dynamics.getSolverInfo().m_erp2 = 0.1;
  }
  ~Implementation() {
    for (auto& [number, body] : bodies) dynamics.removeRigidBody(body->rigid.get());
    for (auto& obstacle : fixed) dynamics.removeCollisionObject(&obstacle->object);
  }

  /// A plane's shape holds its place, the others stand at the origin.
  [[nodiscard]] std::unique_ptr<btCollisionShape> shape_of(const Obstacle& o) const {
    if (o.kind == Obstacle::Kind::ball) return std::make_unique<btSphereShape>(o.size.x() / parameters.length_m);
    if (o.kind == Obstacle::Kind::box) return std::make_unique<btBoxShape>(scaled(o.size / 2));
    const Vec3 normal = o.size.normalized();
    return std::make_unique<btStaticPlaneShape>(to_bullet(normal), normal.dot(o.centre) / parameters.length_m);
  }

  /// Takes over a body whose shapes are there.
  BodyNumber add(std::unique_ptr<Body> body, double mass, const Vec3& moments, const Motion& motion);

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

BodyNumber World::Implementation::add(std::unique_ptr<Body> body, double mass, const Vec3& moments,
                                      const Motion& motion) {
  const double length = parameters.length_m;
  const btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &body->collision.compound,
                                                      to_bullet(moments / (length * length)));
  body->rigid = std::make_unique<btRigidBody>(info);
  btRigidBody& rigid = *body->rigid;
  rigid.setLinearVelocity(scaled(motion.velocity));
  rigid.setAngularVelocity(to_bullet(motion.angular_velocity));
  rigid.setCenterOfMassTransform(
      btTransform(to_bullet(motion.orientation * body->principal_to_rest), scaled(motion.position)));
  rigid.setSleepingThresholds(kRestingSpeed, kRestingSpin);
  rigid.setUserIndex(next);
  set_surface(rigid);
  dynamics.addRigidBody(&rigid);
  bodies.emplace(next, std::move(body));
  return next++;
}

BodyNumber World::add_obstacle(const Obstacle& obstacle) {
  check(obstacle);
  std::unique_ptr<btCollisionShape> shape = it_->shape_of(obstacle);
  if (obstacle.mass > 0) {
    auto body = std::make_unique<Implementation::Body>();
    body->principal_to_rest.setIdentity();
    body->collision.add(std::move(shape));
    Motion motion;
    motion.position = obstacle.centre;
    motion.velocity = obstacle.velocity;
    return it_->add(std::move(body), obstacle.mass, body_shape(obstacle).inertia.diagonal(), motion);
  }
  auto fixed = std::make_unique<Implementation::Fixed>();
  if (obstacle.kind != Obstacle::Kind::plane)
    fixed->object.setWorldTransform(btTransform(btQuaternion::getIdentity(), it_->scaled(obstacle.centre)));
  fixed->object.setCollisionShape(shape.get());
  fixed->shape = std::move(shape);
  const BodyNumber number = -1 - static_cast<BodyNumber>(it_->fixed.size());
  fixed->object.setUserIndex(number);
  it_->set_surface(fixed->object);
  it_->dynamics.addCollisionObject(&fixed->object);
  it_->fixed.push_back(std::move(fixed));
  return number;
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
    body->collision.add(hull_shape(local));
  }
  it_->dynamics.note_piece(it_->next);
  return it_->add(std::move(body), shape.mass, axes.moments, motion);
}

void World::remove_body(BodyNumber body) {
  it_->dynamics.removeRigidBody(it_->bodies.at(body)->rigid.get());
  it_->dynamics.forget_piece(body);
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
