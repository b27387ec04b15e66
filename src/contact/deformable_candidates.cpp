// Which tets may touch: boxes that last some steps, in trees a cluster, and the pairs whose boxes meet. What is far
// apart in a body moves otherwise, and bodies move far against each other, while near tets of one body stay together:
// so each cluster has a frame of its own, in which its tets move little. All of this only spares looks: whether a pair
// presses follows from positions alone.
#include "brisance/contact/deformable_contact.hpp"

#include "deformable_tets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brisance::contact {

namespace {

/// Beyond a tet on each side, as a share of its box: what its nodes may move before they are looked at again.
constexpr double kLeastMargin = 0.05, kMostMargin = 0.4;
/// Steps that a box and the candidates of two clusters should last.
constexpr double kLife = 6;
/// Two clusters look for candidates at least this far, as a share of their tets' boxes.
constexpr double kLeastReach = 0.1;
/// A box is left once less than this share of the margin is left.
constexpr double kLeastRoom = 0.02;
/// Of a cluster's tets looked at, about, to tell who races; and the share of them that does not.
constexpr std::int64_t kSample = 256;
constexpr double kShareThatIsSlow = 0.99;
constexpr double kRace = 1.5;    ///< times as fast as that: racing
constexpr double kBelow = 0.99;  ///< room that is counted on, so that rounding does not matter

bool meet(const std::optional<Box>& a, const std::optional<Box>& b, double reach) {
  return a && b && meet(*a, *b, reach);
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
    moved_[slot] = now - last_position_[slot];
    last_position_[slot] = now;
    cluster.moved += moved_[slot];
    ++cluster.num_nodes;
  }
  std::vector<double> travel(tets_.size(), 0);
  for (std::size_t i = 0; i < tets_.size(); ++i) {
    if (cluster_of_[i] < 0 || tets_[i].guest) continue;
    travel[i] = travel_of(static_cast<std::int32_t>(i));
    pace_[i].travelled += travel[i];
    cluster_of(static_cast<std::int32_t>(i)).note_travel(travel[i]);
  }
  // What all but a few did not exceed, so that one fast crumb wakes nobody else.
  for (const auto& cluster : clusters_) cluster->set_race();
  for (std::size_t i = 0; i < tets_.size(); ++i)
    if (cluster_of_[i] >= 0 && travel[i] > cluster_of(static_cast<std::int32_t>(i)).race)
      to_look_around_.push_back(static_cast<std::int32_t>(i));
  for (const auto& cluster : clusters_) cluster->follow_its_nodes();
}

double DeformableContact::travel_of(std::int32_t number) const {
  const Tet& tet = tets_[static_cast<std::size_t>(number)];
  const Cluster& cluster = cluster_of(number);
  if (tet.guest) return cluster.guest_travel;
  double most = 0;
  for (const std::int32_t slot : tet.skin.slot)
    most = std::max(most, (moved_[static_cast<std::size_t>(slot)] - cluster.drift).squaredNorm());
  return std::sqrt(most);
}

// A box around the tet where it is, with room for what it will move; it is left no sooner than its nearest side is.
void DeformableContact::enclose(std::int32_t number, std::span<const dist::NodeMotion> motion) {
  Tet& tet = tets_[static_cast<std::size_t>(number)];
  Cluster& cluster = cluster_of(number);
  Box box{position(number, 0, motion), position(number, 0, motion)};
  for (std::size_t k = 1; k < 4; ++k) {
    const Vec3 x = position(number, k, motion);
    box.low = box.low.cwiseMin(x);
    box.high = box.high.cwiseMax(x);
  }
  const double size = (box.high - box.low).norm();
  const double margin = std::clamp(kLife * travel_of(number), kLeastMargin * size, kMostMargin * size);
  box.low -= cluster.frame + Vec3::Constant(margin);
  box.high += Vec3::Constant(margin) - cluster.frame;
  cluster.size += (size - cluster.size) / (cluster.size == 0 ? 1 : 1024);
  margin_[static_cast<std::size_t>(number)] = margin;
  for (std::size_t k = 0; k < 4; ++k)
    nests_[static_cast<std::size_t>(number)][k] = position(number, k, motion) - cluster.frame;
  calm_until_[static_cast<std::size_t>(number)] = pace_[static_cast<std::size_t>(number)].travelled + kBelow * margin;
  BoxList& boxes = cluster.boxes(tet.guest);
  if (tet.place < 0)
    tet.place = boxes.add(box, number);
  else
    boxes.set(tet.place, box);
}

