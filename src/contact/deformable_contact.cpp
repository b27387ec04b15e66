// Tets come and go; at each moment candidates are looked at, and what overlaps is added up.
#include "brisance/contact/deformable_contact.hpp"

#include "box_list.hpp"
#include "deformable_tets.hpp"
#include "restitution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace brisance::contact {

namespace {

constexpr double kLooksAnOverlap = 10;  ///< of work: a volume that two tets share, over finding that planes part them
constexpr double kLooksForNodes = 3;    ///< likewise: whether nodes of each are in the other
/// Of a way that nothing can press within: what is counted on, so that rounding of sums does not matter.
constexpr double kQuiet = 0.99;
/// Of the distance of two middles, more than what floats have of it wrong.
constexpr double kFloats = 2e-7;
/// A gap that cannot be rounding, as a share of an edge.
constexpr double kClearGap = 1e-9;
/// Of a sliver: what is bounded by that is one, however its volume would be rounded.
constexpr double kClearlyLess = 0.999;
constexpr std::array<std::int32_t, 4> kNotHeld{-1, -1, -1, -1};
constexpr std::uint8_t kTrust = 8;  ///< looks at a plane that parts two tets before a better one is sought

}  // namespace

DeformableContact::DeformableContact(const core::Comm& comm, const DeformableParameters& parameters)
    : comm_(comm), parameters_(parameters), damping_ratio_(damping_ratio(parameters.restitution)) {}
DeformableContact::DeformableContact(DeformableContact&&) noexcept = default;
DeformableContact& DeformableContact::operator=(DeformableContact&&) noexcept = default;
DeformableContact::~DeformableContact() = default;

void DeformableContact::clear() { *this = DeformableContact(comm_, parameters_); }

Box DeformableContact::box_of(std::int32_t number) const {
  const Tet& tet = tets_[static_cast<std::size_t>(number)];
  return cluster_of(number).boxes(tet.guest).box(tet.place);
}

std::int32_t DeformableContact::new_tet() {
  if (unused_.empty()) {
    tets_.emplace_back();
    corners_.push_back(kNotHeld);
    middles_.emplace_back();
    travelled_.push_back(0);
    looked_around_.push_back(0);
    candidates_.add_list();
    quiet_until_.push_back(0);
    calm_until_.push_back(0);
    nests_.emplace_back();
    margin_.push_back(0);
    effort_.push_back(0);
    placed_.emplace_back();
    placed_at_.push_back(-1);
    names_.emplace_back();
    cluster_of_.push_back(-1);
    known_at_.push_back(-1);
    touching_at_.push_back(-1);
    put_after_.push_back(kNotShown);
    return static_cast<std::int32_t>(tets_.size()) - 1;
  }
  const std::int32_t number = unused_.back();
  unused_.pop_back();
  return number;
}

void DeformableContact::put(const SkinTet& skin, std::span<const dist::NodeMotion> motion, const TetDepths& depths) {
  const auto [entry, is_new] = number_of_.try_emplace(skin.id, -1);
  if (!is_new && tets_[static_cast<std::size_t>(entry->second)].guest) {
    held_here_too_.insert(skin.id);
    drop(entry->second);
    entry->second = -1;
  }
  const bool known = entry->second >= 0;
  if (!known) entry->second = new_tet();
  const auto number = static_cast<std::size_t>(entry->second);
  Tet& tet = tets_[number];
  if (known && tet.skin == skin && (!tet.depths || *tet.depths == depths)) return;
  if (known) {
    leave_cluster(entry->second);
    candidates_.shorten(number, 0);
  }
  tet.skin = skin;
  put_after_[number] = skin.is_home ? exchange_ : kNotShown;
  if (parameters_.criterion == ContactCriterion::node_penetration) tet.depths = std::make_unique<TetDepths>(depths);
  names_[number] = {skin.id, skin.node, skin.volume};
  placed_at_[number] = -1;
  cluster_of_[number] = number_of_cluster(skin.cluster, skin.body);
  if (num_tets_at_.size() < motion.size()) {
    num_tets_at_.resize(motion.size(), 0);
    cluster_at_.resize(motion.size(), -1);
    paths_.resize(motion.size());
  }
  corners_[number] = skin.slot;
  for (const std::int32_t slot : skin.slot) {
    const auto node = static_cast<std::size_t>(slot);
    if (num_tets_at_[node]++ == 0)  // nothing is known: it moves as all do
      paths_[node] = {Vec3(motion[node].position), clusters_[static_cast<std::size_t>(cluster_of_[number])]->drift};
    cluster_at_[node] = cluster_of_[number];
  }
  changed_.push_back(entry->second);
}

