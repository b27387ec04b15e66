#include "brisance/contact/forces/edge_contact.hpp"

#include "brisance/dist/division.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "contact/array_vec.hpp"
#include "contact/rigid/penalty_law.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace brisance::contact {

namespace {

/// Depth that motion can explain, in motions into the body in a step (contact_spring.cpp).
constexpr double kExplainedApproaches = 1.5;

/// Passages of a pressure wave through an edge in which an offset decays to 1/e: so slowly that it throws nothing up.
constexpr double kPassagesOfOffset = 300;

/// Sorts by slot in one pass, then the few of a slot by `key_of`; those with equal keys keep their order.
template <class T, class KeyOf>
void sort_by_slot(std::vector<T>& list, const KeyOf& key_of) {
  std::int32_t last = -1;
  for (const T& entry : list) last = std::max(last, entry.slot);
  std::vector<std::uint32_t> next(static_cast<std::size_t>(last + 1) + 1, 0);
  for (const T& entry : list) ++next[static_cast<std::size_t>(entry.slot) + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<T> sorted(list.size());
  for (const T& entry : list) sorted[next[static_cast<std::size_t>(entry.slot)]++] = entry;
  std::size_t first = 0;  // next[slot] is now the end of the slot's entries
  for (std::size_t slot = 0; slot + 1 < next.size(); ++slot) {
    std::ranges::stable_sort(std::span(sorted).subspan(first, next[slot] - first), {}, key_of);
    first = next[slot];
  }
  list = std::move(sorted);
}

}  // namespace

void EdgeContact::bring_up_to_date(const dist::Mesh& mesh) {
  if (!is_stale_) return;
  is_stale_ = false;
  has_old_states_ = true;
  points_.clear();
  const auto& divisions = mesh.field(dist::kDivision);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement element(i);
    if (!mesh.is_held(element) || divisions[element].partition.is_whole()) continue;
    const elements::Partition& partition = divisions[element].partition;
    for (int edge = 0; edge < 6; ++edge) {
      const auto& ends = elements::kTetEdges[static_cast<std::size_t>(edge)];
      const auto is_in = [&](int v) {
        return partition.block[static_cast<std::size_t>(v)] == divisions[element].block;
      };
      if (!partition.separates(edge) || (!is_in(ends[0]) && !is_in(ends[1]))) continue;
      const double t = partition.cut_at[static_cast<std::size_t>(edge)];
      const LocalNode a = mesh.corner(element, ends[0]), b = mesh.corner(element, ends[1]);
      const bool in_order = mesh.node_id[a] < mesh.node_id[b];
      const LocalNode low = in_order ? a : b, high = in_order ? b : a;
      if (mesh.is_owned(low))
        points_.push_back({.slot = low.value,
                           .other_slot = high.value,
                           .id = mesh.node_id[low].value,
                           .other = mesh.node_id[high].value,
                           .weight = in_order ? 1 - t : t,
                           .other_weight = in_order ? t : 1 - t,
                           .mass = 0});
    }
  }
  sort_by_slot(points_, [](const Point& point) { return point.other; });
  const auto is_same = [](const Point& a, const Point& b) { return a.slot == b.slot && a.other == b.other; };
  points_.erase(std::unique(points_.begin(), points_.end(), is_same), points_.end());
  share_masses(mesh);
}

// Weights of points go to the owners of their nodes and are summed in the order of ids; masses come back as ghosts'.
void EdgeContact::share_masses(const dist::Mesh& mesh) {
  parts_.clear();
  for (const Point& point : points_) {
    parts_.push_back({point.slot, point.id, point.other, {point.weight, 0, 0}});
    parts_.push_back({point.other_slot, point.id, point.other, {point.other_weight, 0, 0}});
  }
  add_up(mesh);
  std::vector<double> share(mesh.node_id.size(), 0);
  for (const ContactForce& sum : forces_)
    share[static_cast<std::size_t>(sum.slot)] = mesh.mass[LocalNode(sum.slot)] / std::max(1.0, sum.force.x());
  mesh.halo().update_ghosts(std::span(share));
  for (Point& point : points_)
    point.mass =
        std::min(share[static_cast<std::size_t>(point.slot)], share[static_cast<std::size_t>(point.other_slot)]);
  forces_.clear();
}

