// The bodies of a scene: checks, placement, motion, checkpoints.
#include "brisance/contact/rigid/prescribed_path.hpp"
#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/contact/shapes/shape_kinds.hpp"
#include "brisance/core/error.hpp"

#include "rigid_body.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace brisance::contact {
namespace {

constexpr std::size_t kNumbersPerBody = 19, kOtherNumbers = 5;

void append(const BodyState& s, std::vector<double>& numbers) {
  for (const Vec3& v : {s.position, s.velocity, s.angular_velocity, s.angular_momentum})
    numbers.insert(numbers.end(), v.begin(), v.end());
  const auto& q = s.orientation;
  numbers.insert(numbers.end(), {q.w(), q.x(), q.y(), q.z()});
  numbers.insert(numbers.end(), {s.contact_mass, s.contact_stiffness, s.contact_damping});
}

/// State of a body from kNumbersPerBody numbers.
BodyState body_state(const double* n) {
  BodyState s;
  Vec3* const vectors[] = {&s.position, &s.velocity, &s.angular_velocity, &s.angular_momentum};
  for (Vec3* v : vectors) {
    *v = Vec3(n[0], n[1], n[2]);
    n += 3;
  }
  s.orientation = Eigen::Quaterniond(n[0], n[1], n[2], n[3]);
  s.contact_mass = n[4];
  s.contact_stiffness = n[5];
  s.contact_damping = n[6];
  return s;
}

/// A mesh belongs to the scene, not to the state; two numbers identify it in a checkpoint.
void append_digest(const RigidShape& shape, std::vector<double>& numbers) {
  const std::optional<std::uint64_t> digest = shape.digest();
  if (!digest) return;
  numbers.push_back(static_cast<double>(*digest >> 32));
  numbers.push_back(static_cast<double>(*digest & 0xffffffffU));
}

[[noreturn]] void refuse(const ColliderParameters& body, const std::string& what) {
  throw core::Error(fmt::format("collider \"{}\": {}", body.name, what));
}

void require_positive(const ColliderParameters& body, const char* key, double value) {
  if (!(value > 0) || !std::isfinite(value)) refuse(body, fmt::format("{} = {} must be positive.", key, value));
}

void require_not_negative(const ColliderParameters& body, const char* key, double value) {
  if (!(value >= 0) || !std::isfinite(value)) refuse(body, fmt::format("{} = {} must be 0 or more.", key, value));
}

void require_rotation(const ColliderParameters& body, const Eigen::Quaterniond& orientation) {
  const double norm = orientation.norm();
  if (!(norm > 0) || !std::isfinite(norm)) refuse(body, "orientation must be a quaternion other than 0.");
}

void check_shape(const ColliderParameters& body) {
  if (!body.position.allFinite()) refuse(body, "position must be finite.");
  require_rotation(body, body.orientation);
  if (const auto fault = shape_kind(body.shape).fault(body)) refuse(body, fault->text);
}

/// The parameters with the mass from the density.
ColliderParameters completed(ColliderParameters body) {
  if (body.motion == ColliderMotion::free && body.mass_kg == 0)
    body.mass_kg = body.density_kg_m3 * make_shape(body)->volume();
  return body;
}

void check_motion(const ColliderParameters& body) {
  if (body.motion == ColliderMotion::free) {
    require_not_negative(body, "density_kg_m3", body.density_kg_m3);
    require_positive(body, "mass_kg", completed(body).mass_kg);
    if (!body.velocity.allFinite() || !body.angular_velocity.allFinite())
      refuse(body, "its velocities must be finite.");
  }
  if (body.motion != ColliderMotion::path) return;
  if (body.path.empty()) refuse(body, "a prescribed path needs at least one key frame.");
  for (const KeyFrame& frame : body.path) {
    if (!std::isfinite(frame.time_s) || !frame.position.allFinite()) refuse(body, "key frames must be finite.");
    require_rotation(body, frame.orientation);
  }
  for (std::size_t i = 1; i < body.path.size(); ++i)
    if (!(body.path[i].time_s > body.path[i - 1].time_s))
      refuse(body, fmt::format("key frame {} at {} s must come later than the one before it, at {} s.", i + 1,
                               body.path[i].time_s, body.path[i - 1].time_s));
}

void check_law(const ColliderParameters& body) {
  require_positive(body, "stiffness_scale", body.stiffness_scale);
  require_not_negative(body, "stiffness_n_per_m", body.stiffness_n_per_m);
  require_not_negative(body, "damping_ratio", body.damping_ratio);
  require_not_negative(body, "friction", body.friction);
}

/// What the state of a body follows from.
struct Body {
  const ColliderParameters& parameters;
  const RigidShape& shape;
  const MassProperties& mass;
};

/// In a scene, position and motion of a mesh are those of its file's origin; the state is about the centre of mass.
BodyState about_centre(const RigidShape& shape, BodyState state) {
  if (shape.centre_in_scene().isZero(0)) return state;
  const Vec3 arm = state.orientation * shape.centre_in_scene();
  state.position += arm;
  state.velocity += state.angular_velocity.cross(arm);
  return state;
}

BodyState led_state(const Body& body, double time_s) {
  return about_centre(body.shape, state_on_path(body.parameters.path, time_s));
}

BodyState placed_state(const Body& body) {
  BodyState state;
  state.position = body.parameters.position;
  state.orientation = body.parameters.orientation.normalized();
  return about_centre(body.shape, state);
}

BodyState initial_state(const Body& body, double time_s) {
  const ColliderParameters& parameters = body.parameters;
  if (parameters.motion == ColliderMotion::path) return led_state(body, time_s);
  BodyState state = placed_state(body);
  if (parameters.motion == ColliderMotion::free) {
    state.velocity = parameters.velocity;
    state.angular_velocity = parameters.angular_velocity;
    state.angular_momentum = angular_momentum(body.mass.inertia, state.orientation, state.angular_velocity);
  }
  return state;
}

/// State of a body whose parameters were `before` and are now those of `body`.
BodyState changed(const ColliderParameters& before, const Body& body, BodyState state, double time_s) {
  const ColliderParameters& now = body.parameters;
  if (now.motion == ColliderMotion::path) return led_state(body, time_s);
  if (now.position != before.position) state.position = placed_state(body).position;
  if (now.orientation != before.orientation) state.orientation = now.orientation.normalized();
  if (now.motion == ColliderMotion::free) {
    if (now.velocity != before.velocity) state.velocity = now.velocity;
    if (now.angular_velocity != before.angular_velocity) state.angular_velocity = now.angular_velocity;
    state.angular_momentum = angular_momentum(body.mass.inertia, state.orientation, state.angular_velocity);
  } else {
    state.velocity = state.angular_velocity = state.angular_momentum = Vec3::Zero();
  }
  return state;
}

}  // namespace