bool DeformableContact::holds(GlobalElement id) const {
  const auto entry = number_of_.find(id);
  return entry != number_of_.end() && !tets_[static_cast<std::size_t>(entry->second)].guest;
}

void DeformableContact::remove(GlobalElement id) {
  const auto entry = number_of_.find(id);
  if (entry == number_of_.end() || tets_[static_cast<std::size_t>(entry->second)].guest) return;
  drop(entry->second);
  number_of_.erase(entry);
  if (held_here_too_.erase(id) > 0) guests_come_back_ = true;
}

void DeformableContact::drop(std::int32_t number) {
  const auto i = static_cast<std::size_t>(number);
  looked_around_[i] = ++looks_;
  leave_cluster(number);
  tets_[i] = Tet();
  corners_[i] = kNotHeld;
  candidates_.shorten(i, 0);
  effort_[i] = 0;
  cluster_of_[i] = -1;
  put_after_[i] = kNotShown;
  unused_.push_back(number);
}

void DeformableContact::leave_cluster(std::int32_t number) {
  Tet& tet = tets_[static_cast<std::size_t>(number)];
  if (tet.place >= 0)
    if (const std::int32_t moved = cluster_of(number).boxes(tet.guest).remove(tet.place); moved >= 0)
      tets_[static_cast<std::size_t>(moved)].place = tet.place;
  tet.place = -1;
  if (!tet.guest)
    for (const std::int32_t slot : tet.skin.slot) --num_tets_at_[static_cast<std::size_t>(slot)];
}

Vec3 DeformableContact::position(std::int32_t number, std::size_t corner,
                                 std::span<const dist::NodeMotion> motion) const {
  const auto i = static_cast<std::size_t>(number);
  return is_held(i) ? Vec3(motion[static_cast<std::size_t>(corners_[i][corner])].position) : tets_[i].position[corner];
}

void DeformableContact::ask_ahead_where_it_is(std::int32_t number) const {
  constexpr std::size_t kLine = 64;
  const auto* first = static_cast<const char*>(static_cast<const void*>(&placed_[static_cast<std::size_t>(number)]));
  for (std::size_t byte = 0; byte < sizeof(PlacedTet); byte += kLine) __builtin_prefetch(first + byte);
}

const PlacedTet& DeformableContact::placed(std::int32_t number, std::span<const dist::NodeMotion> motion) {
  const auto i = static_cast<std::size_t>(number);
  if (placed_at_[i] != moment_) {
    placed_at_[i] = moment_;
    placed_[i] = placed_tet({position(number, 0, motion), position(number, 1, motion), position(number, 2, motion),
                             position(number, 3, motion)});
  }
  return placed_[i];
}

void DeformableContact::forget_changed_contacts() {
  const auto has_changed = [&](std::int32_t tet) {
    return looked_around_[static_cast<std::size_t>(tet)] > looks_at_contacts_;
  };
  std::size_t kept = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (has_changed(contacts_[i].a) || has_changed(contacts_[i].b)) continue;
    if (kept < i) {
      contacts_[kept] = contacts_[i];
      order_[kept] = order_[i];
    }
    ++kept;
  }
  contacts_.erase(contacts_.begin() + static_cast<std::ptrdiff_t>(kept), contacts_.end());
  order_.resize(kept);
}

