// Tets come and go; at each moment candidates are looked at, and what overlaps is added up.
#include "brisance/contact/deformable_contact.hpp"

#include "deformable_tets.hpp"
#include "restitution.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace brisance::contact {

namespace {

/// Share of a gap that its two sides may use up before it is looked at again, so that what is left is far above
/// rounding.
constexpr double kGapShare = 0.9;
constexpr int kPassesOfTree = 16;  ///< leaves put back at a better place, a moment

Vec3 position_of(const dist::NodeMotion& node) { return {node.position[0], node.position[1], node.position[2]}; }

}  // namespace

DeformableContact::DeformableContact(const core::Comm& comm, const DeformableParameters& parameters)
    : comm_(comm), parameters_(parameters), damping_ratio_(damping_ratio(parameters.restitution)) {}
DeformableContact::DeformableContact(DeformableContact&&) noexcept = default;
DeformableContact& DeformableContact::operator=(DeformableContact&&) noexcept = default;
DeformableContact::~DeformableContact() = default;

void DeformableContact::clear() { *this = DeformableContact(comm_, parameters_); }

std::int32_t DeformableContact::new_tet() {
  if (unused_.empty()) {
    tets_.emplace_back();
    travelled_.push_back(0);
    calm_until_.push_back(0);
    body_of_.push_back(-1);
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
  const auto number = static_cast<std::size_t>(entry->second);
  Tet& tet = tets_[number];
  if (known)
    for (const std::int32_t slot : tet.skin.slot) --num_tets_at_[static_cast<std::size_t>(slot)];
  tet.skin = skin;
  tet.placed_at = -1;
  body_of_[number] = number_of_body(skin.body);
  if (num_tets_at_.size() < motion.size()) {
    num_tets_at_.resize(motion.size(), 0);
    body_at_.resize(motion.size(), -1);
    last_position_.resize(motion.size());
    travel_.resize(motion.size(), 0);
  }
  for (const std::int32_t slot : skin.slot) {
    const auto node = static_cast<std::size_t>(slot);
    if (num_tets_at_[node]++ == 0) {
      last_position_[node] = position_of(motion[node]);
      travel_[node] = 0;
    }
    body_at_[node] = body_of_[number];
  }
  changed_.push_back(entry->second);
}

void DeformableContact::remove(GlobalElement id) {
  const auto entry = number_of_.find(id);
  if (entry == number_of_.end() || tets_[static_cast<std::size_t>(entry->second)].guest) return;
  drop(entry->second);
  number_of_.erase(entry);
}

void DeformableContact::drop(std::int32_t number) {
  forget_candidates(number);
  const auto i = static_cast<std::size_t>(number);
  Tet& tet = tets_[i];
  if (tet.leaf != nullptr) bodies_[static_cast<std::size_t>(body_of_[i])]->tree(tet.guest).remove(tet.leaf);
  if (!tet.guest)
    for (const std::int32_t slot : tet.skin.slot) --num_tets_at_[static_cast<std::size_t>(slot)];
  tet = Tet();
  body_of_[i] = -1;
  unused_.push_back(number);
}

Vec3 DeformableContact::position(std::int32_t number, std::size_t corner,
                                 std::span<const dist::NodeMotion> motion) const {
  const Tet& tet = tets_[static_cast<std::size_t>(number)];
  return tet.guest ? tet.position[corner] : position_of(motion[static_cast<std::size_t>(tet.skin.slot[corner])]);
}

std::int32_t DeformableContact::placed(std::int32_t number, std::span<const dist::NodeMotion> motion) {
  Tet& tet = tets_[static_cast<std::size_t>(number)];
  if (tet.placed_at != moment_) {
    tet.placed_at = moment_;
    tet.placed = static_cast<std::int32_t>(placed_.size());
    placed_.push_back(placed_tet({position(number, 0, motion), position(number, 1, motion), position(number, 2, motion),
                                  position(number, 3, motion)}));
  }
  return tet.placed;
}

// Those looked at in this moment already, before tets were put and removed, stay as they are.
void DeformableContact::look_at_candidates(std::span<const dist::NodeMotion> motion) {
  std::erase_if(contacts_, [&](const Contact& contact) {
    return candidates_[static_cast<std::size_t>(contact.candidate)].looked_at != moment_;
  });
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    Candidate& candidate = candidates_[c];
    if (candidate.a < 0 || candidate.looked_at == moment_) continue;
    const double clock = travelled_[static_cast<std::size_t>(candidate.a)] +
                         travelled_[static_cast<std::size_t>(candidate.b)] +
                         body_pairs_[static_cast<std::size_t>(candidate.pair)].drift;
    if (candidate.safe_until > clock) continue;
    ++checked_;
    candidate.looked_at = moment_;
    const auto a = static_cast<std::size_t>(placed(candidate.a, motion));
    const auto b = static_cast<std::size_t>(placed(candidate.b, motion));
    if (!(placed_[a].volume > 0 && placed_[b].volume > 0)) continue;  // turned inside out: there is no inside
    if (const double gap = face_gap(placed_[a], placed_[b]); gap >= 0) {
      candidate.safe_until = clock + kGapShare * gap;
      continue;
    }
    const TetOverlap overlap = tet_overlap(placed_[a], placed_[b]);
    if (overlap.volume > 0)
      contacts_.push_back({candidate.a, candidate.b, static_cast<std::int32_t>(c), overlap});
    else
      candidate.safe_until = clock + kGapShare * std::max(0.0, edge_gap(placed_[a], placed_[b]));
  }
  const auto ids = [&](const Contact& c) {
    return std::pair(tets_[static_cast<std::size_t>(c.a)].skin.id, tets_[static_cast<std::size_t>(c.b)].skin.id);
  };
  std::sort(contacts_.begin(), contacts_.end(), [&](const Contact& c, const Contact& d) { return ids(c) < ids(d); });
}