/// Sums the parts by node, in the same order on any number of ranks. Collective.
void EdgeContact::add_up(const dist::Mesh& mesh) {
  if (mesh.comm().size() > 1) {
    std::map<int, std::vector<Part>> outgoing;
    std::erase_if(parts_, [&](Part part) {
      if (mesh.is_owned(LocalNode(part.slot))) return false;
      const dist::GhostLink link = mesh.link_of(LocalNode(part.slot));
      part.slot = link.remote_slot.value;
      outgoing[link.owner].push_back(part);
      return true;
    });
    for (const auto& [rank, received] : la::exchange_arrays(mesh.comm(), outgoing))
      parts_.insert(parts_.end(), received.begin(), received.end());
  }
  // Stable: a point in two bodies has two parts at a node, both of one rank, in the order of bodies.
  sort_by_slot(parts_, [](const Part& part) { return std::pair(part.id, part.other); });
  forces_.clear();
  for (const Part& part : parts_) {
    if (forces_.empty() || forces_.back().slot != part.slot) forces_.push_back({part.slot, Vec3::Zero()});
    forces_.back().force += vec(part.force);
  }
}

Vec3 EdgeContact::position(const dist::Mesh& mesh, const Point& point) const {
  return point.weight * Vec3(mesh.motion[LocalNode(point.slot)].position) +
         point.other_weight * Vec3(mesh.motion[LocalNode(point.other_slot)].position);
}

Vec3 EdgeContact::velocity(const dist::Mesh& mesh, const Point& point) const {
  return point.weight * Vec3(mesh.motion[LocalNode(point.slot)].velocity) +
         point.other_weight * Vec3(mesh.motion[LocalNode(point.other_slot)].velocity);
}

void EdgeContact::find_touches(const dist::Mesh& mesh, const RigidColliders& colliders, std::int32_t point,
                               std::vector<Touch>& touches) const {
  touches.clear();
  const Vec3 at = position(mesh, points_[static_cast<std::size_t>(point)]);
  for (std::size_t body = 0; body < colliders.size(); ++body)
    if (const auto surface = colliders.surface_near(body, at, 0); surface && surface->distance < 0)
      touches.push_back({point, body, at, surface->normal, -surface->distance});
}

double EdgeContact::offset(const dist::Mesh& mesh, const RigidColliders& colliders, const Point& point,
                           std::span<const Touch> touches, double last_dt_s) const {
  const Touch& deepest = *std::ranges::max_element(touches, {}, &Touch::depth_m);
  const EdgePointState* state = mesh.field(kEdgePoints)[LocalNode(point.slot)].find(GlobalNode(point.other));
  if (state != nullptr && state->collider_offset_m >= 0) return std::min(state->collider_offset_m, deepest.depth_m);
  const Vec3 relative = velocity(mesh, point) - velocity_of(colliders, deepest.body, deepest.at);
  const double approach_m = -relative.dot(deepest.normal) * last_dt_s;
  return std::max(0.0, deepest.depth_m - kExplainedApproaches * std::max(0.0, approach_m));
}

// All ranks know of all cuts, so that states are forgotten in the same step whichever rank has them.
void EdgeContact::forget_old_states(dist::Mesh& mesh) {
  if (!has_old_states_) return;
  has_old_states_ = false;
  auto& field = mesh.field(kEdgePoints);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n) || field[n].is_empty()) continue;
    for (EdgePointState& state : field[n].state)
      if (!std::ranges::binary_search(points_, std::pair(i, state.other.value), {},
                                      [](const Point& point) { return std::pair(point.slot, point.other); }))
        state.collider_offset_m = EdgePointState().collider_offset_m;
    field[n].drop_idle();
  }
}