void DeformableContact::add_contact(const Candidate& candidate, bool counts_for_low, bool counts_for_high,
                                    const TetOverlap& overlap) {
  contacts_.push_back({candidate.low, candidate.high, counts_for_low, counts_for_high, overlap,
                       placed_[static_cast<std::size_t>(candidate.low)].coordinates(overlap.centroid),
                       placed_[static_cast<std::size_t>(candidate.high)].coordinates(overlap.centroid)});
}

// What was in order already stays so; they are moved in memory, too, since they are gone through again and again.
void DeformableContact::sort_contacts() {
  looks_at_contacts_ = looks_;
  const auto num_sorted = static_cast<std::ptrdiff_t>(order_.size());
  if (order_.size() == contacts_.size()) return;
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i].contact = static_cast<std::int32_t>(i);
  for (std::size_t i = order_.size(); i < contacts_.size(); ++i)
    order_.push_back({names_[static_cast<std::size_t>(contacts_[i].a)].id,
                      names_[static_cast<std::size_t>(contacts_[i].b)].id, contacts_[i].counts_for_b,
                      static_cast<std::int32_t>(i)});
  std::sort(order_.begin() + num_sorted, order_.end());
  std::inplace_merge(order_.begin(), order_.begin() + num_sorted, order_.end());
  contacts_.swap(unsorted_);
  contacts_.clear();
  for (const ContactOrder& next : order_) contacts_.push_back(unsorted_[static_cast<std::size_t>(next.contact)]);
}

void DeformableContact::pack_candidates() {
  candidates_.pack([&](std::size_t t, const Candidate& c) { return !counts_no_more(c, looked_around_[t]); });
  for (ClusterPair& pair : cluster_pairs_)
    std::erase_if(pair.candidates, [&](const Candidate& c) { return counts_no_more(c, pair.look); });
}

bool DeformableContact::counts_no_more(const Candidate& candidate, std::int64_t look) const {
  return looked_around_[static_cast<std::size_t>(candidate.low)] > look ||
         looked_around_[static_cast<std::size_t>(candidate.high)] > look ||
         cluster_pairs_[static_cast<std::size_t>(candidate.pair)].look > look;
}

std::size_t DeformableContact::look_at(std::span<Candidate> candidates, std::int64_t look, double way,
                                       double& quiet_until, std::span<const dist::NodeMotion> motion) {
  if (candidates.empty() || quiet_until > way) return candidates.size();
  double quiet = std::numeric_limits<double>::infinity();
  due_.clear();
  std::size_t count = candidates.size();
  for (std::size_t c = 0; c < count;) {
    Candidate& candidate = candidates[c];
    if (const double left = slack(candidate); left > 0) {
      quiet = std::min(quiet, left);
    } else {  // few: what counts no more lasts till then
      if (counts_no_more(candidate, look)) {
        candidate = candidates[--count];
        continue;
      }
      due_.push_back(static_cast<std::int32_t>(c));
      ask_ahead_where_it_is(candidate.low);
      ask_ahead_where_it_is(candidate.high);
    }
    ++c;
  }
  for (const std::int32_t c : due_) {
    Candidate& candidate = candidates[static_cast<std::size_t>(c)];
    look_at(candidate, motion);
    quiet = std::min(quiet, std::max(0.0, slack(candidate)));
  }
  quiet_until = way + kQuiet * quiet;
  return count;
}

double DeformableContact::way_of(std::int32_t number) const {
  return travelled_[static_cast<std::size_t>(number)] + cluster_of(number).way;
}

void DeformableContact::look_at_those_of(std::int32_t number, std::span<const dist::NodeMotion> motion) {
  const auto t = static_cast<std::size_t>(number);
  candidates_.shorten(t, look_at(candidates_[t], looked_around_[t], way_of(number), quiet_until_[t], motion));
}

void DeformableContact::book(const Candidate& candidate, double looks) {
  looked_ += looks;
  if (comm_.size() == 1) return;
  for (const std::int32_t t : {candidate.low, candidate.high}) effort_[static_cast<std::size_t>(t)] += 0.5 * looks;
}

