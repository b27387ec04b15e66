// Tets of other ranks that come near: their homes show them, first where they are, then how hard they are pressed.
#include "brisance/contact/deformable_contact.hpp"
#include "brisance/core/byte_stream.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "deformable_tets.hpp"

#include <algorithm>
#include <utility>

namespace brisance::contact {

namespace {

/// What a tet's home knows of its pairs.
struct SumRecord {
  GlobalElement id;
  Pressing pressing;
  std::int32_t num_pairs;
  std::array<std::array<double, 3>, 4> velocity;
};

struct BoxOfRank {
  std::array<double, 3> low, high;
  int rank;
};

std::array<double, 3> numbers(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 vec(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

}  // namespace

void DeformableContact::exchange_guests(std::span<const dist::NodeMotion> motion) {
  ++exchange_;
  receive_guests(show(motion));
  exchange_moment_ = moment_;
  held_have_changed_ = false;
}

std::map<int, std::vector<std::int32_t>> DeformableContact::tets_near_others() const {
  std::vector<BoxOfRank> mine;
  for (const auto& cluster : clusters_) {
    cluster->enclose_all();
    if (cluster->all_held)
      mine.push_back({numbers(cluster->all_held->low), numbers(cluster->all_held->high), comm_.rank()});
  }
  std::map<int, std::vector<std::int32_t>> near;
  for (const BoxOfRank& box : comm_.all_gather(std::span<const BoxOfRank>(mine)))
    for (const auto& cluster : clusters_) {
      if (box.rank == comm_.rank()) break;
      const Box there{vec(box.low), vec(box.high)};
      if (!cluster->all_held || !meet(*cluster->all_held, there, 0)) continue;
      cluster->held.each_at({there.low - cluster->frame, there.high - cluster->frame}, [&](std::int32_t t) {
        if (tets_[static_cast<std::size_t>(t)].skin.is_home) near[box.rank].push_back(t);
      });
    }
  for (auto& [rank, list] : near) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return near;
}

// To each rank: which of those it knows are gone (what was cut is, and comes anew), where the others are if anything
// has moved here, and who is new.
std::map<int, std::vector<std::byte>> DeformableContact::show(std::span<const dist::NodeMotion> motion) {
  const std::map<int, std::vector<std::int32_t>> near = tets_near_others();
  for (const auto& [rank, list] : near) shown_.try_emplace(rank);
  const bool have_moved = exchange_moment_ != moment_;
  const auto places = [&](std::int32_t t) {
    std::array<std::array<double, 3>, 4> place{};
    for (std::size_t k = 0; k < 4; ++k) place[k] = numbers(position(t, k, motion));
    return place;
  };
  std::map<int, std::vector<std::byte>> outgoing;
  std::vector<std::uint8_t> is_new(tets_.size());
  for (auto& [rank, list] : shown_) {
    static const std::vector<std::int32_t> kNone;
    const auto entry = near.find(rank);
    const std::vector<std::int32_t>& now = entry == near.end() ? kNone : entry->second;
    for (const std::int32_t t : now) is_new[static_cast<std::size_t>(t)] = 1;
    std::vector<std::int32_t> gone;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto t = static_cast<std::size_t>(list[i]);
      if (is_new[t] == 0 || tets_[t].put_after == exchange_ - 1) {
        gone.push_back(static_cast<std::int32_t>(i));
      } else {
        is_new[t] = 0;
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
      if (std::exchange(is_new[static_cast<std::size_t>(t)], std::uint8_t{0}) == 0) continue;
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
      if (!any_moved && !held_have_changed_) break;
      if (!is_guest(guest))
        receive(guest);
      else if (any_moved)
        move(guest);
    }
    for (Guest& guest : fresh[rank]) receive(list.emplace_back(std::move(guest)));
  }
}

bool DeformableContact::is_guest(const Guest& guest) const {
  if (guest.number < 0) return false;
  const auto n = static_cast<std::size_t>(guest.number);
  return names_[n].id == guest.record.id && tets_[n].guest;
}

void DeformableContact::dismiss(const Guest& guest) {
  if (!is_guest(guest)) return;
  number_of_.erase(guest.record.id);
  drop(guest.number);
}

void DeformableContact::receive(Guest& guest) {
  const GuestRecord& record = guest.record;
  const auto [entry, is_new] = number_of_.try_emplace(record.id, -1);
  if (!is_new) return;  // held here as well
  const std::int32_t number = guest.number = entry->second = new_tet();
  const auto n = static_cast<std::size_t>(number);
  cluster_of_[n] = number_of_cluster(record.cluster, record.body);
  names_[n] = {record.id, record.node};
  Tet& tet = tets_[n];
  tet.skin = {record.id, record.node, {}, record.body, record.cluster, false, record.volume, record.mass};
  tet.guest = true;
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
  double travel = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 now = vec(guest.record.position[k]), moved = now - tet.position[k];
    travel = std::max(travel, (moved - drift).norm());
    if (has_moved) cluster.guests_moved += 0.25 * moved;
    tet.position[k] = now;
  }
  if (has_moved) ++cluster.num_guests;
  pace_[n].travelled += travel;
  cluster.guest_travel = std::max(cluster.guest_travel, travel);
  if (has_moved || travel == 0) {
    keep_enclosed(guest.number, {});
    return;
  }
  placed_at_[n] = -1;  // it has moved, though nothing here has
  enclose(guest.number, {});
  to_look_around_.push_back(guest.number);
}

void DeformableContact::exchange_sums(std::span<const dist::NodeMotion> motion) {
  std::map<int, std::vector<SumRecord>> outgoing;
  for (const auto& [rank, list] : shown_)
    for (const std::int32_t t : list) {
      const Tet& tet = tets_[static_cast<std::size_t>(t)];
      if (tet.num_pairs == 0) continue;
      SumRecord record{tet.skin.id, tet.pressing, tet.num_pairs, {}};
      for (std::size_t k = 0; k < 4; ++k) record.velocity[k] = numbers(velocity(tet, k, motion));
      outgoing[rank].push_back(record);
    }
  for (const auto& [rank, records] : la::exchange_arrays(comm_, outgoing))
    for (const SumRecord& record : records) {
      Tet& tet = tets_[static_cast<std::size_t>(number_of_.at(record.id))];
      if (!tet.guest || tet.num_pairs == 0) continue;  // it touches nothing of here
      tet.pressing = record.pressing;
      tet.num_pairs = record.num_pairs;
      tet.kick = 1;
      for (std::size_t k = 0; k < 4; ++k) tet.velocity[k] = vec(record.velocity[k]);
    }
}

}  // namespace brisance::contact
