// Tets of a body that are near each other, and the frames that follow them. What is far apart in a body moves
// otherwise, and bodies move far against each other, while near tets of one body stay together: in its cluster's frame
// a tet moves little. All of this only spares looks: whether a pair presses follows from positions alone.
#include "brisance/contact/deformable_contact.hpp"

#include "deformable_tets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace brisance::contact {

namespace {

/// Two clusters look for candidates at least this far, as a share of their tets' boxes.
constexpr double kLeastReach = 0.1;

bool meet(const std::optional<Box>& a, const std::optional<Box>& b, double reach) {
  return a && b && meet(*a, *b, reach);
}

}  // namespace

std::int32_t DeformableContact::number_of_cluster(std::int64_t id, std::int64_t body) {
  const auto next = static_cast<std::int32_t>(clusters_.size());
  const auto [entry, is_new] = number_of_cluster_.try_emplace(id, next);
  if (is_new) {
    clusters_.push_back(std::make_unique<Cluster>());
    clusters_.back()->body = body;
    for (std::int32_t a = 0; a <= next; ++a) cluster_pairs_.push_back({.a = a, .b = next});
  }
  return entry->second;
}

std::int32_t DeformableContact::pair_of(std::int32_t a, std::int32_t b) const {
  const std::int32_t low = std::min(a, b), high = std::max(a, b);
  return high * (high + 1) / 2 + low;
}

void DeformableContact::follow_nodes(std::span<const dist::NodeMotion> motion) {
  for (const auto& cluster : clusters_) cluster->begin_step();
  for (std::size_t slot = 0; slot < num_tets_at_.size(); ++slot) {
    if (num_tets_at_[slot] == 0) continue;
    Cluster& cluster = *clusters_[static_cast<std::size_t>(cluster_at_[slot])];
    const Vec3 now = Vec3(motion[slot].position);
    NodePath& path = paths_[slot];
    path.moved = now - path.position;
    path.position = now;
    cluster.moved += path.moved;
    ++cluster.num_nodes;
  }
  for (std::size_t i = 0; i < tets_.size(); ++i) {
    if (!is_held(i)) continue;
    Cluster& cluster = cluster_of(static_cast<std::int32_t>(i));
    Vec3 place = Vec3::Zero(), moved = Vec3::Zero();
    for (const std::int32_t slot : corners_[i]) {
      place += paths_[static_cast<std::size_t>(slot)].position;
      moved += paths_[static_cast<std::size_t>(slot)].moved;
    }
    moved *= 0.25;
    double travel = 0, bent = 0;
    for (const std::int32_t slot : corners_[i]) {
      travel = std::max(travel, (paths_[static_cast<std::size_t>(slot)].moved - cluster.drift).squaredNorm());
      bent = std::max(bent, (paths_[static_cast<std::size_t>(slot)].moved - moved).squaredNorm());
    }
    middles_[i].at = 0.25 * place;
    middles_[i].bent += std::sqrt(bent);
    travel = std::sqrt(travel);
    travelled_[i] += travel;
    cluster.held_travel = std::max(cluster.held_travel, travel);
  }
  for (const auto& cluster : clusters_) cluster->follow_its_nodes();
}

double DeformableContact::travel_of(std::int32_t number) const {
  const auto i = static_cast<std::size_t>(number);
  const Cluster& cluster = cluster_of(number);
  if (!is_held(i)) return cluster.guest_travel;
  double most = 0;
  for (const std::int32_t slot : corners_[i])
    most = std::max(most, (paths_[static_cast<std::size_t>(slot)].moved - cluster.drift).squaredNorm());
  return std::sqrt(most);
}

void DeformableContact::follow_frames() {
  for (const auto& cluster : clusters_) cluster->follow_guests_if_alone();
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    Cluster& cluster = *clusters_[c];
    double step = cluster.pace();
    for (const std::int32_t other : cluster.near) {
      const Cluster& there = *clusters_[static_cast<std::size_t>(other)];
      const double drift = (cluster.last_drift - there.last_drift).norm();
      step = std::max(step, there.pace() + drift);
      if (other < static_cast<std::int32_t>(c)) continue;
      ClusterPair& pair = cluster_pairs_[static_cast<std::size_t>(pair_of(static_cast<std::int32_t>(c), other))];
      pair.drift += drift;
      pair.way += cluster.pace() + there.pace() + drift;
    }
    cluster.way += step;
  }
}