void DeformableContact::leave_alone(Candidate& candidate, double room) const {
  const Middle &low = middles_[static_cast<std::size_t>(candidate.low)],
               &high = middles_[static_cast<std::size_t>(candidate.high)];
  const Vec3 apart = low.at - high.at;
  for (std::size_t k = 0; k < 3; ++k) candidate.apart[k] = static_cast<float>(apart[static_cast<Eigen::Index>(k)]);
  candidate.has_normal = false;
  candidate.safe_until = below(low.bent + high.bent + kGapShare * room - kFloats * apart.norm());
}

// Corners are no farther from each other than that along any direction, so a normal's rounding is worth that much.
void DeformableContact::leave_alone(Candidate& candidate, const Gap& room, const PlacedTet& a,
                                    const PlacedTet& b) const {
  const Middle &low = middles_[static_cast<std::size_t>(candidate.low)],
               &high = middles_[static_cast<std::size_t>(candidate.high)];
  const Vec3 exact = normal_of(a, b, room.plane);
  for (std::size_t k = 0; k < 3; ++k) candidate.apart[k] = static_cast<float>(exact[static_cast<Eigen::Index>(k)]);
  const Vec3 normal(candidate.apart[0], candidate.apart[1], candidate.apart[2]);
  double span = 0;
  for (const Vec3& x : a.corner) span = std::max(span, (x - high.at).squaredNorm());
  for (const Vec3& x : b.corner) span = std::max(span, (x - low.at).squaredNorm());
  candidate.has_normal = true;
  candidate.safe_until = below(low.bent + high.bent + kGapShare * room.width - 2 * kFloats * std::sqrt(span) -
                               normal.dot(low.at - high.at));
}

void DeformableContact::part(Candidate& candidate, const Gap& gap, const PlacedTet& a, const PlacedTet& b) const {
  candidate.plane = gap.plane;
  candidate.trust = kTrust;
  if (gap.width >= 0)
    leave_alone(candidate, gap, a, b);
  else
    leave_alone(candidate, 0);
}

void DeformableContact::look_at(Candidate& candidate, std::span<const dist::NodeMotion> motion) {
  book(candidate, 1);
  const PlacedTet &a = placed(candidate.low, motion), &b = placed(candidate.high, motion);
  if (!(a.volume > 0 && b.volume > 0)) return;  // turned inside out: there is no inside
  const bool volumes_count = parameters_.criterion == ContactCriterion::overlap_volume;
  const double sliver = kSliverShare * std::min(names_[static_cast<std::size_t>(candidate.low)].volume,
                                                names_[static_cast<std::size_t>(candidate.high)].volume),
               nothing = kClearlyLess * sliver;
  // What parted them last does so still, most often; now and then a plane with a wider gap is looked for. A face's
  // plane says that they do not overlap as face_gap says it, an edge's only where that cannot be rounding.
  if (candidate.trust > 0) {
    --candidate.trust;
    const bool is_of_face = is_of_a_face(candidate.plane);
    const double room =
        is_of_face && volumes_count ? room_at(a, b, candidate.plane, nothing) : gap_at(a, b, candidate.plane);
    if (is_of_face ? room >= 0 : room > kClearGap * (a.corner[1] - a.corner[0]).norm()) {
      leave_alone(candidate, {room, candidate.plane}, a, b);
      return;
    }
  }
  if (candidate.safe_until == kPressed && look_for_overlap(candidate, a, b, sliver)) return;
  Gap gap = volumes_count ? face_room(a, b, nothing) : face_gap(a, b);
  if (gap.width < 0 && !volumes_count) {
    look_for_nodes(candidate, a, b);
    return;
  }
  if (gap.width < 0) {
    if (look_for_overlap(candidate, a, b, sliver)) return;
    gap = edge_gap(a, b);
  }
  part(candidate, gap, a, b);
}

