// Several clocks: which tets press in short steps, and how their overlaps change within a coarse one.
#include "brisance/contact/deformable_contact.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "deformable_tets.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

namespace {

/// What other ranks have to know of a tet that they may touch.
struct ClassRecord {
  GlobalElement id;
  std::int32_t step_class;
  std::array<NodeAtOwner, 4> node;
};

// The mean of two steps takes velocities, which lag by half a step of the one, to where they lag by half of the other
// (sim's Simulation::kick_across_changes).
core::StepShares shares_of(PressureClasses classes) {
  const double now = std::ldexp(1.0, -classes.own), before = std::ldexp(1.0, -classes.before);
  return {.now = now, .before = before, .kick = 0.5 * (now + before)};
}

/// Of a row, all of one node added up as they come.
void merge(std::vector<ShortPressures::Entry>& entries) {
  std::ranges::stable_sort(entries, {}, &ShortPressures::Entry::node);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (kept > 0 && entries[kept - 1].node == entries[i].node)
      entries[kept - 1].gradient += entries[i].gradient;
    else
      entries[kept++] = entries[i];
  entries.resize(kept);
}

}  // namespace

void DeformableContact::exchange_classes() {
  std::map<int, std::vector<ClassRecord>> outgoing;
  for (const auto& [rank, list] : shown_)
    for (const std::int32_t t : list)
      if (const Tet& tet = tets_[static_cast<std::size_t>(t)]; tet.num_pairs > 0)
        outgoing[rank].push_back({tet.skin.id, tet.classes.own, tet.at_owner});
  for (const auto& [rank, records] : la::exchange_arrays(comm_, outgoing))
    for (const ClassRecord& record : records)
      if (Tet& tet = tets_[static_cast<std::size_t>(number_of_.at(record.id))]; tet.guest) {
        tet.classes.own = record.step_class;
        tet.at_owner = record.node;
      }
}

ShortPressures DeformableContact::short_pressures(const ClassesOf& classes_of, const AtOwner& at_owner) {
  for (const std::int32_t t : touching_) {
    Tet& tet = tets_[static_cast<std::size_t>(t)];
    if (tet.guest) continue;
    tet.classes = classes_of(tet.skin.id);
    for (std::size_t k = 0; k < 4; ++k) tet.at_owner[k] = at_owner(tet.skin.slot[k]);
  }
  if (comm_.size() > 1) exchange_classes();

  // A held tet's pairs are all known here.
  std::vector<std::int32_t> finest(tets_.size(), 0);
  for (const Contact& contact : contacts_)
    for (const auto& [mine, other] : {std::pair(contact.a, contact.b), std::pair(contact.b, contact.a)})
      finest[static_cast<std::size_t>(mine)] =
          std::max(finest[static_cast<std::size_t>(mine)], tets_[static_cast<std::size_t>(other)].classes.own);
  std::vector<std::vector<ShortPressures::Entry>> entries(tets_.size());
  for (const std::int32_t t : touching_) {
    Tet& tet = tets_[static_cast<std::size_t>(t)];
    if (tet.guest) continue;
    tet.classes.own = std::max(tet.classes.own, finest[static_cast<std::size_t>(t)]);
    tet.shares = shares_of(tet.classes);
  }
  const auto is_short = [&](const Tet& tet) { return !tet.guest && std::max(tet.classes.own, tet.classes.before) > 0; };
  for (const ContactOrder& next : order_) {
    const Contact& contact = contacts_[static_cast<std::size_t>(next.contact)];
    for (const std::int32_t mine : {contact.a, contact.b}) {
      if (!is_short(tets_[static_cast<std::size_t>(mine)])) continue;
      auto& of_row = entries[static_cast<std::size_t>(mine)];
      for (std::size_t k = 0; k < 8; ++k) {
        const Tet& tet = tets_[static_cast<std::size_t>(k < 4 ? contact.a : contact.b)];
        const NodeAtOwner& node = tet.at_owner[k % 4];
        of_row.push_back({tet.skin.node[k % 4], node.owner, node.slot, contact.overlap.gradient[k]});
      }
    }
  }

  ShortPressures here;
  const auto add = [&](ShortPressures::Row row, std::span<const ShortPressures::Entry> of_row, ShortPressures& to) {
    row.first = static_cast<std::int32_t>(to.entries.size());
    row.count = static_cast<std::int32_t>(of_row.size());
    to.rows.push_back(row);
    to.entries.insert(to.entries.end(), of_row.begin(), of_row.end());
  };
  std::vector<std::int32_t> row_of(tets_.size(), -1);
  for (const std::int32_t t : touching_) {
    const Tet& tet = tets_[static_cast<std::size_t>(t)];
    if (!is_short(tet)) continue;
    merge(entries[static_cast<std::size_t>(t)]);
    row_of[static_cast<std::size_t>(t)] = static_cast<std::int32_t>(here.rows.size());
    add({tet.skin.id, tet.classes.own, tet.shares, tet.pressing.pressure, tet.pressing.stiffness / tet.skin.volume, 0,
         0},
        entries[static_cast<std::size_t>(t)], here);
  }
  if (comm_.size() > 1) exchange_rows(row_of, here);
  std::ranges::sort(here.rows, {}, &ShortPressures::Row::tet);
  return here;
}

void DeformableContact::exchange_rows(std::span<const std::int32_t> row_of, ShortPressures& here) {
  std::map<int, std::vector<ShortPressures::Row>> rows;
  std::map<int, std::vector<ShortPressures::Entry>> entries;
  for (const auto& [rank, list] : shown_)
    for (const std::int32_t t : list) {
      if (row_of[static_cast<std::size_t>(t)] < 0) continue;
      ShortPressures::Row row = here.rows[static_cast<std::size_t>(row_of[static_cast<std::size_t>(t)])];
      const auto of_row = here.of(row);
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
      if (!tet.guest) continue;
      tet.shares = row.shares;
      if (std::ranges::none_of(of_row, [&](const auto& entry) { return entry.owner == comm_.rank(); })) continue;
      row.first = static_cast<std::int32_t>(here.entries.size());
      here.rows.push_back(row);
      here.entries.insert(here.entries.end(), of_row.begin(), of_row.end());
    }
}

}  // namespace brisance::contact
