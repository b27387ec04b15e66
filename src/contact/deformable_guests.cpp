// Tets of other ranks that come near: their homes show them, first where they are, then how hard they are pressed.
#include "brisance/contact/deformable_contact.hpp"
#include "brisance/core/byte_stream.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "contact/array_vec.hpp"
#include "deformable_tets.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace brisance::contact {

namespace {

/// What a tet's home knows of its pairs.
struct SumRecord {
  Pressing pressing;
  std::int32_t num_pairs;
  std::array<std::array<double, 3>, 4> velocity;
};

/// What it costs that two ranks look at a pair, in edges of the mesh that have an owner at each end, whose elements
/// both compute: an estimate, by a look at a plane in five for each look at a candidate, and a cut volume for each that
/// presses. Twice as much of both gave no less time.
constexpr double kEdgesOfACandidate = 0.5, kEdgesOfAContact = 16;

}  // namespace

void DeformableContact::exchange_guests(std::span<const dist::NodeMotion> motion) {
  const std::map<int, std::vector<std::int32_t>> near = tets_near_others(exchange_moment_ != moment_);
  ++exchange_;
  receive_guests(show(near, motion));
  exchange_moment_ = moment_;
  guests_come_back_ = false;
}

// Where nothing has moved here: what is new here, and what lies near what is new elsewhere; those that are shown stay
// so. Whether anything has moved is each rank's own matter.
std::map<int, std::vector<std::int32_t>> DeformableContact::tets_near_others(bool have_moved) {
  const std::vector<BoxOfRank> heard = comm_.all_gather(std::span<const BoxOfRank>(boxes_to_tell(have_moved)));
  for (const BoxOfRank& box : heard)
    if (box.begins_anew) std::erase_if(boxes_of_ranks_, [&](const BoxOfRank& old) { return old.rank == box.rank; });
  std::ranges::copy_if(heard, std::back_inserter(boxes_of_ranks_), &BoxOfRank::has_tets);
  std::map<int, std::vector<std::int32_t>> near;
  if (have_moved) {
    add_tets_in(boxes_of_ranks_, near);
    return near;
  }
  for (const std::int32_t t : to_look_around_) {
    if (!is_shown(t)) continue;
    const Box here = where_it_is(t);
    for (const BoxOfRank& there : boxes_of_ranks_)
      if (there.rank != comm_.rank() && meet(here, {vec(there.low), vec(there.high)}, 0)) near[there.rank].push_back(t);
  }
  add_tets_in(heard, near);
  return near;
}

std::vector<DeformableContact::BoxOfRank> DeformableContact::boxes_to_tell(bool have_moved) const {
  std::map<std::int32_t, Box> around;  // by cluster
  if (have_moved) {
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      clusters_[c]->enclose_all();
      if (clusters_[c]->all_held) around[static_cast<std::int32_t>(c)] = *clusters_[c]->all_held;
    }
  } else {
    for (const std::int32_t t : to_look_around_) {
      const auto i = static_cast<std::size_t>(t);
      if (cluster_of_[i] < 0 || tets_[i].guest) continue;
      const Box box = where_it_is(t);
      Box& all = around.try_emplace(cluster_of_[i], box).first->second;
      all = {all.low.cwiseMin(box.low), all.high.cwiseMax(box.high)};
    }
  }
  std::vector<BoxOfRank> boxes{{{}, {}, comm_.rank(), have_moved, false}};
  for (const auto& [cluster, box] : around) boxes.push_back({numbers(box.low), numbers(box.high), comm_.rank()});
  return boxes;
}

Box DeformableContact::where_it_is(std::int32_t number) const {
  const Box box = box_of(number);
  const Vec3& frame = cluster_of(number).frame;
  return {box.low + frame, box.high + frame};
}