void DeformableContact::add_up(const Law& law) {
  for (const std::int32_t t : touching_) tets_[static_cast<std::size_t>(t)].num_pairs = 0;
  touching_.clear();
  for (const Contact& contact : contacts_)
    for (const std::int32_t t : {contact.a, contact.b}) {
      Tet& tet = tets_[static_cast<std::size_t>(t)];
      if (tet.num_pairs++ == 0) {
        touching_.push_back(t);
        tet.sum = 0;
      }
      tet.sum += contact.overlap.volume;
    }
  for (const std::int32_t t : touching_)
    if (Tet& tet = tets_[static_cast<std::size_t>(t)]; !tet.guest)
      tet.pressing = law({tet.skin.id, tet.sum, tet.skin.volume, tet.skin.is_home});
}

void DeformableContact::find(std::span<const dist::NodeMotion> motion, const Law& law) {
  ++moment_;
  placed_.clear();
  follow_nodes(motion);
  take_in_changes(motion);
  follow_frames();
  renew_body_pairs();
  for (const std::int32_t number : to_look_around_) look_around(number);
  to_look_around_.clear();
  for (const auto& body : bodies_) body->held.optimizeIncremental(kPassesOfTree);
  look_at_candidates(motion);
  add_up(law);
  if (comm_.size() > 1) exchange_sums(motion);
}

void DeformableContact::find_again(std::span<const dist::NodeMotion> motion, const Law& law) {
  take_in_changes(motion);
  for (const std::int32_t number : to_look_around_) look_around(number);
  to_look_around_.clear();
  look_at_candidates(motion);
  add_up(law);
  if (comm_.size() > 1) exchange_sums(motion);
}

void DeformableContact::take_in_changes(std::span<const dist::NodeMotion> motion) {
  for (const std::int32_t number : changed_) {
    if (body_of_[static_cast<std::size_t>(number)] < 0) continue;
    enclose(number, motion);
    to_look_around_.push_back(number);
  }
  changed_.clear();
  keep_enclosed(motion);
  if (comm_.size() > 1) exchange_guests(motion);
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