bool DeformableContact::look_for_overlap(Candidate& candidate, const PlacedTet& a, const PlacedTet& b, double sliver) {
  book(candidate, kLooksAnOverlap);
  TetOverlap overlap = tet_overlap(a, b);
  if (!(overlap.volume > 0)) return false;
  candidate.trust = 0;  // no plane parts them
  candidate.has_normal = false;
  candidate.safe_until = kNeverSafe;
  if (!take_sliver_off(overlap, sliver)) return true;
  candidate.safe_until = kPressed;
  add_contact(candidate, true, true, overlap);
  return true;
}

void DeformableContact::look_for_nodes(Candidate& candidate, const PlacedTet& a, const PlacedTet& b) {
  book(candidate, kLooksForNodes);
  candidate.trust = 0;  // no plane parts them
  candidate.has_normal = false;
  candidate.safe_until = kNeverSafe;
  const TetDepths &depths_a = *tets_[static_cast<std::size_t>(candidate.low)].depths,
                  &depths_b = *tets_[static_cast<std::size_t>(candidate.high)].depths;
  const TetOverlap of_a = nodes_inside(a, depths_a, b, depths_b);
  if (of_a.volume > 0) add_contact(candidate, true, false, of_a);
  TetOverlap of_b = nodes_inside(b, depths_b, a, depths_a);
  if (of_b.volume > 0) {
    std::rotate(of_b.gradient.begin(), of_b.gradient.begin() + 4, of_b.gradient.end());  // A's corners first
    add_contact(candidate, false, true, of_b);
  }
  if (!(of_a.volume > 0 || of_b.volume > 0)) leave_alone(candidate, node_gap(a, b));
}

void DeformableContact::add_up(const Law& law, std::span<const dist::NodeMotion> motion, Rates rates) {
  sort_contacts();
  for (const Touching& tet : touching_) touching_at_[static_cast<std::size_t>(tet.tet)] = -1;
  touching_.clear();
  touching_guests_.clear();
  lines_push_ = rubs_known_ = false;
  since_ = {};
  for (Contact& contact : contacts_) {
    contact.touching_a = note_touching(contact.a);
    contact.touching_b = note_touching(contact.b);
    Touching &a = touching_[static_cast<std::size_t>(contact.touching_a)],
             &b = touching_[static_cast<std::size_t>(contact.touching_b)];
    const double share = contact.overlap.volume / std::min(a.volume, b.volume);
    for (const auto& [tet, counts] : {std::pair(&a, contact.counts_for_a), std::pair(&b, contact.counts_for_b)}) {
      ++tet->num_pairs;
      if (counts) tet->sum += contact.overlap.volume;
      tet->deepest = std::max(tet->deepest, share);
    }
  }
  if (comm_.size() > 1) ask_for_touching();
  if (rates == Rates::of_overlaps) add_rates(motion);
  for (Touching& tet : touching_)
    if (!tet.guest) tet.pressing = law({tet.id, tet.element, tet.sum, tet.volume, tet.rate, tet.deepest, tet.is_home});
  if (comm_.size() > 1) exchange_sums(motion);
}

std::int32_t DeformableContact::note_touching(std::int32_t number) {
  std::int32_t& at = touching_at_[static_cast<std::size_t>(number)];
  if (at >= 0) return at;
  at = static_cast<std::int32_t>(touching_.size());
  const Tet& tet = tets_[static_cast<std::size_t>(number)];
  Touching& touching = touching_.emplace_back(Touching{.tet = number,
                                                       .id = tet.skin.id,
                                                       .element = tet.skin.element,
                                                       .slot = tet.skin.slot,
                                                       .guest = tet.guest,
                                                       .is_home = tet.skin.is_home,
                                                       .volume = tet.skin.volume,
                                                       .mass = tet.skin.mass});
  if (tet.guest) {
    touching.touching_guest = static_cast<std::int32_t>(touching_guests_.size());
    touching_guests_.emplace_back();
  }
  return at;
}

