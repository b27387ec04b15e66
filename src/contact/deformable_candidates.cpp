// Which tets may touch: boxes that last some steps, in trees a body, and the pairs whose boxes meet. Bodies move far
// against each other while their own tets stay together, so each has a frame of its own. All of this only spares looks:
// whether a pair presses follows from positions alone.
#include "brisance/contact/deformable_contact.hpp"

#include "deformable_tets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brisance::contact {

namespace {

/// Beyond a tet on each side, as a share of its box: what its nodes may move before they are looked at again.
constexpr double kLeastMargin = 0.05, kMostMargin = 0.3;
/// Steps that a box and the candidates of two bodies should last.
constexpr double kLife = 8;
/// Two bodies look for candidates at least this far, as a share of their tets' boxes.
constexpr double kLeastReach = 0.1;
/// A box is left before a node comes as near to its side as this share of the box.
constexpr double kLeastRoom = 0.005;
/// Of nodes looked at, to tell who races; and the share of them that does not.
constexpr std::size_t kSample = 2000;
constexpr double kShareThatIsSlow = 0.995;
constexpr double kBelow = 0.99;  ///< room that is counted on, so that rounding does not matter

bool meet(const btDbvt& a, const btDbvt& b, const btVector3& from_a_to_b, double reach) {
  if (a.m_root == nullptr || b.m_root == nullptr) return false;
  const btVector3 beyond(reach, reach, reach);
  const btDbvtVolume box = btDbvtVolume::FromMM(a.m_root->volume.Mins() + from_a_to_b - beyond,
                                                a.m_root->volume.Maxs() + from_a_to_b + beyond);
  return Intersect(box, b.m_root->volume);
}

}  // namespace

void DeformableContact::Candidates::clear() {
  all_.clear();
  until_.clear();
  num_awake_ = 0;
}

void DeformableContact::Candidates::add(const Candidate& candidate) {
  all_.push_back(candidate);
  until_.push_back(0);
  ++num_awake_;
}

void DeformableContact::Candidates::wake_before(double far) {
  if (num_awake_ == all_.size() || first_ > far) return;
  first_ = std::numeric_limits<double>::infinity();
  for (std::size_t c = num_awake_; c < all_.size(); ++c) {
    if (until_[c] > far) {
      first_ = std::min(first_, until_[c]);
      continue;
    }
    std::swap(all_[c], all_[num_awake_]);
    until_[c] = until_[num_awake_++];
  }
}

void DeformableContact::Candidates::send_to_sleep(std::size_t awake, double until) {
  first_ = num_awake_ == all_.size() ? until : std::min(first_, until);
  std::swap(all_[awake], all_[--num_awake_]);
  until_[num_awake_] = until;
}

void DeformableContact::Candidates::forget(std::size_t awake) {
  all_[awake] = all_[--num_awake_];
  all_[num_awake_] = all_.back();
  until_[num_awake_] = until_.back();
  all_.pop_back();
  until_.pop_back();
}

std::size_t DeformableContact::Candidates::memory_bytes() const {
  return all_.capacity() * sizeof(Candidate) + until_.capacity() * sizeof(double);
}

std::int32_t DeformableContact::number_of_body(std::int64_t id) {
  const auto next = static_cast<std::int32_t>(bodies_.size());
  const auto [entry, is_new] = number_of_body_.try_emplace(id, next);
  if (is_new) {
    bodies_.push_back(std::make_unique<Body>());
    for (std::int32_t a = 0; a <= next; ++a) body_pairs_.push_back({.a = a, .b = next});
  }
  return entry->second;
}

std::int32_t DeformableContact::pair_of(std::int32_t a, std::int32_t b) const {
  const std::int32_t low = std::min(a, b), high = std::max(a, b);
  return high * (high + 1) / 2 + low;
}

void DeformableContact::follow_nodes(std::span<const dist::NodeMotion> motion) {
  for (const auto& body : bodies_) {
    body->guest_travel = 0;
    body->moved = Vec3::Zero();
    body->num_nodes = 0;
  }
  for (std::size_t slot = 0; slot < num_tets_at_.size(); ++slot) {
    if (num_tets_at_[slot] == 0) continue;
    Body& body = *bodies_[static_cast<std::size_t>(body_at_[slot])];
    const Vec3 now = Vec3(motion[slot].position), moved = now - last_position_[slot];
    last_position_[slot] = now;
    body.moved += moved;
    ++body.num_nodes;
    travel_[slot] = (moved - body.drift).norm();
  }
  set_race();
  for (std::size_t i = 0; i < tets_.size(); ++i) {
    if (body_of_[i] < 0 || tets_[i].guest) continue;
    const double travel = travel_of(static_cast<std::int32_t>(i));
    pace_[i].travelled += travel;
    if (travel > race_) to_look_around_.push_back(static_cast<std::int32_t>(i));
  }
  for (const auto& body : bodies_) {
    body->frame += body->drift;
    body->last_drift = body->drift;
    if (body->num_nodes > 0) body->drift = body->moved / static_cast<double>(body->num_nodes);
  }
}