// Boxes of a rank follow each other and overlap: what meets any of them is marked, and then gone through once.
void DeformableContact::add_tets_in(std::span<const BoxOfRank> boxes, std::map<int, std::vector<std::int32_t>>& near) {
  is_new_.resize(tets_.size());
  for (std::size_t first = 0, end = 0; first < boxes.size(); first = end) {
    const int rank = boxes[first].rank;
    while (end < boxes.size() && boxes[end].rank == rank) ++end;
    if (rank == comm_.rank()) continue;
    bool any = false;
    for (const BoxOfRank& box : boxes.subspan(first, end - first)) {
      if (!box.has_tets) continue;
      const Box there{vec(box.low), vec(box.high)};
      for (const auto& cluster : clusters_)
        if (cluster->all_held && meet(*cluster->all_held, there, 0))
          cluster->held.each_at({there.low - cluster->frame, there.high - cluster->frame}, [&](std::int32_t t) {
            is_new_[static_cast<std::size_t>(t)] = 1;
            any = true;
          });
    }
    if (!any) continue;
    std::vector<std::int32_t>& list = near[rank];
    for (std::size_t t = 0; t < is_new_.size(); ++t)
      if (std::exchange(is_new_[t], std::uint8_t{0}) != 0)
        if (const auto number = static_cast<std::int32_t>(t); is_shown(number)) list.push_back(number);
  }
  for (auto& [rank, list] : near) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

// To each rank: which of those it knows are gone (what was cut is, and comes anew), where the others are if anything
// has moved here, and who is new.
std::map<int, std::vector<std::byte>> DeformableContact::show(const std::map<int, std::vector<std::int32_t>>& near,
                                                              std::span<const dist::NodeMotion> motion) {
  for (const auto& [rank, list] : near) shown_.try_emplace(rank);
  const bool have_moved = exchange_moment_ != moment_;
  const auto places = [&](std::int32_t t) {
    std::array<std::array<double, 3>, 4> place{};
    for (std::size_t k = 0; k < 4; ++k) place[k] = numbers(position(t, k, motion));
    return place;
  };
  std::map<int, std::vector<std::byte>> outgoing;
  is_new_.resize(tets_.size());
  for (auto& [rank, list] : shown_) {
    static const std::vector<std::int32_t> kNone;
    const auto entry = near.find(rank);
    const std::vector<std::int32_t>& now = entry == near.end() ? kNone : entry->second;
    for (const std::int32_t t : now) is_new_[static_cast<std::size_t>(t)] = 1;
    std::vector<std::int32_t> gone;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto t = static_cast<std::size_t>(list[i]);
      const bool stays = have_moved ? is_new_[t] != 0 : is_shown(list[i]);
      if (!stays || put_after_[t] == exchange_ - 1) {
        gone.push_back(static_cast<std::int32_t>(i));
      } else {
        is_new_[t] = 0;
        list[kept++] = list[i];
      }
    }
    list.resize(kept);
    std::vector<std::array<std::array<double, 3>, 4>> moved;
    if (have_moved)
      for (const std::int32_t t : list) moved.push_back(places(t));
    std::vector<GuestRecord> fresh;
    std::vector<TetDepths> depths;  // where nodes count
    for (const std::int32_t t : now) {
      if (std::exchange(is_new_[static_cast<std::size_t>(t)], std::uint8_t{0}) == 0) continue;
      list.push_back(t);
      const SkinTet& tet = tets_[static_cast<std::size_t>(t)].skin;
      fresh.push_back({tet.id, tet.node, tet.body, tet.cluster, tet.volume, tet.mass, places(t)});
      if (const auto& of_tet = tets_[static_cast<std::size_t>(t)].depths) depths.push_back(*of_tet);
    }
    if (gone.empty() && moved.empty() && fresh.empty()) continue;
    core::ByteWriter out;
    out.put_all(gone);
    out.put_all(moved);
    out.put_all(fresh);
    out.put_all(depths);
    outgoing[rank] = std::move(out.bytes());
  }
  return outgoing;
}

void DeformableContact::receive_guests(const std::map<int, std::vector<std::byte>>& outgoing) {
  const bool has_moved = exchange_moment_ != moment_;
  std::map<int, std::vector<Guest>> fresh;
  std::map<int, bool> have_moved;
  for (const la::Message& message : la::sparse_exchange(comm_, outgoing)) {
    core::ByteReader in(message.bytes);
    std::vector<Guest>& list = guests_[message.rank];
    const auto gone = in.get_all<std::int32_t>();
    std::size_t next = 0, kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (next < gone.size() && static_cast<std::size_t>(gone[next]) == i) {
        dismiss(list[i]);
        ++next;
      } else {
        list[kept++] = list[i];
      }
    }
    list.resize(kept);
    const auto moved = in.get_all<std::array<std::array<double, 3>, 4>>();
    for (std::size_t i = 0; i < moved.size(); ++i) list[i].record.position = moved[i];
    have_moved[message.rank] = !moved.empty();
    for (const GuestRecord& record : in.get_all<GuestRecord>()) fresh[message.rank].push_back({record, nullptr});
    const auto depths = in.get_all<TetDepths>();
    for (std::size_t i = 0; i < depths.size(); ++i)
      fresh[message.rank][i].depths = std::make_shared<TetDepths>(depths[i]);
  }
  for (auto& [rank, list] : guests_) {
    const bool any_moved = has_moved || have_moved[rank];
    for (Guest& guest : list) {
      if (!any_moved && !guests_come_back_) break;
      if (!is_guest(guest))
        receive(guest, rank);
      else if (any_moved)
        move(guest);
    }
    for (Guest& guest : fresh[rank]) receive(list.emplace_back(std::move(guest)), rank);
  }
}