void DeformableContact::add_rates(std::span<const dist::NodeMotion> motion) {
  if (comm_.size() > 1) exchange_velocities(motion);
  for (const Contact& contact : contacts_) {
    Touching &a = touching_[static_cast<std::size_t>(contact.touching_a)],
             &b = touching_[static_cast<std::size_t>(contact.touching_b)];
    double rate = 0;
    for (std::size_t k = 0; k < 8; ++k) rate += contact.overlap.gradient[k].dot(velocity(k < 4 ? a : b, k % 4, motion));
    if (contact.counts_for_a) a.rate += rate;
    if (contact.counts_for_b) b.rate += rate;
  }
}

bool DeformableContact::have_moved(std::span<const dist::NodeMotion> motion) const {
  for (std::size_t slot = 0; slot < num_tets_at_.size(); ++slot)
    if (num_tets_at_[slot] > 0 && paths_[slot].position != Vec3(motion[slot].position)) return true;
  return false;
}

void DeformableContact::find(std::span<const dist::NodeMotion> motion, const Law& law) {
  if (!have_moved(motion)) {  // as after a row of energies: frames and what was found stay as they are
    look_again(motion);
    add_up(law, motion, Rates::of_overlaps);
    return;
  }
  ++moment_;
  contacts_.clear();
  order_.clear();
  follow_nodes(motion);
  enclose_changed(motion);
  for (std::size_t i = 0; i < tets_.size(); ++i)
    if (is_held(i)) keep_enclosed(static_cast<std::int32_t>(i), motion);
  if (comm_.size() > 1) exchange_guests(motion);
  follow_frames();
  renew_cluster_pairs(false, motion);
  look_around_changed(motion);
  to_look_around_.clear();
  if (candidates_.are_loose()) pack_candidates();
  for (std::size_t t = 0; t < tets_.size(); ++t)
    if (cluster_of_[t] >= 0) look_at_those_of(static_cast<std::int32_t>(t), motion);
  for (ClusterPair& pair : cluster_pairs_)
    pair.candidates.resize(look_at(pair.candidates, pair.look, pair.way, pair.quiet_until, motion));
  add_up(law, motion, Rates::of_overlaps);
}

bool DeformableContact::find_again(std::span<const dist::NodeMotion> motion, const Law& law, bool anew) {
  const bool are_others = look_again(motion);
  if (comm_.max(anew || are_others ? 1 : 0) == 0) return false;
  add_up(law, motion, Rates::none);
  return true;
}

// What was found in this moment stays as it is, but for tets that were put or removed since.
bool DeformableContact::look_again(std::span<const dist::NodeMotion> motion) {
  enclose_changed(motion);
  if (comm_.size() > 1) exchange_guests(motion);
  renew_cluster_pairs(true, motion);
  look_around_changed(motion);
  const std::size_t num_known = contacts_.size();
  forget_changed_contacts();
  const std::size_t num_left = contacts_.size();
  for (const std::int32_t t : to_look_around_)
    if (cluster_of_[static_cast<std::size_t>(t)] >= 0) look_at_those_of(t, motion);
  to_look_around_.clear();
  return num_left < num_known || contacts_.size() > num_left;
}

void DeformableContact::enclose_changed(std::span<const dist::NodeMotion> motion) {
  for (const std::int32_t number : changed_) {
    if (cluster_of_[static_cast<std::size_t>(number)] < 0) continue;
    enclose(number, motion);
    to_look_around_.push_back(number);
  }
  changed_.clear();
}

