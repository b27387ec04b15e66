// Which tets may touch: those whose boxes, which last some steps, meet, and that could come together before one of them
// looks around again. All of this only spares looks: whether a pair presses follows from positions alone.
#include "brisance/contact/deformable_contact.hpp"

#include "deformable_tets.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace brisance::contact {

namespace {

/// Beyond a tet on each side, as a share of its box: what its nodes may move before they are looked at again.
constexpr double kLeastMargin = 0.05, kMostMargin = 0.4;
/// A box is left once less than this share of the margin is left.
constexpr double kLeastRoom = 0.02;
constexpr double kBelow = 0.99;  ///< room that is counted on, so that rounding does not matter

}  // namespace

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
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 x = position(number, k, motion);
    nests_[static_cast<std::size_t>(number)][k] = x - cluster.frame;
    sum += x;
  }
  middles_[static_cast<std::size_t>(number)].at = 0.25 * sum;
  calm_until_[static_cast<std::size_t>(number)] = travelled_[static_cast<std::size_t>(number)] + kBelow * margin;
  BoxList& boxes = cluster.boxes(tet.guest);
  if (tet.place < 0)
    tet.place = boxes.add(box, number);
  else
    boxes.set(tet.place, box);
}

void DeformableContact::keep_enclosed(std::int32_t number, std::span<const dist::NodeMotion> motion) {
  const auto i = static_cast<std::size_t>(number);
  if (calm_until_[i] >= travelled_[i] || tets_[i].place < 0) return;
  const Vec3& frame = cluster_of(number).frame;
  double way = 0;
  for (std::size_t k = 0; k < 4; ++k)
    way = std::max(way, (position(number, k, motion) - frame - nests_[i][k]).squaredNorm());
  if (const double room = margin_[i] - std::sqrt(way); room > kLeastRoom * margin_[i]) {
    calm_until_[i] = travelled_[i] + kBelow * room;
    return;
  }
  enclose(number, motion);
  to_look_around_.push_back(number);
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
    const double room = std::max(0.0, calm_until_[n] - travelled_[n]);
    both += 2 * margin_[n] - room;
  }
  return both;
}

void DeformableContact::add_those_it_may_touch(std::int32_t i, std::int32_t pair, std::vector<Candidate>& to,
                                               std::span<const dist::NodeMotion> motion) {
  constexpr std::size_t kAhead = 8;  // they are all over the memory
  std::size_t strangers = 0;
  for (std::size_t m = 0; m < met_.size(); ++m) {
    if (m + kAhead < met_.size()) __builtin_prefetch(&names_[static_cast<std::size_t>(met_[m + kAhead])]);
    const std::int32_t j = met_[m];
    if (known_at_[static_cast<std::size_t>(j)] >= 0) {
      add_again_if_they_may_touch(i, j, pair, to);
      continue;
    }
    if (i == j || share_a_node(i, j)) continue;
    ask_ahead_where_it_is(j);
    met_[strangers++] = j;
  }
  for (std::size_t m = 0; m < strangers; ++m) add_if_they_may_touch(i, met_[m], pair, to, motion);
  met_.clear();
}

void DeformableContact::add_if_they_may_touch(std::int32_t i, std::int32_t j, std::int32_t pair,
                                              std::vector<Candidate>& to, std::span<const dist::NodeMotion> motion) {
  Candidate next = candidate(i, j, pair);
  const PlacedTet &a = placed(next.low, motion), &b = placed(next.high, motion);
  if (a.volume > 0 && b.volume > 0) {
    book(next, 1);
    const double way = leeway(i, j, cluster_pairs_[static_cast<std::size_t>(pair)]);
    if (kGapShare * gap_between_middles(a, b) > way) return;
    const Gap gap = face_gap(a, b);
    if (kGapShare * gap.width > way) return;
    if (gap.width > 0) part(next, gap, a, b);
  }
  to.push_back(next);
}

void DeformableContact::add_again_if_they_may_touch(std::int32_t i, std::int32_t j, std::int32_t pair,
                                                    std::vector<Candidate>& to) const {
  const auto at = static_cast<std::size_t>(known_at_[static_cast<std::size_t>(j)]);
  Candidate known = candidates_[static_cast<std::size_t>(i)][at];
  if (slack(known) > leeway(i, j, cluster_pairs_[static_cast<std::size_t>(pair)])) return;
  known.pair = pair;
  to.push_back(known);
}

void DeformableContact::note_known(std::int32_t number, bool are_known) {
  const auto t = static_cast<std::size_t>(number);
  const std::span<const Candidate> candidates = std::as_const(candidates_)[t];
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const Candidate& candidate = candidates[c];
    const bool is_known = are_known && !counts_no_more(candidate, looked_around_[t]);
    const std::int32_t other = candidate.low == number ? candidate.high : candidate.low;
    known_at_[static_cast<std::size_t>(other)] = is_known ? static_cast<std::int32_t>(c) : -1;
  }
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
  note_known(number, true);
  looked_around_[static_cast<std::size_t>(number)] = ++looks_;
  quiet_until_[static_cast<std::size_t>(number)] = 0;
  found_.clear();
  // Of two guests other ranks see to it.
  const auto look = [&](Cluster& there, const Box& box, std::int32_t pair) {
    const auto found = [&](std::int32_t other) { met_.push_back(other); };
    there.boxes(false).each_at(box, found);
    if (!tet.guest) there.boxes(true).each_at(box, found);
    add_those_it_may_touch(number, pair, found_, motion);
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
  note_known(number, false);
  candidates_.put(static_cast<std::size_t>(number), found_);
}

}  // namespace brisance::contact
