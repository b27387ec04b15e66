// Which tets may touch and which do. What is kept between moments (boxes, candidates, distances) only spares looks.
#include "brisance/contact/deformable_contact.hpp"

#include "deformable_tets.hpp"
#include "restitution.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

namespace brisance::contact {

namespace {

/// Beyond a tet on each side, as a share of its box: what its nodes may move before they are looked at again.
constexpr double kLeastMargin = 0.05, kMostMargin = 0.3;
/// Moments that a box should last.
constexpr double kLife = 8;
/// Share of a gap that its two sides may use up together before it is looked at again; below 1/2 each, and so that what
/// is left is far above rounding.
constexpr double kGapShare = 0.45;

Vec3 position_of(const dist::NodeMotion& node) { return {node.position[0], node.position[1], node.position[2]}; }

}  // namespace

std::vector<DeformableContact::Boxes::Box> DeformableContact::Boxes::cover(std::size_t most) const {
  std::vector<Box> boxes;
  if (held_.m_root == nullptr) return boxes;
  const auto size = [](const btDbvtNode* node) { return node->volume.Lengths().length2(); };
  const auto smaller = [&](const btDbvtNode* a, const btDbvtNode* b) { return size(a) < size(b); };
  std::priority_queue<const btDbvtNode*, std::vector<const btDbvtNode*>, decltype(smaller)> nodes(smaller);
  nodes.push(held_.m_root);
  while (!nodes.empty()) {
    const btDbvtNode* node = nodes.top();
    nodes.pop();
    if (node->isleaf() || nodes.size() + boxes.size() + 2 > most) {
      boxes.push_back(box_of(node));
    } else {
      nodes.push(node->childs[0]);
      nodes.push(node->childs[1]);
    }
  }
  return boxes;
}

DeformableContact::DeformableContact(const core::Comm& comm, const DeformableParameters& parameters)
    : comm_(comm),
      parameters_(parameters),
      damping_ratio_(damping_ratio(parameters.restitution)),
      boxes_(std::make_unique<Boxes>()) {}
DeformableContact::DeformableContact(DeformableContact&&) noexcept = default;
DeformableContact& DeformableContact::operator=(DeformableContact&&) noexcept = default;
DeformableContact::~DeformableContact() = default;

void DeformableContact::clear() { *this = DeformableContact(comm_, parameters_); }

std::int32_t DeformableContact::new_tet() {
  if (unused_.empty()) {
    tets_.emplace_back();
    return static_cast<std::int32_t>(tets_.size()) - 1;
  }
  const std::int32_t number = unused_.back();
  unused_.pop_back();
  return number;
}

void DeformableContact::put(const SkinTet& skin, std::span<const dist::NodeMotion> motion) {
  const auto [entry, is_new] = number_of_.try_emplace(skin.id, -1);
  if (!is_new && tets_[static_cast<std::size_t>(entry->second)].guest) {
    drop(entry->second);
    entry->second = -1;
  }
  const bool known = entry->second >= 0;
  if (!known) entry->second = new_tet();
  const std::int32_t number = entry->second;
  Tet& tet = tets_[static_cast<std::size_t>(number)];
  if (known)
    for (const std::int32_t slot : tet.skin.slot) --num_tets_at_[static_cast<std::size_t>(slot)];
  tet.skin = skin;
  tet.used = true;
  tet.placed_at = -1;
  if (num_tets_at_.size() < motion.size()) {
    num_tets_at_.resize(motion.size(), 0);
    last_position_.resize(motion.size());
  }
  for (const std::int32_t slot : skin.slot)
    if (num_tets_at_[static_cast<std::size_t>(slot)]++ == 0)
      last_position_[static_cast<std::size_t>(slot)] = position_of(motion[static_cast<std::size_t>(slot)]);
  changed_.push_back(number);
}

void DeformableContact::remove(GlobalElement id) {
  const auto entry = number_of_.find(id);
  if (entry == number_of_.end() || tets_[static_cast<std::size_t>(entry->second)].guest) return;
  drop(entry->second);
  number_of_.erase(entry);
}

void DeformableContact::drop(std::int32_t number) {
  Tet& tet = tets_[static_cast<std::size_t>(number)];
  forget_candidates(number);
  if (tet.leaf != nullptr) boxes_->remove(tet.leaf, tet.guest);
  if (!tet.guest)
    for (const std::int32_t slot : tet.skin.slot) --num_tets_at_[static_cast<std::size_t>(slot)];
  tet = Tet();
  unused_.push_back(number);
}

Vec3 DeformableContact::position(const Tet& tet, std::size_t corner, std::span<const dist::NodeMotion> motion) const {
  return tet.guest ? tet.position[corner] : position_of(motion[static_cast<std::size_t>(tet.skin.slot[corner])]);
}

double DeformableContact::travel_of_nodes(std::span<const dist::NodeMotion> motion) {
  double most = 0;
  Vec3 sum = Vec3::Zero();
  std::int64_t count = 0;
  for (std::size_t slot = 0; slot < num_tets_at_.size(); ++slot) {
    if (num_tets_at_[slot] == 0) continue;
    const Vec3 now = position_of(motion[slot]), moved = now - last_position_[slot];
    last_position_[slot] = now;
    sum += moved;
    ++count;
    most = std::max(most, (moved - drift_).squaredNorm());
  }
  frame_ += drift_;
  last_drift_ = drift_;
  if (count > 0) drift_ = sum / static_cast<double>(count);
  return std::sqrt(most);
}

// A box around the tet where it is, with room for what it will move; it is left no sooner than its nearest side is.
void DeformableContact::enclose(std::int32_t number, std::span<const dist::NodeMotion> motion) {
  Tet& tet = tets_[static_cast<std::size_t>(number)];
  Boxes::Box box{position(tet, 0, motion), position(tet, 0, motion)};
  for (std::size_t k = 1; k < 4; ++k) {
    box.low = box.low.cwiseMin(position(tet, k, motion));
    box.high = box.high.cwiseMax(position(tet, k, motion));
  }
  const double size = (box.high - box.low).norm();
  const double margin = std::clamp(kLife * last_travel_, kLeastMargin * size, kMostMargin * size);
  box.low -= frame_ + Vec3::Constant(margin);
  box.high += Vec3::Constant(margin) - frame_;
  tet.calm_until = travelled_ + 0.99 * margin;
  if (tet.leaf == nullptr)
    tet.leaf = boxes_->insert(box, number, tet.guest);
  else
    boxes_->move(tet.leaf, box, tet.guest);
}

void DeformableContact::keep_enclosed(std::span<const dist::NodeMotion> motion) {
  for (std::size_t i = 0; i < tets_.size(); ++i) {
    Tet& tet = tets_[i];
    if (tet.leaf == nullptr || tet.calm_until >= travelled_) continue;
    const Boxes::Box box = Boxes::box_of(tet.leaf);
    double room = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3 x = position(tet, k, motion) - frame_;
      room = std::min({room, (x - box.low).minCoeff(), (box.high - x).minCoeff()});
    }
    const double least = 0.01 * (box.high - box.low).norm();
    if (room > least) {
      tet.calm_until = travelled_ + 0.99 * room;
      continue;
    }
    enclose(static_cast<std::int32_t>(i), motion);
    to_look_around_.push_back(static_cast<std::int32_t>(i));
  }
}

