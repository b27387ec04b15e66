// Tets of other ranks that come near: their homes show them, first where they are, then how hard they are pressed.
#include "brisance/contact/deformable_contact.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "deformable_tets.hpp"

#include <algorithm>

namespace brisance::contact {

/// A tet as its home shows it.
struct DeformableContact::GuestRecord {
  GlobalElement id;
  std::array<GlobalNode, 4> node;
  std::int64_t body, cluster;
  double volume, mass;
  std::array<std::array<double, 3>, 4> position;
};

/// What follows, where nodes count.
struct DeformableContact::DepthsRecord {
  GlobalElement id;
  TetDepths depths;
};

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
  std::vector<BoxOfRank> mine;
  for (const auto& cluster : clusters_) {
    cluster->enclose_all();
    if (cluster->all_held)
      mine.push_back({numbers(cluster->all_held->low), numbers(cluster->all_held->high), comm_.rank()});
  }
  std::map<int, std::vector<GuestRecord>> outgoing;
  shown_.clear();
  for (const BoxOfRank& box : comm_.all_gather(std::span<const BoxOfRank>(mine)))
    for (const auto& cluster : clusters_) {
      if (box.rank == comm_.rank()) break;
      const Box there{vec(box.low), vec(box.high)};
      if (!cluster->all_held || !meet(*cluster->all_held, there, 0)) continue;
      cluster->held.each_at({there.low - cluster->frame, there.high - cluster->frame}, [&](std::int32_t t) {
        if (tets_[static_cast<std::size_t>(t)].skin.is_home) shown_[box.rank].push_back(t);
      });
    }
  for (auto& [rank, list] : shown_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (const std::int32_t t : list) {
      const SkinTet& tet = tets_[static_cast<std::size_t>(t)].skin;
      GuestRecord record{tet.id, tet.node, tet.body, tet.cluster, tet.volume, tet.mass, {}};
      for (std::size_t k = 0; k < 4; ++k) record.position[k] = numbers(position(t, k, motion));
      outgoing[rank].push_back(record);
    }
  }
  for (const auto& [rank, records] : la::exchange_arrays(comm_, outgoing))
    for (const GuestRecord& record : records) receive_guest(record);
  if (parameters_.criterion == ContactCriterion::node_penetration) exchange_depths();
  for (std::size_t i = 0; i < tets_.size(); ++i) {
    const Tet& tet = tets_[i];
    if (cluster_of_[i] < 0 || !tet.guest || tet.seen_at == exchange_) continue;
    number_of_.erase(tet.skin.id);
    drop(static_cast<std::int32_t>(i));
  }
  exchange_moment_ = moment_;
}

void DeformableContact::receive_guest(const GuestRecord& record) {
  const auto [entry, is_new] = number_of_.try_emplace(record.id, -1);
  if (is_new) entry->second = new_tet();
  const std::int32_t number = entry->second;
  Tet& tet = tets_[static_cast<std::size_t>(number)];
  if (!is_new && !tet.guest) return;  // held here as well
  const std::int32_t cluster_number = number_of_cluster(record.cluster, record.body);
  const bool elsewhere = !is_new && cluster_of_[static_cast<std::size_t>(number)] != cluster_number;
  if (elsewhere) leave_cluster(number);  // what a cut left of it
  cluster_of_[static_cast<std::size_t>(number)] = cluster_number;
  names_[static_cast<std::size_t>(number)] = {record.id, record.node};
  Cluster& cluster = cluster_of(number);
  bool changed = is_new || elsewhere || tet.skin.node != record.node;
  double travel = 0;
  const bool has_moved = exchange_moment_ != moment_;
  const Vec3 drift = has_moved ? cluster.last_drift : Vec3(Vec3::Zero());
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 now = vec(record.position[k]);
    if (!changed) {
      const Vec3 moved = now - tet.position[k];
      travel = std::max(travel, (moved - drift).norm());
      if (has_moved) cluster.guests_moved += 0.25 * moved;
    }
    tet.position[k] = now;
  }
  if (!changed && has_moved) ++cluster.num_guests;
  changed = changed || (travel > 0 && !has_moved);  // it has, though nothing here has
  pace_[static_cast<std::size_t>(number)].travelled += travel;
  cluster.guest_travel = std::max(cluster.guest_travel, travel);
  tet.skin = {record.id, record.node, {}, record.body, record.cluster, false, record.volume, record.mass};
  tet.guest = true;
  tet.seen_at = exchange_;
  if (!changed) {
    keep_enclosed(number, {});
    return;
  }
  placed_at_[static_cast<std::size_t>(number)] = -1;  // it may have been another's in this moment
  enclose(number, {});
  to_look_around_.push_back(number);
}

void DeformableContact::exchange_depths() {
  std::map<int, std::vector<DepthsRecord>> outgoing;
  for (const auto& [rank, list] : shown_)
    for (const std::int32_t t : list)
      outgoing[rank].push_back(
          {tets_[static_cast<std::size_t>(t)].skin.id, *tets_[static_cast<std::size_t>(t)].depths});
  for (const auto& [rank, records] : la::exchange_arrays(comm_, outgoing))
    for (const DepthsRecord& record : records) {
      const std::int32_t number = number_of_.at(record.id);
      Tet& tet = tets_[static_cast<std::size_t>(number)];
      if (!tet.guest || (tet.depths && *tet.depths == record.depths)) continue;
      tet.depths = std::make_unique<TetDepths>(record.depths);
      to_look_around_.push_back(number);  // a neighbour of it was cut: what is in it is looked at again
    }
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
      if (!tet.guest) continue;
      tet.pressing = record.pressing;
      tet.num_pairs = record.num_pairs;
      tet.kick = 1;
      for (std::size_t k = 0; k < 4; ++k) tet.velocity[k] = vec(record.velocity[k]);
    }
}

}  // namespace brisance::contact