void DeformableContact::keep_enclosed(std::int32_t number, std::span<const dist::NodeMotion> motion) {
  const auto i = static_cast<std::size_t>(number);
  if (calm_until_[i] >= pace_[i].travelled || tets_[i].place < 0) return;
  const Vec3& frame = cluster_of(number).frame;
  double way = 0;
  for (std::size_t k = 0; k < 4; ++k)
    way = std::max(way, (position(number, k, motion) - frame - nests_[i][k]).squaredNorm());
  if (const double room = margin_[i] - std::sqrt(way); room > kLeastRoom * margin_[i]) {
    calm_until_[i] = pace_[i].travelled + kBelow * room;
    return;
  }
  enclose(number, motion);
  to_look_around_.push_back(number);
}

void DeformableContact::follow_frames() {
  for (const auto& cluster : clusters_) cluster->follow_guests_if_alone();
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    Cluster& cluster = *clusters_[c];
    double step = 2 * cluster.pace();
    for (const std::int32_t other : cluster.near) {
      const Cluster& there = *clusters_[static_cast<std::size_t>(other)];
      const double drift = (cluster.last_drift - there.last_drift).norm();
      const double both = cluster.pace() + there.pace() + drift;
      step = std::max(step, both);
      if (other < static_cast<std::int32_t>(c)) continue;
      ClusterPair& pair = cluster_pairs_[static_cast<std::size_t>(pair_of(static_cast<std::int32_t>(c), other))];
      pair.drift += drift;
      pair.way.go(both);
    }
    cluster.way.go(step);
  }
}

void DeformableContact::renew_cluster_pairs(bool again, std::span<const dist::NodeMotion> motion) {
  for (const auto& cluster : clusters_) cluster->enclose_all();
  for (ClusterPair& pair : cluster_pairs_) {
    if (pair.a == pair.b || (again && pair.near)) continue;
    Cluster &a = *clusters_[static_cast<std::size_t>(pair.a)], &b = *clusters_[static_cast<std::size_t>(pair.b)];
    if (!parameters_.self && a.body == b.body) continue;
    const double speed = (a.last_drift - b.last_drift).norm();
    const double reach = std::max(kLife * speed, kLeastReach * std::min(a.size, b.size));
    const double sought = std::max(reach, pair.reach);
    const bool near = a.is_near(b, sought);
    if (near == pair.near && (!near || pair.drift - pair.renewed_at <= pair.reach)) continue;
    if (near != pair.near) {
      a.set_near(pair.b, near);
      b.set_near(pair.a, near);
    }
    pair.candidates.clear();
    pair.look = ++looks_;
    pair.near = near;
    pair.reach = reach;
    // After cuts nothing has moved: what was not near before has nothing that overlaps but what was put since, and that
    // looks around. The rest is sought at the next moment.
    pair.renewed_at = again ? -std::numeric_limits<double>::infinity() : pair.drift;
    if (near && !again) seek_all(pair, motion);
  }
}

void DeformableContact::seek_all(ClusterPair& pair, std::span<const dist::NodeMotion> motion) {
  Cluster &a = *clusters_[static_cast<std::size_t>(pair.a)], &b = *clusters_[static_cast<std::size_t>(pair.b)];
  const Vec3 shift = a.frame - b.frame, beyond = Vec3::Constant(pair.reach);  // shift: from a's frame to b's
  const std::int32_t number = pair_of(pair.a, pair.b);
  for (const auto& [guest_a, guest_b] : {std::pair(false, false), std::pair(false, true), std::pair(true, false)}) {
    const std::optional<Box> all = b.boxes(guest_b).whole();
    if (!all) continue;
    a.boxes(guest_a).each_at(
        {all->low - shift - beyond, all->high - shift + beyond}, [&, in_b = guest_b](std::int32_t i) {
          const Box box = box_of(i);
          b.boxes(in_b).each_at({box.low + shift - beyond, box.high + shift + beyond},
                                [&](std::int32_t j) { add_if_they_may_touch(i, j, number, pair.candidates, motion); });
        });
  }
}

DeformableContact::Candidate DeformableContact::candidate(std::int32_t i, std::int32_t j, std::int32_t pair) const {
  const bool in_order = names_[static_cast<std::size_t>(i)].id < names_[static_cast<std::size_t>(j)].id;
  return {.low = in_order ? i : j, .high = in_order ? j : i, .pair = pair};
}

