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
      const std::array<std::int32_t, 4>& slot = tets_[static_cast<std::size_t>(t)].skin.slot;
      outgoing[rank].push_back({at_owner(slot[0]), at_owner(slot[1]), at_owner(slot[2]), at_owner(slot[3])});
    }
  for (const auto& [rank, owners] : la::exchange_arrays(comm_, outgoing))
    for (std::size_t i = 0; i < owners.size(); ++i)
      tets_[static_cast<std::size_t>(asking_.at(rank)[i])].at_owner = owners[i];
}

void DeformableContact::short_pressures(const AtOwner& at_owner, ShortPressures& here, bool all,
                                        const ShortPressures::MadeUpFor& since) {
  since_ = since;
  if (comm_.size() > 1) exchange_owners(at_owner);
  for (const std::int32_t t : touching_) {
    Tet& tet = tets_[static_cast<std::size_t>(t)];
    tet.step_class = tet.pressing.step_class;
    tet.kick_class = 0;
    tet.row = -1;
  }
  for (const Contact& contact : contacts_) {
    Tet &a = tets_[static_cast<std::size_t>(contact.a)], &b = tets_[static_cast<std::size_t>(contact.b)];
    if (contact.counts_for_a) a.step_class = std::max(a.step_class, b.pressing.step_class);
    if (contact.counts_for_b) b.step_class = std::max(b.step_class, a.pressing.step_class);
  }
  // Of tets held here all pairs are known.
  here.rows.clear();
  std::int32_t most = 0;
  for (const std::int32_t t : touching_) {
    Tet& tet = tets_[static_cast<std::size_t>(t)];
    if (tet.guest || (tet.step_class == 0 && !all)) continue;
    tet.kick_class = tet.step_class;
    tet.row = static_cast<std::int32_t>(here.rows.size());
    const Pressing& p = tet.pressing;
    here.rows.push_back({tet.skin.id, tet.skin.element, tet.step_class, p.law, p.share, p.forgiven, p.most,
                         1 / tet.skin.volume, most, 0});
    most += 8 * tet.num_pairs;
  }
  if (here.entries.size() < static_cast<std::size_t>(most)) here.entries.resize(static_cast<std::size_t>(most));
  for (const ContactOrder& next : order_) {
    const Contact& contact = contacts_[static_cast<std::size_t>(next.contact)];
    for (const auto& [mine, counts] :
         {std::pair(contact.a, contact.counts_for_a), std::pair(contact.b, contact.counts_for_b)})
      if (const std::int32_t row = tets_[static_cast<std::size_t>(mine)].row; counts && row >= 0)
        add_to(here, row, contact);
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

void DeformableContact::add_to(ShortPressures& pressures, std::int32_t number, const Contact& contact) const {
  ShortPressures::Row& row = pressures.rows[static_cast<std::size_t>(number)];
  ShortPressures::Entry* const entries = &pressures.entries[static_cast<std::size_t>(row.first)];
  const bool is_first = row.count == 0;  // two that touch share no node
  for (std::size_t k = 0; k < 8; ++k) {
    const auto of = static_cast<std::size_t>(k < 4 ? contact.a : contact.b);
    const std::size_t corner = k % 4;
    const GlobalNode node = names_[of].node[corner];
    ShortPressures::Entry* const end = entries + row.count;
    ShortPressures::Entry* const known =
        is_first ? end : std::find_if(entries, end, [&](const auto& entry) { return entry.node == node; });
    if (known != end) {
      known->gradient += contact.overlap.gradient[k];
      continue;
    }
    const Tet& tet = tets_[of];
    const auto [owner, slot] = tet.guest ? tet.at_owner[corner] : NodeAtOwner{kHeldHere, tet.skin.slot[corner]};
    *end = {node, owner, slot, contact.overlap.gradient[k]};
    ++row.count;
  }
}

void DeformableContact::exchange_rows(ShortPressures& here) {
  std::map<int, std::vector<ShortPressures::Row>> rows;
  std::map<int, std::vector<ShortPressures::Entry>> entries;
  for (const auto& [rank, list] : asked_)
    for (const std::int32_t t : list) {
      const Tet& tet = tets_[static_cast<std::size_t>(t)];
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
      Tet& tet = tets_[static_cast<std::size_t>(number_of_.at(row.tet))];
      tet.kick_class = row.step_class;
      if (std::ranges::none_of(of_row, [&](const auto& entry) { return entry.owner == comm_.rank(); })) continue;
      row.first = static_cast<std::int32_t>(here.entries.size());
      here.rows.push_back(row);
      here.entries.insert(here.entries.end(), of_row.begin(), of_row.end());
    }
}

}  // namespace brisance::contact
