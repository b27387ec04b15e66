// Several clocks: which tets press in short steps, and how their overlaps change within a coarse one.
#include "brisance/contact/deformable_contact.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "deformable_tets.hpp"

#include <algorithm>
#include <map>

namespace brisance::contact {

namespace {

constexpr std::int32_t kHeldHere = -1;  ///< in place of an owner: the slot is this rank's

}  // namespace

void DeformableContact::exchange_owners(const AtOwner& at_owner) {
  std::map<int, std::vector<std::array<NodeAtOwner, 4>>> outgoing;
  for (const auto& [rank, list] : asked_)
    for (const std::int32_t t : list) {
      const std::array<std::int32_t, 4>& slot = touching_[static_cast<std::size_t>(t)].slot;
      outgoing[rank].push_back({at_owner(slot[0]), at_owner(slot[1]), at_owner(slot[2]), at_owner(slot[3])});
    }
  for (const auto& [rank, owners] : la::exchange_arrays(comm_, outgoing))
    for (std::size_t i = 0; i < owners.size(); ++i) guest_asked_for(rank, i).at_owner = owners[i];
}

void DeformableContact::short_pressures(const AtOwner& at_owner, ShortPressures& here, bool all,
                                        const ShortPressures::MadeUpFor& since) {
  since_ = since;
  if (comm_.size() > 1) exchange_owners(at_owner);
  for (Touching& tet : touching_) {
    tet.step_class = tet.pressing.step_class;
    tet.kick_class = 0;
    tet.row = -1;
  }
  for (const Contact& contact : contacts_) {
    Touching &a = touching_[static_cast<std::size_t>(contact.touching_a)],
             &b = touching_[static_cast<std::size_t>(contact.touching_b)];
    if (contact.counts_for_a) a.step_class = std::max(a.step_class, b.pressing.step_class);
    if (contact.counts_for_b) b.step_class = std::max(b.step_class, a.pressing.step_class);
  }
  // Of tets held here all pairs are known.
  here.rows.clear();
  std::int32_t most = 0;
  for (Touching& tet : touching_) {
    if (tet.guest || (tet.step_class == 0 && !all)) continue;
    tet.kick_class = tet.step_class;
    tet.row = static_cast<std::int32_t>(here.rows.size());
    const Pressing& p = tet.pressing;
    here.rows.push_back(
        {tet.id, tet.element, tet.step_class, p.law, p.share, p.forgiven, p.most, 1 / tet.volume, most, 0});
    most += 8 * tet.num_pairs;
  }
  if (here.entries.size() < static_cast<std::size_t>(most)) here.entries.resize(static_cast<std::size_t>(most));
  for (const Contact& contact : contacts_) {
    if (contact.counts_for_a) add_to(here, contact.touching_a, contact);
    if (contact.counts_for_b) add_to(here, contact.touching_b, contact);
  }
  std::int32_t size = 0;
  for (ShortPressures::Row& row : here.rows) {
    const auto entries = here.of(row);
    row.first = size;
    for (ShortPressures::Entry entry : entries) {
      if (entry.owner == kHeldHere) {
        const auto [owner, slot] = at_owner(entry.slot_at_owner);
        entry.owner = owner;
        entry.slot_at_owner = slot;
      }
      here.entries[static_cast<std::size_t>(size++)] = entry;
    }
  }
  if (comm_.size() > 1) {
    here.entries.resize(static_cast<std::size_t>(size));
    exchange_rows(here);
  }
  std::ranges::sort(here.rows, {}, &ShortPressures::Row::tet);
}

// Its own corners come with its first pair, and are known by their place from then on; two that touch share no node.
void DeformableContact::add_to(ShortPressures& pressures, std::int32_t number, const Contact& contact) {
  Touching& mine = touching_[static_cast<std::size_t>(number)];
  if (mine.row < 0) return;
  ShortPressures::Row& row = pressures.rows[static_cast<std::size_t>(mine.row)];
  ShortPressures::Entry* const entries = &pressures.entries[static_cast<std::size_t>(row.first)];
  const bool is_first = row.count == 0;
  if (is_first) mine.own_entries = number == contact.touching_a ? 0 : 4;
  const auto add = [&](std::int32_t tet, std::int32_t touching, std::size_t first) {
    const std::array<GlobalNode, 4>& node = names_[static_cast<std::size_t>(tet)].node;
    const Touching& its = touching_[static_cast<std::size_t>(touching)];
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3& gradient = contact.overlap.gradient[first + k];
      ShortPressures::Entry* const end = entries + row.count;
      ShortPressures::Entry* known = end;
      if (!is_first)
        known = touching == number
                    ? entries + mine.own_entries + k
                    : std::find_if(entries, end, [&](const auto& entry) { return entry.node == node[k]; });
      if (known != end) {
        known->gradient += gradient;
        continue;
      }
      const auto [owner, slot] = its.guest ? touching_guests_[static_cast<std::size_t>(its.touching_guest)].at_owner[k]
                                           : NodeAtOwner{kHeldHere, its.slot[k]};
      *end = {node[k], owner, slot, gradient};
      ++row.count;
    }
  };
  add(contact.a, contact.touching_a, 0);
  add(contact.b, contact.touching_b, 4);
}

void DeformableContact::exchange_rows(ShortPressures& here) {
  std::map<int, std::vector<ShortPressures::Row>> rows;
  std::map<int, std::vector<ShortPressures::Entry>> entries;
  for (const auto& [rank, list] : asked_)
    for (const std::int32_t t : list) {
      const Touching& tet = touching_[static_cast<std::size_t>(t)];
      if (tet.row < 0) continue;
      ShortPressures::Row row = here.rows[static_cast<std::size_t>(tet.row)];
      const auto of_row = here.of(row);
      row.element = {};
      row.first = static_cast<std::int32_t>(entries[rank].size());
      rows[rank].push_back(row);
      entries[rank].insert(entries[rank].end(), of_row.begin(), of_row.end());
    }
  const auto received = la::exchange_arrays(comm_, rows);
  const auto their_entries = la::exchange_arrays(comm_, entries);
  for (std::size_t r = 0; r < received.size(); ++r)
    for (ShortPressures::Row row : received[r].second) {
      const auto of_row = std::span(their_entries[r].second)
                              .subspan(static_cast<std::size_t>(row.first), static_cast<std::size_t>(row.count));
      const auto number = static_cast<std::size_t>(number_of_.at(row.tet));
      touching_[static_cast<std::size_t>(touching_at_[number])].kick_class = row.step_class;
      if (std::ranges::none_of(of_row, [&](const auto& entry) { return entry.owner == comm_.rank(); })) continue;
      row.first = static_cast<std::int32_t>(here.entries.size());
      here.rows.push_back(row);
      here.entries.insert(here.entries.end(), of_row.begin(), of_row.end());
    }
}

}  // namespace brisance::contact