// How far the two may come towards each other before one of them looks around again, or all of the pair are sought: a
// corner is no farther from where its box was made than its margin, nor was it before.
double DeformableContact::leeway(std::int32_t i, std::int32_t j, const ClusterPair& pair) const {
  double both = pair.a == pair.b ? 0 : std::max(0.0, pair.reach - (pair.drift - pair.renewed_at));
  for (const std::int32_t t : {i, j}) {
    const auto n = static_cast<std::size_t>(t);
    const double room = std::max(0.0, calm_until_[n] - pace_[n].travelled);
    both += 2 * margin_[n] - room;
  }
  return both;
}

void DeformableContact::add_if_they_may_touch(std::int32_t i, std::int32_t j, std::int32_t pair, Candidates& to,
                                              std::span<const dist::NodeMotion> motion) {
  if (i == j || share_a_node(i, j)) return;
  Candidate next = candidate(i, j, pair);
  const PlacedTet &a = placed(next.low, motion), &b = placed(next.high, motion);
  if (a.volume > 0 && b.volume > 0) {
    book(next, 1);
    const double way = leeway(i, j, cluster_pairs_[static_cast<std::size_t>(pair)]);
    if (kGapShare * gap_between_middles(a, b) > way) return;
    const Gap gap = face_gap(a, b);
    if (kGapShare * gap.width > way) return;
    if (gap.width > 0) part(next, gap);
  }
  to.add(next);
}

bool DeformableContact::share_a_node(std::int32_t i, std::int32_t j) const {
  const std::array<GlobalNode, 4>&a = names_[static_cast<std::size_t>(i)].node,
                               &b = names_[static_cast<std::size_t>(j)].node;
  bool share = false;
  for (const GlobalNode n : a)
    for (const GlobalNode m : b) share |= n == m;
  return share;
}

void DeformableContact::look_around_changed(std::span<const dist::NodeMotion> motion) {
  std::sort(to_look_around_.begin(), to_look_around_.end());
  to_look_around_.erase(std::unique(to_look_around_.begin(), to_look_around_.end()), to_look_around_.end());
  for (const std::int32_t number : to_look_around_) look_around(number, motion);
}

void DeformableContact::look_around(std::int32_t number, std::span<const dist::NodeMotion> motion) {
  const std::int32_t own = cluster_of_[static_cast<std::size_t>(number)];
  if (own < 0) return;
  const Tet& tet = tets_[static_cast<std::size_t>(number)];
  pace_[static_cast<std::size_t>(number)].look = ++looks_;
  Candidates& candidates = candidates_[static_cast<std::size_t>(number)];
  candidates.clear();
  // Of two guests other ranks see to it.
  const auto look = [&](Cluster& there, const Box& box, std::int32_t pair) {
    const auto found = [&](std::int32_t other) { add_if_they_may_touch(number, other, pair, candidates, motion); };
    there.boxes(false).each_at(box, found);
    if (!tet.guest) there.boxes(true).each_at(box, found);
  };
  const Box box = box_of(number);
  Cluster& cluster = cluster_of(number);
  if (parameters_.self) look(cluster, box, pair_of(own, own));
  for (const std::int32_t other : cluster.near) {
    const std::int32_t pair = pair_of(own, other);
    Cluster& there = *clusters_[static_cast<std::size_t>(other)];
    const Vec3 shift = cluster.frame - there.frame;
    const Vec3 beyond = Vec3::Constant(cluster_pairs_[static_cast<std::size_t>(pair)].reach);
    look(there, {box.low + shift - beyond, box.high + shift + beyond}, pair);
  }
}

// ------------------------------------------------------------------------------------------------ clusters

void DeformableContact::Cluster::begin_step() {
  guest_travel = 0;
  moved = guests_moved = Vec3::Zero();
  num_nodes = num_guests = 0;
  stride = 1 + num_held / kSample;
  num_held = 0;
  sample.clear();
}

void DeformableContact::Cluster::note_travel(double travel) {
  if (num_held++ % stride == 0) sample.push_back(travel);
}

void DeformableContact::Cluster::set_race() {
  race = 0;
  if (sample.empty()) return;
  const auto fast =
      sample.begin() + static_cast<std::ptrdiff_t>(kShareThatIsSlow * static_cast<double>(sample.size() - 1));
  std::nth_element(sample.begin(), fast, sample.end());
  race = kRace * *fast;
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