bool DeformableContact::may_touch(const Tet& a, const Tet& b) const {
  if (a.guest && b.guest) return false;
  if (!parameters_.self && a.skin.body == b.skin.body) return false;
  for (const GlobalNode n : a.skin.node)
    if (std::find(b.skin.node.begin(), b.skin.node.end(), n) != b.skin.node.end()) return false;
  return true;
}

void DeformableContact::look_around(std::int32_t number) {
  if (!tets_[static_cast<std::size_t>(number)].used) return;
  forget_candidates(number);
  const Boxes::Box box = Boxes::box_of(tets_[static_cast<std::size_t>(number)].leaf);
  const auto meet = [&](std::int32_t other) {
    if (other != number && may_touch(tets_[static_cast<std::size_t>(number)], tets_[static_cast<std::size_t>(other)]))
      add_candidate(number, other);
  };
  boxes_->each_at(box, false, meet);
  if (!tets_[static_cast<std::size_t>(number)].guest) boxes_->each_at(box, true, meet);
}

void DeformableContact::add_candidate(std::int32_t a, std::int32_t b) {
  std::int32_t number = 0;
  if (unused_candidates_.empty()) {
    number = static_cast<std::int32_t>(candidates_.size());
    candidates_.emplace_back();
  } else {
    number = unused_candidates_.back();
    unused_candidates_.pop_back();
  }
  if (tets_[static_cast<std::size_t>(b)].skin.id < tets_[static_cast<std::size_t>(a)].skin.id) std::swap(a, b);
  candidates_[static_cast<std::size_t>(number)] = {a, b, 0};
  for (const std::int32_t tet : {a, b}) tets_[static_cast<std::size_t>(tet)].candidates.push_back(number);
}

void DeformableContact::forget_candidates(std::int32_t number) {
  Tet& tet = tets_[static_cast<std::size_t>(number)];
  for (const std::int32_t c : tet.candidates) {
    Candidate& candidate = candidates_[static_cast<std::size_t>(c)];
    std::vector<std::int32_t>& others =
        tets_[static_cast<std::size_t>(candidate.a == number ? candidate.b : candidate.a)].candidates;
    const auto there = std::find(others.begin(), others.end(), c);
    *there = others.back();
    others.pop_back();
    candidate = {};
    unused_candidates_.push_back(c);
  }
  tet.candidates.clear();
}

