#include "brisance/contact/surface/contact_sums.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "contact/array_vec.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace brisance::contact {

void ContactSums::send(const ContactSurface& surface, const core::Comm& comm) {
  if (comm.size() == 1) return;
  std::map<int, std::vector<Contribution>> outgoing;
  std::erase_if(contributions_, [&](Contribution c) {
    if (static_cast<std::size_t>(c.slot) < surface.numbering().first_foreign()) return false;
    const dist::GhostLink& link = surface.numbering().link(c.slot);
    c.slot = link.remote_slot.value;
    outgoing[link.owner].push_back(c);
    return true;
  });
  for (const auto& [rank, received] : la::exchange_arrays(comm, outgoing))
    contributions_.insert(contributions_.end(), received.begin(), received.end());
}

// Sorted by slot in one pass, then the few of a slot by point: the order of sums is the same for any number of ranks.
void ContactSums::add_up(const ContactSurface& surface, dist::Mesh& mesh) {
  send(surface, mesh.comm());
  first_of_slot_.assign(static_cast<std::size_t>(mesh.num_node_slots()) + 1, 0);
  for (const Contribution& c : contributions_) ++first_of_slot_[static_cast<std::size_t>(c.slot) + 1];
  for (std::size_t i = 1; i < first_of_slot_.size(); ++i) first_of_slot_[i] += first_of_slot_[i - 1];
  std::vector<const Contribution*> sorted(contributions_.size());
  std::vector<std::uint32_t> next(first_of_slot_.begin(), first_of_slot_.end() - 1);
  for (const Contribution& c : contributions_) sorted[next[static_cast<std::size_t>(c.slot)]++] = &c;
  forces_.clear();
  auto& crowding = mesh.field(kContactCrowding);
  std::ranges::fill(crowding.span(), kContactCrowding.initial);
  for (std::size_t slot = 0; slot + 1 < first_of_slot_.size(); ++slot) {
    const std::span of_slot =
        std::span(sorted).subspan(first_of_slot_[slot], first_of_slot_[slot + 1] - first_of_slot_[slot]);
    if (of_slot.empty()) continue;
    std::ranges::sort(of_slot, {}, [](const Contribution* c) { return std::pair(c->point, c->other); });
    Vec3 sum = Vec3::Zero();
    double mass = 0;
    for (const Contribution* c : of_slot) {
      sum += vec(c->force);
      mass += c->mass;
    }
    const LocalNode n(static_cast<std::int32_t>(slot));
    crowding[n] = mesh.inverse_mass[n] * mass;
    forces_.push_back({n.value, sum});
  }
}

std::size_t ContactSums::memory_bytes() const { return core::bytes_of(contributions_, first_of_slot_, forces_); }

}  // namespace brisance::contact