RigidColliders::RigidColliders(std::vector<ColliderParameters> parameters, double time_s)
    : parameters_(std::move(parameters)) {
  for (ColliderParameters& body : parameters_) {
    check_shape(body);
    check_motion(body);
    check_law(body);
    body = completed(std::move(body));
    const PlacedShape& placed = shapes_.emplace_back(PlacedShape{{}, make_shape(body)});
    mass_properties_.push_back(mass_properties(body, *placed.shape));
    states_.push_back(initial_state({body, *placed.shape, mass_properties_.back()}, time_s));
    has_free_body_ = has_free_body_ || body.motion == ColliderMotion::free;
  }
  reactions_.resize(size());
  surface_.resize(size());
  place();
}

void RigidColliders::place() {
  half_spaces_.clear();
  bounds_.clear();
  largest_body_speed_ = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    PlacedShape& shape = shapes_[i];
    shape.centre = states_[i].position;
    shape.axes = states_[i].orientation.toRotationMatrix();
    double turning = 0;
    if (const std::optional<HalfSpace> half_space = shape.shape->half_space(shape)) {
      const Vec3& n = half_space->normal;
      // Rounding must not hide a node that touches: lift the bounding plane by a part in 10^12.
      half_spaces_.push_back({n.x(), n.y(), n.z(), half_space->offset + 1e-12 * shape.centre.cwiseAbs().sum()});
    } else {
      bounds_.push_back(bounds(shape));
      turning = states_[i].angular_velocity.norm() * reach(shape);
    }
    largest_body_speed_ = std::max(largest_body_speed_, states_[i].velocity.norm() + turning);
  }
}