bool DeformableContact::is_guest(const Guest& guest) const {
  if (guest.number < 0) return false;
  const auto n = static_cast<std::size_t>(guest.number);
  return names_[n].id == guest.record.id && cluster_of_[n] >= 0 && !is_held(n);
}

void DeformableContact::dismiss(const Guest& guest) {
  if (!is_guest(guest)) return;
  number_of_.erase(guest.record.id);
  drop(guest.number);
}

void DeformableContact::receive(Guest& guest, int home) {
  const GuestRecord& record = guest.record;
  const auto [entry, is_new] = number_of_.try_emplace(record.id, -1);
  if (!is_new) {
    held_here_too_.insert(record.id);
    return;
  }
  const std::int32_t number = guest.number = entry->second = new_tet();
  const auto n = static_cast<std::size_t>(number);
  cluster_of_[n] = number_of_cluster(record.cluster, record.body);
  names_[n] = {record.id, record.node, record.volume};
  Tet& tet = tets_[n];
  tet.skin = {record.id, record.node, {}, {}, record.body, record.cluster, false, record.volume, record.mass};
  tet.guest = true;
  tet.home = home;
  if (guest.depths) tet.depths = std::make_unique<TetDepths>(*guest.depths);
  for (std::size_t k = 0; k < 4; ++k) tet.position[k] = vec(record.position[k]);
  placed_at_[n] = -1;  // it may have been another's in this moment
  enclose(number, {});
  to_look_around_.push_back(number);
}

void DeformableContact::move(const Guest& guest) {
  const auto n = static_cast<std::size_t>(guest.number);
  Tet& tet = tets_[n];
  Cluster& cluster = cluster_of(guest.number);
  const bool has_moved = exchange_moment_ != moment_;
  const Vec3 drift = has_moved ? cluster.last_drift : Vec3(Vec3::Zero());
  double travel = 0, bent = 0;
  Vec3 middle = Vec3::Zero();
  for (const auto& place : guest.record.position) middle += 0.25 * vec(place);
  const Vec3 with_middle = middle - middles_[n].at;
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 now = vec(guest.record.position[k]), moved = now - tet.position[k];
    travel = std::max(travel, (moved - drift).norm());
    bent = std::max(bent, (moved - with_middle).norm());
    if (has_moved) cluster.guests_moved += 0.25 * moved;
    tet.position[k] = now;
  }
  middles_[n].at = middle;
  middles_[n].bent += bent;
  if (has_moved) ++cluster.num_guests;
  travelled_[n] += travel;
  cluster.guest_travel = std::max(cluster.guest_travel, travel);
  if (has_moved || travel == 0) {
    keep_enclosed(guest.number, {});
    return;
  }
  placed_at_[n] = -1;  // it has moved, though nothing here has
  enclose(guest.number, {});
  to_look_around_.push_back(guest.number);
}

// Of what is shown, few touch something elsewhere.
void DeformableContact::ask_for_touching() {
  asking_.clear();
  asked_.clear();
  std::map<int, std::vector<GlobalElement>> questions;
  for (std::size_t t = 0; t < touching_.size(); ++t) {
    if (!touching_[t].guest) continue;
    const int home = tets_[static_cast<std::size_t>(touching_[t].tet)].home;
    asking_[home].push_back(static_cast<std::int32_t>(t));
    questions[home].push_back(touching_[t].id);
  }
  for (const auto& [rank, ids] : la::exchange_arrays(comm_, questions))
    for (const GlobalElement id : ids)  // it touches that tet here as well
      asked_[rank].push_back(touching_at_[static_cast<std::size_t>(number_of_.at(id))]);
}

DeformableContact::TouchingGuest& DeformableContact::guest_asked_for(int rank, std::size_t i) {
  const Touching& tet = touching_[static_cast<std::size_t>(asking_.at(rank)[i])];
  return touching_guests_[static_cast<std::size_t>(tet.touching_guest)];
}