void DeformableContact::put_boxes_in_order() {
  for (const auto& cluster : clusters_)
    for (BoxList* boxes : {&cluster->held, &cluster->guests})
      if (boxes->is_out_of_order())
        boxes->put_in_order(
            [&](std::int32_t tet, std::int32_t place) { tets_[static_cast<std::size_t>(tet)].place = place; });
}

void DeformableContact::renew_cluster_pairs(bool again, std::span<const dist::NodeMotion> motion) {
  if (!again) put_boxes_in_order();
  for (const auto& cluster : clusters_) cluster->enclose_all();
  for (ClusterPair& pair : cluster_pairs_) {
    if (pair.a == pair.b || (again && pair.near)) continue;
    Cluster &a = *clusters_[static_cast<std::size_t>(pair.a)], &b = *clusters_[static_cast<std::size_t>(pair.b)];
    if (!parameters_.self && a.body == b.body) continue;
    if (again && !a.has_changed && !b.has_changed) continue;  // as near as they were
    const double speed = (a.last_drift - b.last_drift).norm();
    const double reach = std::max(kLife * speed, kLeastReach * std::min(a.size, b.size));
    const double sought = std::max(reach, pair.reach);
    const bool near = a.is_near(b, sought);
    if (near == pair.near && (!near || pair.drift - pair.renewed_at <= pair.reach)) continue;
    if (near != pair.near) {
      a.set_near(pair.b, near);
      b.set_near(pair.a, near);
    }
    pair.candidates = {};
    pair.quiet_until = 0;
    pair.look = ++looks_;
    pair.near = near;
    pair.reach = reach;
    // After cuts nothing has moved: what was not near before has nothing that overlaps but what was put since, and that
    // looks around. The rest is sought at the next moment.
    pair.renewed_at = again ? -std::numeric_limits<double>::infinity() : pair.drift;
    if (near && !again) seek_all(pair, motion);
  }
  for (const auto& cluster : clusters_) cluster->has_changed = false;
}

void DeformableContact::seek_all(ClusterPair& pair, std::span<const dist::NodeMotion> motion) {
  Cluster &a = *clusters_[static_cast<std::size_t>(pair.a)], &b = *clusters_[static_cast<std::size_t>(pair.b)];
  const Vec3 shift = a.frame - b.frame, beyond = Vec3::Constant(pair.reach);  // shift: from a's frame to b's
  const std::int32_t number = pair_of(pair.a, pair.b);
  for (const auto& [guest_a, guest_b] : {std::pair(false, false), std::pair(false, true), std::pair(true, false)}) {
    const std::optional<Box> all = b.boxes(guest_b).whole();
    if (!all) continue;
    a.boxes(guest_a).each_at({all->low - shift - beyond, all->high - shift + beyond},
                             [&, in_b = guest_b](std::int32_t i) {
                               const Box box = box_of(i);
                               b.boxes(in_b).each_at({box.low + shift - beyond, box.high + shift + beyond},
                                                     [&](std::int32_t j) { met_.push_back(j); });
                               add_those_it_may_touch(i, number, pair.candidates, motion);
                             });
  }
}

void DeformableContact::Cluster::begin_step() {
  held_travel = guest_travel = 0;
  moved = guests_moved = Vec3::Zero();
  num_nodes = num_guests = 0;
}

void DeformableContact::Cluster::follow_its_nodes() {
  frame += drift;
  last_drift = drift;
  if (num_nodes > 0) drift = moved / static_cast<double>(num_nodes);
}

void DeformableContact::Cluster::follow_guests_if_alone() {
  if (num_nodes == 0 && num_guests > 0) drift = guests_moved / static_cast<double>(num_guests);
}

void DeformableContact::Cluster::enclose_all() {
  has_changed = has_changed || !held.is_tight() || !guests.is_tight();
  held.tighten();
  guests.tighten();
  const auto where_it_is = [&](const BoxList& boxes) {
    std::optional<Box> box = boxes.whole();
    if (box) box = Box{box->low + frame, box->high + frame};
    return box;
  };
  all_held = where_it_is(held);
  all_guests = where_it_is(guests);
}

// Two guests are other ranks' matter.
bool DeformableContact::Cluster::is_near(const Cluster& other, double reach) const {
  return meet(all_held, other.all_held, reach) || meet(all_held, other.all_guests, reach) ||
         meet(all_guests, other.all_held, reach);
}

void DeformableContact::Cluster::set_near(std::int32_t other, bool is) {
  if (is)
    near.push_back(other);
  else
    std::erase(near, other);
}

}  // namespace brisance::contact
