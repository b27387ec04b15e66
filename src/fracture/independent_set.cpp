#include "independent_set.hpp"

#include "brisance/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace brisance::fracture {

namespace {

constexpr std::uint64_t kWon =
    std::numeric_limits<std::uint64_t>::max();  ///< rank of a chosen node: above any contender's

IndependentSet::Key key_of(const dist::Mesh& mesh, const Failure& failure, std::uint64_t seed, std::uint64_t turn) {
  const int half_octaves = std::clamp(std::ilogb(failure.severity * failure.severity), 0, 253);
  const std::int64_t id = mesh.node_id[failure.node].value;
  return {static_cast<std::uint64_t>(half_octaves + 1) << 56 |
              core::hash_bits(seed, static_cast<std::uint64_t>(id), turn) >> 8,
          id};
}

}  // namespace

std::vector<LocalNode> IndependentSet::select(const dist::Mesh& mesh, const std::map<LocalNode, Failure>& failing,
                                              std::uint64_t seed, std::int64_t step, std::int64_t round) {
  const auto turn = static_cast<std::uint64_t>(step) * 4096 + static_cast<std::uint64_t>(round);
  best_.resize(mesh.node_id.size());
  raised_.resize(mesh.node_id.size());
  neighbours_.resize(mesh.node_id.size());
  if (!cutter_->has_fixed_neighbours()) forget(std::exchange(listed_, {}));
  std::vector<Contender> open;
  for (const auto& [node, failure] : failing) open.push_back({node, key_of(mesh, failure, seed, turn)});
  excluded_.clear();
  std::vector<LocalNode> chosen, latest;
  bool is_first = true;
  do {
    spread_keys(mesh, open, latest, is_first);
    is_first = false;
    latest.clear();
    std::vector<Contender> still_open;
    for (const Contender& c : open) {
      const Key largest = largest_around(mesh, c.node);
      if (largest == c.key)
        latest.push_back(c.node);
      else if (largest.rank == kWon)
        excluded_.push_back(c.node);
      else
        still_open.push_back(c);
    }
    chosen.insert(chosen.end(), latest.begin(), latest.end());
    open = std::move(still_open);
    for (LocalNode n : marked_) best_[n] = Key();
  } while (mesh.comm().any(!open.empty()));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void IndependentSet::spread_keys(const dist::Mesh& mesh, std::span<const Contender> open,
                                 std::span<const LocalNode> chosen, bool is_first) {
  std::vector<LocalNode> front;  // owned nodes whose key grew in the last sweep; the others have passed theirs on
  for (const Contender& c : open) {
    best_[c.node] = c.key;
    front.push_back(c.node);
  }
  for (LocalNode n : chosen) {
    best_[n] = {kWon, 0};
    front.push_back(n);
  }
  marked_ = front;
  const auto take_ghosts = [&] {
    const std::vector<LocalNode> told = mesh.update_ghosts_of(front, best_.span());
    marked_.insert(marked_.end(), told.begin(), told.end());
    front.insert(front.end(), told.begin(), told.end());
  };
  for (int sweep = 0; sweep < 2; ++sweep) {
    take_ghosts();
    std::vector<LocalNode> reached = tell_neighbours(mesh, front);
    for (LocalNode n : reached) {
      best_[n] = raised_[n];
      raised_[n] = Key();
    }
    marked_.insert(marked_.end(), reached.begin(), reached.end());
    if (is_first && sweep == 0) note_surroundings(open, reached);
    front = std::move(reached);
  }
  take_ghosts();  // the third edge is covered from the contenders' side alone
}

void IndependentSet::note_surroundings(std::span<const Contender> open, std::span<const LocalNode> reached) {
  surroundings_.assign(reached.begin(), reached.end());
  for (const Contender& c : open) surroundings_.push_back(c.node);
  std::sort(surroundings_.begin(), surroundings_.end());
  surroundings_.erase(std::unique(surroundings_.begin(), surroundings_.end()), surroundings_.end());
}

std::span<const LocalNode> IndependentSet::neighbours(const dist::Mesh& mesh, LocalNode owned) {
  std::vector<LocalNode>& list = neighbours_[static_cast<std::size_t>(owned.value)];
  if (!list.empty()) return list;
  cutter_->append_neighbours(mesh, owned, list);
  if (!cutter_->has_fixed_neighbours()) listed_.push_back(owned);
  return list;
}

void IndependentSet::forget(std::span<const LocalNode> touched) {
  for (LocalNode n : touched)
    if (static_cast<std::size_t>(n.value) < neighbours_.size()) neighbours_[static_cast<std::size_t>(n.value)].clear();
}

IndependentSet::Key IndependentSet::largest_around(const dist::Mesh& mesh, LocalNode n) {
  Key largest = best_[n];
  for (LocalNode c : neighbours(mesh, n)) largest = std::max(largest, best_[c]);
  return largest;
}

/// An edge between a ghost and an owned node lies in an element held here.
std::vector<LocalNode> IndependentSet::tell_neighbours(const dist::Mesh& mesh, std::span<const LocalNode> front) {
  std::vector<LocalNode> reached, of_ghost;
  for (LocalNode from : front) {
    const Key key = best_[from];
    const auto tell = [&](LocalNode to) {
      if (!(best_[to] < key && raised_[to] < key) || !mesh.is_owned(to)) return;
      if (raised_[to].rank == 0) reached.push_back(to);
      raised_[to] = key;
    };
    if (mesh.is_owned(from)) {
      for (LocalNode to : neighbours(mesh, from)) tell(to);
    } else {
      of_ghost.clear();
      cutter_->append_neighbours(mesh, from, of_ghost);
      for (const LocalNode to : of_ghost) tell(to);
    }
  }
  return reached;
}

}  // namespace brisance::fracture
