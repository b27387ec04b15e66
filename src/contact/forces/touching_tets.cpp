#include "brisance/contact/forces/touching_tets.hpp"

#include "brisance/core/memory.hpp"
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

void TouchingTets::assign(std::span<const ContactTet> tets, std::span<const PairOverlap> pairs) {
  list_.clear();
  row_.assign(tets.size(), -1);
  for (const PairOverlap& pair : pairs) {
    const double smaller =
        std::min(tets[static_cast<std::size_t>(pair.a)].volume, tets[static_cast<std::size_t>(pair.b)].volume);
    for (const auto& [tet, counts] : {std::pair(pair.a, pair.counts_for_a), std::pair(pair.b, pair.counts_for_b)}) {
      std::int32_t& row = row_[static_cast<std::size_t>(tet)];
      if (row < 0) {
        row = static_cast<std::int32_t>(list_.size());
        list_.push_back({.tet = tet});
      }
      TouchingTet& touching = list_[static_cast<std::size_t>(row)];
      ++touching.num_pairs;
      if (counts) touching.overlap += pair.overlap.volume;
      touching.deepest = std::max(touching.deepest, pair.overlap.volume / smaller);
    }
  }
}

void TouchingTets::exchange(const core::Comm& comm, const ContactTets& all) {
  if (comm.size() == 1) return;
  std::map<int, std::vector<GlobalElement>> questions;
  std::map<int, std::vector<std::size_t>> asking;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const ContactTet& tet = all.tets()[static_cast<std::size_t>(list_[i].tet)];
    if (!tet.is_ghost()) continue;
    questions[tet.home].push_back(tet.id);
    asking[tet.home].push_back(i);
  }
  std::map<int, std::vector<Answer>> answers;
  for (const auto& [rank, ids] : la::exchange_arrays(comm, questions))
    for (const GlobalElement id : ids) {  // it is in a pair here, too
      const TouchingTet& touching = of(all.find(id));
      answers[rank].push_back({touching.pressing, touching.num_pairs});
    }
  for (const auto& [rank, received] : la::exchange_arrays(comm, answers))
    for (std::size_t i = 0; i < received.size(); ++i) {
      TouchingTet& touching = list_[asking.at(rank)[i]];
      touching.pressing = received[i].pressing;
      touching.num_pairs = received[i].num_pairs;
    }
}

core::ExactSum TouchingTets::stored(std::span<const ContactTet> tets) const {
  core::ExactSum energy;
  for (const TouchingTet& touching : list_) {
    const ContactTet& tet = tets[static_cast<std::size_t>(touching.tet)];
    if (tet.is_home) energy.add(tet.volume * touching.pressing.energy_density());
  }
  return energy;
}

std::size_t TouchingTets::memory_bytes() const { return core::bytes_of(list_, row_); }

}  // namespace brisance::contact