double DeformableContact::travel_of(std::int32_t number) const {
  const Tet& tet = tets_[static_cast<std::size_t>(number)];
  if (tet.guest) return bodies_[static_cast<std::size_t>(body_of_[static_cast<std::size_t>(number)])]->guest_travel;
  double most = 0;
  for (const std::int32_t slot : tet.skin.slot) most = std::max(most, travel_[static_cast<std::size_t>(slot)]);
  return most;
}

// A box around the tet where it is, with room for what it will move; it is left no sooner than its nearest side is.
void DeformableContact::enclose(std::int32_t number, std::span<const dist::NodeMotion> motion) {
  Tet& tet = tets_[static_cast<std::size_t>(number)];
  Body& body = *bodies_[static_cast<std::size_t>(body_of_[static_cast<std::size_t>(number)])];
  Box box{position(number, 0, motion), position(number, 0, motion)};
  for (std::size_t k = 1; k < 4; ++k) {
    const Vec3 x = position(number, k, motion);
    box.low = box.low.cwiseMin(x);
    box.high = box.high.cwiseMax(x);
  }
  const double size = (box.high - box.low).norm();
  const double margin = std::clamp(kLife * travel_of(number), kLeastMargin * size, kMostMargin * size);
  box.low -= body.frame + Vec3::Constant(margin);
  box.high += Vec3::Constant(margin) - body.frame;
  body.size += (size - body.size) / (body.size == 0 ? 1 : 1024);
  calm_until_[static_cast<std::size_t>(number)] = pace_[static_cast<std::size_t>(number)].travelled + kBelow * margin;
  btDbvtVolume volume = Body::volume(box);
  if (tet.leaf == nullptr) {
    tet.leaf = body.tree(tet.guest).insert(volume, nullptr);
    tet.leaf->dataAsInt = number;
  } else {
    body.tree(tet.guest).update(tet.leaf, volume);
  }
}

void DeformableContact::keep_enclosed(std::int32_t number, std::span<const dist::NodeMotion> motion) {
  const auto i = static_cast<std::size_t>(number);
  if (calm_until_[i] >= pace_[i].travelled || tets_[i].leaf == nullptr) return;
  const Vec3& frame = bodies_[static_cast<std::size_t>(body_of_[i])]->frame;
  const Box box = Body::box_of(tets_[i].leaf);
  double room = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 x = position(number, k, motion) - frame;
    room = std::min({room, (x - box.low).minCoeff(), (box.high - x).minCoeff()});
  }
  if (room > kLeastRoom * (box.high - box.low).norm()) {
    calm_until_[i] = pace_[i].travelled + kBelow * room;
    return;
  }
  enclose(number, motion);
  to_look_around_.push_back(number);
}

void DeformableContact::follow_frames() {
  double most = 0;
  for (BodyPair& pair : body_pairs_) {
    const Body &a = *bodies_[static_cast<std::size_t>(pair.a)], &b = *bodies_[static_cast<std::size_t>(pair.b)];
    const double drift = (a.last_drift - b.last_drift).norm();
    pair.drift += drift;
    most = std::max(most, drift);
  }
  last_far_ = 2 * race_ + most;
  far_ += last_far_;
}

// What all but a few did not exceed in the last step, so that one fast crumb wakes nobody else.
void DeformableContact::set_race() {
  std::vector<double> sample;
  const std::size_t stride = 1 + travel_.size() / kSample;
  for (std::size_t slot = 0; slot < travel_.size(); slot += stride)
    if (num_tets_at_[slot] > 0) sample.push_back(travel_[slot]);
  race_ = 0;
  if (sample.empty()) return;
  const auto fast =
      sample.begin() + static_cast<std::ptrdiff_t>(kShareThatIsSlow * static_cast<double>(sample.size() - 1));
  std::nth_element(sample.begin(), fast, sample.end());
  race_ = *fast;
}