void RigidColliders::advance(const core::Comm& comm, double time_s, double dt_s, const Vec3& gravity) {
  std::vector<core::ExactSum> sums;
  for (std::size_t i = 0; i < size(); ++i) {
    if (parameters_[i].motion != ColliderMotion::free) continue;
    const auto first = sums.insert(sums.end(), reactions_[i].sums.begin(), reactions_[i].sums.end());
    if (!pushes_.empty())
      for (std::size_t k = 0; k < pushes_[i].size(); ++k) (first + static_cast<std::ptrdiff_t>(k))->add(pushes_[i][k]);
  }
  if (!sums.empty()) core::ExactSum::reduce(comm, sums);

  between_bodies_.press(view(), dt_s, gravity);
  before_ = states_;
  std::size_t next = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (parameters_[i].motion == ColliderMotion::path)
      states_[i] = led_state({parameters_[i], *shapes_[i].shape, mass_properties_[i]}, time_s);
    if (parameters_[i].motion != ColliderMotion::free) continue;
    const auto total = [&](int k) { return sums[next + static_cast<std::size_t>(k)].value(); };
    const auto vector = [&](int k) { return Vec3(total(k), total(k + 1), total(k + 2)); };
    BodyState& state = states_[i];
    Vec3 torque = vector(Reaction::kTorque);
    const Vec3 force = vector(Reaction::kForce) + between_bodies_.force_on(i, state.position, torque);
    step_free_body(mass_properties_[i], {force, torque, vector(Reaction::kLateForce), vector(Reaction::kLateTorque)},
                   gravity, dt_s, state);
    state.contact_mass = total(Reaction::kMass);
    state.contact_stiffness = total(Reaction::kStiffness);
    state.contact_damping = total(Reaction::kDamping);
    next += Reaction::kSums;
  }
  between_bodies_.add_work(view(), before_, dt_s);
  move_short_contacts();
  place();
  between_bodies_.find(view());
}

double kinetic_energy(const RigidColliders& colliders, std::size_t body) {
  if (colliders.parameters(body).motion != ColliderMotion::free) return 0;
  const BodyState& state = colliders.states()[body];
  return 0.5 * colliders.parameters(body).mass_kg * state.velocity.squaredNorm() +
         0.5 * state.angular_momentum.dot(state.angular_velocity);
}

double RigidColliders::kinetic_energy_shifted(std::size_t body, double steps) const {
  if (parameters_[body].motion != ColliderMotion::free || before_.empty()) return kinetic_energy(*this, body);
  const BodyState &now = states_[body], &before = before_[body];
  const Vec3 velocity = now.velocity + steps * (now.velocity - before.velocity);
  const Vec3 momentum = now.angular_momentum + steps * (now.angular_momentum - before.angular_momentum);
  const Vec3 turning = angular_velocity(mass_properties_[body].inertia, now.orientation, momentum);
  return 0.5 * parameters_[body].mass_kg * velocity.squaredNorm() + 0.5 * momentum.dot(turning);
}

std::vector<double> RigidColliders::save() const {
  std::vector<double> numbers;
  for (const BodyState& s : states_) append(s, numbers);
  for (const BodyState& s : before_.empty() ? states_ : before_) append(s, numbers);
  const BodyContacts::Account& account = between_bodies_.account();
  numbers.insert(numbers.end(),
                 {account.wave_frequency, account.loss, account.supply, account.last_loss, account.last_supply});
  for (const PlacedShape& body : shapes_) append_digest(*body.shape, numbers);
  return numbers;
}

void RigidColliders::restore(std::span<const double> numbers) {
  std::vector<double> digests;
  for (const PlacedShape& body : shapes_) append_digest(*body.shape, digests);
  const std::size_t described = 2 * size() * kNumbersPerBody + kOtherNumbers, expected = described + digests.size();
  if (numbers.size() != expected)
    throw core::Error(
        fmt::format("checkpoint: rigid bodies: {} numbers where {} colliders need {}. Restart with the "
                    "scene the checkpoint was written by.",
                    numbers.size(), size(), expected));
  if (!std::equal(digests.begin(), digests.end(), numbers.begin() + static_cast<std::ptrdiff_t>(described)))
    throw core::Error(
        "checkpoint: rigid bodies: the file of a mesh collider has changed since the run was begun. Put back "
        "the one the checkpoint was written with, or start anew.");
  before_.resize(size());
  for (std::size_t i = 0; i < size(); ++i) {
    states_[i] = body_state(numbers.data() + i * kNumbersPerBody);
    before_[i] = body_state(numbers.data() + (size() + i) * kNumbersPerBody);
  }
  const double* others = numbers.data() + described - kOtherNumbers;
  between_bodies_.set_account({others[0], others[1], others[2], others[3], others[4]});
  place();
  between_bodies_.find(view());
}

void RigidColliders::change_from(std::span<const ColliderParameters> before, double time_s) {
  for (std::size_t i = 0; i < size(); ++i) {
    ColliderParameters then = before[i];
    then.mesh = parameters_[i].mesh;  // the same file, which restore has checked
    then = completed(std::move(then));
    const Body body{parameters_[i], *shapes_[i].shape, mass_properties_[i]};
    if (parameters_[i] != then) before_[i] = states_[i] = changed(then, body, states_[i], time_s);
  }
  place();
  between_bodies_.find(view());
}

}  // namespace brisance::contact
