#include "brisance/fracture/cohesive/cohesive.hpp"

#include "brisance/la/sparse_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace brisance::fracture {

namespace {

Vec3 vec(const std::array<double, 3>& x) { return Vec3(x.data()); }

double stretched_energy(const Tie& tie, double opening) {
  return 0.5 * secant_stiffness(tie, tie.damage) * opening * opening;
}

/// One end of a cohesive link, and the vector to the other end, which is the same for both.
struct Stretch {
  bool is_lower;  ///< this end has the lower id
  Vec3 apart;     ///< from the lower to the higher [m]
  double opening;
};

template <class End>
Stretch stretch(const End& here, const End& there) {
  const bool is_lower = here.id < there.id;
  const Vec3 apart =
      is_lower ? Vec3(vec(there.position) - vec(here.position)) : Vec3(vec(here.position) - vec(there.position));
  return {is_lower, apart, apart.norm()};
}

}  // namespace

double damage_at(const Tie& tie, double opening) {
  const double first = peak_opening(tie), last = tearing_opening(tie);
  return std::min(1.0, std::max(tie.damage, (opening - first) / (last - first)));
}

double secant_stiffness(const Tie& tie, double damage) {
  if (damage >= 1) return 0;
  const double first = peak_opening(tie), last = tearing_opening(tie);
  return (1 - damage) * tie.peak / (first + damage * (last - first));
}

Tie softened_to(Tie tie, double slope) {
  if (tie.slope > 0 && tie.slope <= slope) return tie;
  tie.slope = slope;
  tie.peak = std::min(tie.peak, std::sqrt(tie.energy * slope));
  return tie;
}

void CohesiveLinks::take_in(const dist::Mesh& mesh, std::span<const LocalNode> touched) {
  knows_ends_ = false;
  if (!knows_tied_) return;
  std::vector<LocalNode> tied;
  std::ranges::set_difference(tied_, touched, std::back_inserter(tied));
  const auto middle = static_cast<std::ptrdiff_t>(tied.size());
  std::ranges::copy_if(touched, std::back_inserter(tied),
                       [&](LocalNode n) { return mesh.field(kCohesiveLinks)[n].count() > 0; });
  std::inplace_merge(tied.begin(), tied.begin() + middle, tied.end());
  tied_ = std::move(tied);
}

void CohesiveLinks::gather(const dist::Mesh& mesh) {
  const auto& ties = mesh.field(kCohesiveLinks);
  if (!knows_tied_) {
    tied_.clear();
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.is_owned(n) && ties[n].count() > 0) tied_.push_back(n);
  }
  if (knows_tied_ && knows_ends_) return;
  knows_tied_ = knows_ends_ = true;
  shown_.clear();
  struct Wanted {
    GlobalNode id;
    std::int64_t rank;
  };
  std::vector<Wanted> wanted;
  std::erase_if(tied_, [&](LocalNode n) { return ties[n].count() == 0; });
  for (const LocalNode n : tied_)
    for (const Tie& tie : ties[n].span())
      if (const LocalNode other = mesh.find(tie.partner); !other.valid() || !mesh.is_owned(other))
        wanted.push_back({tie.partner, mesh.comm().rank()});
  if (mesh.comm().size() == 1) return;
  std::vector<Wanted> all = mesh.comm().all_gather(std::span<const Wanted>(wanted));
  crosses_ = !all.empty();
  std::sort(all.begin(), all.end(), [](auto& x, auto& y) { return std::tie(x.rank, x.id) < std::tie(y.rank, y.id); });
  const auto last =
      std::unique(all.begin(), all.end(), [](auto& x, auto& y) { return x.rank == y.rank && x.id == y.id; });
  for (auto w = all.begin(); w != last; ++w)
    if (const LocalNode n = mesh.find(w->id); n.valid() && mesh.is_owned(n))
      shown_[static_cast<int>(w->rank)].push_back(n);
}