void DeformableContact::renew_body_pairs() {
  for (std::size_t p = 0; p < body_pairs_.size(); ++p) {
    BodyPair& pair = body_pairs_[p];
    if (pair.a == pair.b) continue;
    Body &a = *bodies_[static_cast<std::size_t>(pair.a)], &b = *bodies_[static_cast<std::size_t>(pair.b)];
    const Vec3 shift = a.frame - b.frame;  // from a's frame to b's
    const double speed = (a.last_drift - b.last_drift).norm();
    const double reach = std::max(kLife * speed, kLeastReach * std::min(a.size, b.size));
    const btVector3 from_a_to_b(shift.x(), shift.y(), shift.z());
    const double sought = std::max(reach, pair.reach);
    const bool near = meet(a.held, b.held, from_a_to_b, sought) || meet(a.held, b.guests, from_a_to_b, sought) ||
                      meet(a.guests, b.held, from_a_to_b, sought);
    if (near == pair.near && (!near || pair.drift - pair.renewed_at <= pair.reach)) continue;
    pair.candidates.clear();
    pair.look = ++looks_;
    pair.near = near;
    pair.renewed_at = pair.drift;
    pair.reach = reach;
    if (!near) continue;
    const Vec3 beyond = Vec3::Constant(reach);
    const auto look = [&](bool guest_a, bool guest_b) {
      if (b.tree(guest_b).m_root == nullptr) return;
      const Box all = Body::box_of(b.tree(guest_b).m_root);
      a.each_at({all.low - shift - beyond, all.high - shift + beyond}, guest_a, [&](std::int32_t i) {
        const Box box = Body::box_of(tets_[static_cast<std::size_t>(i)].leaf);
        b.each_at({box.low + shift - beyond, box.high + shift + beyond}, guest_b,
                  [&](std::int32_t j) { pair.candidates.add(candidate(i, j, static_cast<std::int32_t>(p))); });
      });
    };
    look(false, false);
    look(false, true);
    look(true, false);
  }
}

DeformableContact::Candidate DeformableContact::candidate(std::int32_t i, std::int32_t j, std::int32_t pair) const {
  const bool in_order = tets_[static_cast<std::size_t>(i)].skin.id < tets_[static_cast<std::size_t>(j)].skin.id;
  return {.low = in_order ? i : j, .high = in_order ? j : i, .pair = pair};
}

bool DeformableContact::may_touch(std::int32_t i, std::int32_t j) const {
  const Tet &a = tets_[static_cast<std::size_t>(i)], &b = tets_[static_cast<std::size_t>(j)];
  if (a.guest && b.guest) return false;
  for (const GlobalNode n : a.skin.node)
    if (std::find(b.skin.node.begin(), b.skin.node.end(), n) != b.skin.node.end()) return false;
  return true;
}

void DeformableContact::look_around_changed() {
  std::sort(to_look_around_.begin(), to_look_around_.end());
  to_look_around_.erase(std::unique(to_look_around_.begin(), to_look_around_.end()), to_look_around_.end());
  for (const std::int32_t number : to_look_around_) look_around(number);
}

void DeformableContact::look_around(std::int32_t number) {
  const std::int32_t own = body_of_[static_cast<std::size_t>(number)];
  if (own < 0) return;
  Tet& tet = tets_[static_cast<std::size_t>(number)];
  pace_[static_cast<std::size_t>(number)].look = ++looks_;
  Candidates& candidates = candidates_[static_cast<std::size_t>(number)];
  candidates.clear();
  const auto add = [&](std::int32_t other, std::int32_t pair) { candidates.add(candidate(number, other, pair)); };
  const bool guest = tet.guest;
  const Box box = Body::box_of(tet.leaf);
  Body& body = *bodies_[static_cast<std::size_t>(own)];
  if (parameters_.self) {
    const auto found = [&](std::int32_t other) {
      if (other != number && may_touch(number, other)) add(other, pair_of(own, own));
    };
    body.each_at(box, false, found);
    if (!guest) body.each_at(box, true, found);
  }
  for (std::int32_t other = 0; other < static_cast<std::int32_t>(bodies_.size()); ++other) {
    const std::int32_t p = pair_of(own, other);
    const BodyPair& pair = body_pairs_[static_cast<std::size_t>(p)];
    if (other == own || !pair.near) continue;
    Body& there = *bodies_[static_cast<std::size_t>(other)];
    const Vec3 shift = body.frame - there.frame, beyond = Vec3::Constant(pair.reach);
    const Box seen{box.low + shift - beyond, box.high + shift + beyond};
    const auto found = [&](std::int32_t j) { add(j, p); };
    there.each_at(seen, false, found);
    if (!guest) there.each_at(seen, true, found);
  }
}

}  // namespace brisance::contact