DeformableReport DeformableContact::report() const {
  DeformableReport report;
  report.candidates = static_cast<std::int64_t>(candidates_.num_items());
  for (const ClusterPair& pair : cluster_pairs_) report.candidates += std::ssize(pair.candidates);
  report.looked = looked_;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const Touching &a = touching_[static_cast<std::size_t>(contact.touching_a)],
                   &b = touching_[static_cast<std::size_t>(contact.touching_b)];
    if (a.guest || !a.is_home) continue;
    // Of a's nodes in b and b's in a one counts.
    const bool is_second = i > 0 && contacts_[i - 1].a == contact.a && contacts_[i - 1].b == contact.b;
    if (!is_second) ++report.pairs;
    if (!is_second && b.guest) ++report.across;
    const double area = contact.overlap.area().norm(), whole = regular_edge(contact.overlap.volume);
    const double depth = contact.overlap.volume < whole * area ? contact.overlap.volume / area : whole;
    const double smaller = regular_edge(std::min(a.volume, b.volume)), share = depth / smaller;
    if (share > kDeepShare) ++report.deep;
    const Vec3& place = contact.overlap.centroid;
    const auto order = [](double depth_share, double edge_m, const Vec3& x) {  // as over_ranks has it
      return std::tuple(-depth_share, edge_m, x[0], x[1], x[2]);
    };
    if (order(share, smaller, place) >= order(report.deepest, report.deepest_edge_m, report.deepest_place)) continue;
    report.deepest = share;
    report.deepest_edge_m = smaller;
    report.deepest_place = place;
  }
  return report;
}

DeformableReport over_ranks(const core::Comm& comm, const DeformableReport& mine) {
  DeformableReport all = mine;
  const auto counts = comm.sum(std::array<std::int64_t, 3>{mine.pairs, mine.across, mine.deep});
  all.pairs = counts[0];
  all.across = counts[1];
  all.deep = counts[2];
  all.deepest = comm.max(mine.deepest);
  bool is_here = mine.deepest == all.deepest;
  const auto least_of_equals = [&](double here) {
    const double least = comm.min(is_here ? here : std::numeric_limits<double>::infinity());
    is_here = is_here && here == least;
    return least;
  };
  all.deepest_edge_m = least_of_equals(mine.deepest_edge_m);
  for (int k = 0; k < 3; ++k) all.deepest_place[k] = least_of_equals(mine.deepest_place[k]);
  return all;
}

void DeformableContact::take_effort(std::span<double> by_slot) {
  for (std::size_t t = 0; t < tets_.size(); ++t) {
    if (effort_[t] == 0) continue;
    if (cluster_of_[t] >= 0 && !tets_[t].guest)
      for (const std::int32_t slot : tets_[t].skin.slot) by_slot[static_cast<std::size_t>(slot)] += 0.25 * effort_[t];
    effort_[t] = 0;
  }
}

std::size_t DeformableContact::memory_bytes() const {
  std::size_t bytes =
      tets_.capacity() * sizeof(Tet) + placed_.capacity() * sizeof(PlacedTet) +
      (contacts_.capacity() + unsorted_.capacity()) * sizeof(Contact) + order_.capacity() * sizeof(ContactOrder) +
      touching_.capacity() * sizeof(Touching) + touching_guests_.capacity() * sizeof(TouchingGuest) +
      paths_.capacity() * sizeof(NodePath) + losses_.capacity() * sizeof(Loss) + rubs_.capacity() * sizeof(Rub) +
      pressure_.capacity() * sizeof(double) + loss_at_.capacity() * sizeof(std::int32_t) +
      tets_.size() *
          (sizeof(Names) + sizeof(nests_[0]) + 7 * sizeof(double) + sizeof(Middle) + 7 * sizeof(std::int32_t) + 1);
  if (parameters_.criterion == ContactCriterion::node_penetration) bytes += tets_.size() * sizeof(TetDepths);
  for (const auto& [rank, list] : guests_) bytes += list.capacity() * sizeof(Guest);
  bytes += candidates_.memory_bytes();
  for (const auto& cluster : clusters_) bytes += cluster->held.memory_bytes() + cluster->guests.memory_bytes();
  bytes += cluster_pairs_.capacity() * sizeof(ClusterPair);
  for (const ClusterPair& pair : cluster_pairs_) bytes += pair.candidates.capacity() * sizeof(Candidate);
  return bytes;
}

}  // namespace brisance::contact