void CohesiveLinks::find_ends(const dist::Mesh& mesh) {
  gather(mesh);
  ends_.clear();
  const auto& ties = mesh.field(kCohesiveLinks);
  for (const LocalNode n : tied_) {
    End& end = ends_[mesh.node_id[n]] = {.id = mesh.node_id[n]};
    std::copy_n(mesh.motion[n].position, 3, end.position.begin());
    end.mass_share = mesh.mass[n] / static_cast<double>(std::max<std::size_t>(ties[n].count(), 1));
  }
  if (!crosses_) return;
  std::map<int, std::vector<End>> outgoing;
  for (const auto& [rank, nodes] : shown_)
    for (const LocalNode n : nodes) outgoing[rank].push_back(ends_.at(mesh.node_id[n]));
  for (const auto& [rank, arrived] : la::exchange_arrays(mesh.comm(), outgoing))
    for (const End& end : arrived) ends_[end.id] = end;
}

core::ExactSum CohesiveLinks::add_forces(dist::Mesh& mesh, double step_s, double share,
                                         std::span<dist::NodeForce> forces) {
  find_ends(mesh);
  core::ExactSum lost;
  auto& all_ties = mesh.field(kCohesiveLinks);
  for (const LocalNode n : tied_) {
    Ties& ties = all_ties[n];
    const End& here = ends_.at(mesh.node_id[n]);
    const std::size_t count = ties.count();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Tie tie = ties.tie[i];
      const End& there = ends_.at(tie.partner);
      const auto [is_lower, apart, opening] = stretch(here, there);
      // 2 Σ k/m ≤ 4 share/dt² at either end bounds what all cohesive links together vibrate with (Gershgorin).
      const double slope = 2 * share * std::min(here.mass_share, there.mass_share) / (step_s * step_s);
      if (tie.slope > 0) {
        tie.damage = damage_at(tie, opening);
        const double before = stretched_energy(tie, opening);
        tie = softened_to(tie, slope);
        if (is_lower) lost.add(before - stretched_energy(tie, opening));
      } else {
        tie = softened_to(tie, slope);
        tie.damage = damage_at(tie, opening);
      }
      if (tie.damage >= 1) {
        if (is_lower) {
          mesh.field(kTornEnergy)[n] += tie.energy;
          mesh.field(kTornArea)[n] += tie.area;
        }
        continue;
      }
      const Vec3 pull = (is_lower ? 1.0 : -1.0) * secant_stiffness(tie, tie.damage) * apart;
      for (int axis = 0; axis < 3; ++axis) forces[static_cast<std::size_t>(n.value)].force[axis] += pull[axis];
      ties.tie[kept++] = tie;
    }
    std::fill(ties.tie.begin() + static_cast<std::ptrdiff_t>(kept), ties.tie.end(), Tie());
  }
  return lost;
}

CohesiveAccount CohesiveLinks::account(const dist::Mesh& mesh) {
  find_ends(mesh);
  CohesiveAccount account;
  for (const LocalNode n : tied_) {
    const auto& ties = mesh.field(kCohesiveLinks)[n];
    if (ties.count() == 0) continue;
    const End& here = ends_.at(mesh.node_id[n]);
    for (Tie tie : ties.span()) {
      const Stretch now = stretch(here, ends_.at(tie.partner));
      if (!now.is_lower) continue;
      account.tied_area.add(tie.area);
      if (!(tie.slope > 0)) continue;  // new from a cut: its ends coincide
      tie.damage = damage_at(tie, now.opening);
      account.stored.add(stretched_energy(tie, now.opening));
      account.dissipated.add(tie.energy * tie.damage);
    }
  }
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    account.dissipated.add(mesh.field(kTornEnergy)[n]);
    account.torn_area.add(mesh.field(kTornArea)[n]);
    account.waiting_area.add(mesh.field(kWaitingArea)[n]);
  }
  return account;
}

}  // namespace brisance::fracture
