#include "brisance/contact/forces/touching_tets.hpp"

#include "brisance/la/sparse_exchange.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace brisance::contact {

namespace {

/// Data of a tet that its home rank sends.
struct Answer {
  Pressing pressing;
  std::int32_t num_pairs;
};

}  // namespace

std::vector<TouchingTet> touching_tets(std::span<const ContactTet> tets, std::span<const PairOverlap> pairs) {
  std::vector<TouchingTet> all(tets.size());
  for (const PairOverlap& pair : pairs) {
    const double smaller =
        std::min(tets[static_cast<std::size_t>(pair.a)].volume, tets[static_cast<std::size_t>(pair.b)].volume);
    for (const auto& [tet, counts] : {std::pair(pair.a, pair.counts_for_a), std::pair(pair.b, pair.counts_for_b)}) {
      TouchingTet& touching = all[static_cast<std::size_t>(tet)];
      ++touching.num_pairs;
      if (counts) touching.overlap += pair.overlap.volume;
      touching.deepest = std::max(touching.deepest, pair.overlap.volume / smaller);
    }
  }
  return all;
}

void exchange(const core::Comm& comm, const ContactTets& tets, std::span<TouchingTet> touching) {
  if (comm.size() == 1) return;
  std::map<int, std::vector<GlobalElement>> questions;
  std::map<int, std::vector<std::size_t>> asking;
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const ContactTet& tet = tets.tets()[i];
    if (!tet.is_ghost() || touching[i].num_pairs == 0) continue;
    questions[tet.home].push_back(tet.id);
    asking[tet.home].push_back(i);
  }
  std::map<int, std::vector<Answer>> answers;
  for (const auto& [rank, ids] : la::exchange_arrays(comm, questions))
    for (const GlobalElement id : ids) {
      const TouchingTet& asked = touching[static_cast<std::size_t>(tets.find(id))];
      answers[rank].push_back({asked.pressing, asked.num_pairs});
    }
  for (const auto& [rank, received] : la::exchange_arrays(comm, answers))
    for (std::size_t i = 0; i < received.size(); ++i) {
      TouchingTet& ghost = touching[asking.at(rank)[i]];
      ghost.pressing = received[i].pressing;
      ghost.num_pairs = received[i].num_pairs;
    }
}

core::ExactSum stored_energy(std::span<const ContactTet> tets, std::span<const TouchingTet> touching) {
  core::ExactSum energy;
  for (std::size_t i = 0; i < tets.size(); ++i)
    if (tets[i].is_home) energy.add(tets[i].volume * touching[i].pressing.energy_density());
  return energy;
}

}  // namespace brisance::contact