std::int32_t DeformableContact::placed(std::int32_t number, std::span<const dist::NodeMotion> motion) {
  Tet& tet = tets_[static_cast<std::size_t>(number)];
  if (tet.placed_at != moment_) {
    tet.placed_at = moment_;
    tet.placed = static_cast<std::int32_t>(placed_.size());
    placed_.push_back(placed_tet(
        {position(tet, 0, motion), position(tet, 1, motion), position(tet, 2, motion), position(tet, 3, motion)}));
  }
  return tet.placed;
}

void DeformableContact::look_at_candidates(std::span<const dist::NodeMotion> motion) {
  contacts_.clear();
  for (Candidate& candidate : candidates_) {
    if (candidate.a < 0 || candidate.safe_until > travelled_) continue;
    ++checked_;
    const auto a = static_cast<std::size_t>(placed(candidate.a, motion));
    const auto b = static_cast<std::size_t>(placed(candidate.b, motion));
    if (!(placed_[a].volume > 0 && placed_[b].volume > 0)) continue;  // turned inside out: there is no inside
    if (const double gap = face_gap(placed_[a], placed_[b]); gap >= 0) {
      candidate.safe_until = travelled_ + kGapShare * gap;
      continue;
    }
    const TetOverlap overlap = tet_overlap(placed_[a], placed_[b]);
    if (overlap.volume > 0) contacts_.push_back({candidate.a, candidate.b, overlap});
  }
  const auto ids = [&](const Contact& c) {
    return std::pair(tets_[static_cast<std::size_t>(c.a)].skin.id, tets_[static_cast<std::size_t>(c.b)].skin.id);
  };
  std::sort(contacts_.begin(), contacts_.end(), [&](const Contact& c, const Contact& d) { return ids(c) < ids(d); });
}

void DeformableContact::add_up(const StiffnessOf& stiffness) {
  for (const std::int32_t t : touching_) {
    tets_[static_cast<std::size_t>(t)].sum = 0;
    tets_[static_cast<std::size_t>(t)].num_pairs = 0;
  }
  touching_.clear();
  for (const Contact& contact : contacts_)
    for (const std::int32_t t : {contact.a, contact.b}) {
      Tet& tet = tets_[static_cast<std::size_t>(t)];
      if (tet.num_pairs++ == 0) {
        touching_.push_back(t);
        tet.sum = 0;
        if (!tet.guest) tet.stiffness = stiffness(tet.skin.id);
      }
      tet.sum += contact.overlap.volume;
    }
}

void DeformableContact::find(std::span<const dist::NodeMotion> motion, const StiffnessOf& stiffness) {
  ++moment_;
  placed_.clear();
  last_travel_ = travel_of_nodes(motion);
  travelled_ += last_travel_;
  for (const std::int32_t number : changed_) {
    if (!tets_[static_cast<std::size_t>(number)].used) continue;
    enclose(number, motion);
    to_look_around_.push_back(number);
  }
  changed_.clear();
  keep_enclosed(motion);
  if (comm_.size() > 1) exchange_guests(motion);
  for (std::size_t i = 0; i < to_look_around_.size(); ++i) look_around(to_look_around_[i]);
  to_look_around_.clear();
  boxes_->tidy();
  look_at_candidates(motion);
  add_up(stiffness);
  if (comm_.size() > 1) exchange_sums(motion);
}

std::vector<DeformableContact::Pressed> DeformableContact::pressed() const {
  std::vector<Pressed> list;
  for (const std::int32_t t : touching_)
    if (const Tet& tet = tets_[static_cast<std::size_t>(t)]; !tet.guest)
      list.push_back({tet.skin.id, tet.sum, tet.skin.volume, tet.skin.is_home});
  return list;
}

DeformableReport DeformableContact::report() const {
  DeformableReport report;
  report.candidates = static_cast<std::int64_t>(candidates_.size() - unused_candidates_.size());
  report.checked = checked_;
  for (const Contact& contact : contacts_) {
    const Tet &a = tets_[static_cast<std::size_t>(contact.a)], &b = tets_[static_cast<std::size_t>(contact.b)];
    if (a.guest || !a.skin.is_home) continue;
    ++report.pairs;
    if (b.guest) ++report.across;
    const double area = contact.overlap.area().norm(), volume = std::min(a.skin.volume, b.skin.volume);
    // The regular tet of that volume has edges (6 √2 V)^(1/3).
    if (area > 0)
      report.deepest = std::max(report.deepest, contact.overlap.volume / area / std::cbrt(8.485281374238570 * volume));
  }
  return report;
}

std::size_t DeformableContact::memory_bytes() const {
  std::size_t bytes = tets_.capacity() * sizeof(Tet) + candidates_.capacity() * sizeof(Candidate) +
                      placed_.capacity() * sizeof(PlacedTet) + contacts_.capacity() * sizeof(Contact) +
                      last_position_.capacity() * sizeof(Vec3) + tets_.size() * 2 * sizeof(btDbvtNode);
  for (const Tet& tet : tets_) bytes += tet.candidates.capacity() * sizeof(std::int32_t);
  return bytes;
}

}  // namespace brisance::contact