void DeformableContact::exchange_velocities(std::span<const dist::NodeMotion> motion) {
  using Velocities = std::array<std::array<double, 3>, 4>;
  std::map<int, std::vector<Velocities>> outgoing;
  for (const auto& [rank, list] : asked_)
    for (const std::int32_t t : list)
      outgoing[rank].push_back(velocities(touching_[static_cast<std::size_t>(t)], motion));
  for (const auto& [rank, records] : la::exchange_arrays(comm_, outgoing))
    for (std::size_t i = 0; i < records.size(); ++i)
      for (std::size_t k = 0; k < 4; ++k) guest_asked_for(rank, i).velocity[k] = vec(records[i][k]);
}

void DeformableContact::exchange_sums(std::span<const dist::NodeMotion> motion) {
  std::map<int, std::vector<SumRecord>> outgoing;
  for (const auto& [rank, list] : asked_)
    for (const std::int32_t t : list) {
      const Touching& tet = touching_[static_cast<std::size_t>(t)];
      outgoing[rank].push_back({tet.pressing, tet.num_pairs, velocities(tet, motion)});
    }
  for (const auto& [rank, records] : la::exchange_arrays(comm_, outgoing))
    for (std::size_t i = 0; i < records.size(); ++i) {
      Touching& tet = touching_[static_cast<std::size_t>(asking_.at(rank)[i])];
      tet.pressing = records[i].pressing;
      tet.num_pairs = records[i].num_pairs;
      tet.kick_class = 0;
      for (std::size_t k = 0; k < 4; ++k) guest_asked_for(rank, i).velocity[k] = vec(records[i].velocity[k]);
    }
}

std::vector<std::int64_t> DeformableContact::rows_of_tets(std::span<const std::int64_t> number) const {
  std::vector<std::int64_t> rows(tets_.size(), -1);
  std::map<int, std::vector<GlobalElement>> questions;
  std::map<int, std::vector<std::size_t>> asking;
  for (std::size_t t = 0; t < tets_.size(); ++t) {
    if (cluster_of_[t] < 0) continue;
    const Tet& tet = tets_[t];
    if (!tet.guest) {
      rows[t] = number[static_cast<std::size_t>(tet.skin.slot[0])];
      continue;
    }
    questions[tet.home].push_back(tet.skin.id);
    asking[tet.home].push_back(t);
  }
  std::map<int, std::vector<std::int64_t>> answers;
  for (const auto& [rank, ids] : la::exchange_arrays(comm_, questions))
    for (const GlobalElement id : ids) {
      const auto entry = number_of_.find(id);
      answers[rank].push_back(entry == number_of_.end() ? -1 : rows[static_cast<std::size_t>(entry->second)]);
    }
  for (const auto& [rank, answer] : la::exchange_arrays(comm_, answers))
    for (std::size_t i = 0; i < answer.size(); ++i) rows[asking.at(rank)[i]] = answer[i];
  return rows;
}

std::vector<la::Link> DeformableContact::links(std::span<const std::int64_t> number) const {
  const std::vector<std::int64_t> rows = rows_of_tets(number);
  std::vector<la::Link> links;
  const auto add = [&](const Candidate& candidate, std::int64_t look) {
    const Tet& low = tets_[static_cast<std::size_t>(candidate.low)];
    if (low.guest || !low.skin.is_home || counts_no_more(candidate, look)) return;
    const std::int64_t from = rows[static_cast<std::size_t>(candidate.low)],
                       to = rows[static_cast<std::size_t>(candidate.high)];
    if (from < 0 || to < 0) return;
    links.push_back({from, to, candidate.safe_until == kPressed ? kEdgesOfAContact : kEdgesOfACandidate});
  };
  for (std::size_t t = 0; t < tets_.size(); ++t)
    if (cluster_of_[t] >= 0)
      for (const Candidate& candidate : candidates_[t]) add(candidate, looked_around_[t]);
  for (const ClusterPair& pair : cluster_pairs_)
    for (const Candidate& candidate : pair.candidates) add(candidate, pair.look);
  return links;
}

std::array<std::array<double, 3>, 4> DeformableContact::velocities(const Touching& tet,
                                                                   std::span<const dist::NodeMotion> motion) const {
  return {numbers(velocity(tet, 0, motion)), numbers(velocity(tet, 1, motion)), numbers(velocity(tet, 2, motion)),
          numbers(velocity(tet, 3, motion))};
}

}  // namespace brisance::contact