void EdgeContact::find_for_step(dist::Mesh& mesh, RigidColliders& colliders, const EdgeStep& step) {
  bring_up_to_date(mesh);
  forget_old_states(mesh);
  contacts_.clear();
  parts_.clear();
  auto& states = mesh.field(kEdgePoints);
  std::vector<Touch> touches;
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const Point& point = points_[p];
    EdgePointStates& of_node = states[LocalNode(point.slot)];
    find_touches(mesh, colliders, static_cast<std::int32_t>(p), touches);
    if (touches.empty()) {
      if (of_node.find(GlobalNode(point.other)) == nullptr) continue;
      of_node.take(GlobalNode(point.other))->collider_offset_m = EdgePointState().collider_offset_m;
      of_node.drop_idle();
      continue;
    }
    const double offset_m = offset(mesh, colliders, point, touches, step.last_dt_s);
    EdgePointState* state = of_node.take(GlobalNode(point.other));
    if (state == nullptr) continue;  // no room
    const double passages = step.dt_s * step.wave_frequency[static_cast<std::size_t>(point.slot)];
    state->collider_offset_m = offset_m * std::max(0.0, 1 - passages / kPassagesOfOffset);
    for (const Touch& touch : touches) press(mesh, colliders, step, touch, offset_m);
  }
  add_up(mesh);
}

void EdgeContact::press(const dist::Mesh& mesh, RigidColliders& colliders, const EdgeStep& step, const Touch& touch,
                        double offset_m) {
  const double depth_m = touch.depth_m - offset_m;
  if (!(depth_m > 0)) return;
  const Point& point = points_[static_cast<std::size_t>(touch.point)];
  const ColliderParameters& law = colliders.parameters(touch.body);
  const BodyState& body = colliders.states()[touch.body];
  const PenaltySpring spring =
      penalty_spring(law, point.mass, step.wave_frequency[static_cast<std::size_t>(point.slot)]);
  Contact contact{.body = touch.body,
                  .force = Vec3::Zero(),
                  .arm = touch.at - body.position,
                  .body_velocity = velocity_of(colliders, touch.body, touch.at)};
  const Vec3 relative = velocity(mesh, point) - contact.body_velocity;
  const Vec3 falls = law.motion == ColliderMotion::free ? Vec3(Vec3::Zero()) : step.gravity;
  const PenaltyForce pair = penalty_force(
      spring, law.friction, {depth_m, touch.normal, relative, relative + step.dt_s * falls, point.mass / step.dt_s});
  contact.force = pair.spring + pair.dissipative;
  colliders.push(touch.body, -contact.force, Vec3::Zero(), touch.at);
  parts_.push_back({point.slot, point.id, point.other, numbers(point.weight * contact.force)});
  parts_.push_back({point.other_slot, point.id, point.other, numbers(point.other_weight * contact.force)});
  contacts_.push_back(contact);
}

EdgeContact::Work EdgeContact::work(const RigidColliders& colliders, double dt_s) const {
  Work work;
  for (const Contact& contact : contacts_) {
    const BodyState& body = colliders.states()[contact.body];
    const Vec3 mean = 0.5 * (contact.body_velocity + body.velocity + body.angular_velocity.cross(contact.arm));
    const double on_body = -dt_s * contact.force.dot(mean);
    work.on_bodies.add(on_body);
    if (colliders.parameters(contact.body).motion == ColliderMotion::path) work.supplied.add(-on_body);
  }
  return work;
}

core::ExactSum EdgeContact::stored(const dist::Mesh& mesh, const RigidColliders& colliders, const EdgeStep& step) {
  bring_up_to_date(mesh);
  core::ExactSum sum;
  std::vector<Touch> touches;
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const Point& point = points_[p];
    find_touches(mesh, colliders, static_cast<std::int32_t>(p), touches);
    if (touches.empty()) continue;
    const double offset_m = offset(mesh, colliders, point, touches, step.last_dt_s);
    for (const Touch& touch : touches) {
      const double depth_m = touch.depth_m - offset_m;
      if (!(depth_m > 0)) continue;
      const PenaltySpring spring = penalty_spring(colliders.parameters(touch.body), point.mass,
                                                  step.wave_frequency[static_cast<std::size_t>(point.slot)]);
      sum.add(0.5 * spring.stiffness * depth_m * depth_m);
    }
  }
  return sum;
}

}  // namespace brisance::contact
