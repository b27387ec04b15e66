#include "winners.hpp"

#include "brisance/core/random.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::fracture {

namespace {

WinnerSelection::Key key_of(const dist::Mesh& mesh, const Failure& failure, std::uint64_t seed, std::uint64_t turn) {
  const int half_octaves = std::clamp(std::ilogb(failure.severity * failure.severity), 0, 254);
  const std::int64_t id = mesh.node_id[failure.node].value;
  return {static_cast<std::uint64_t>(half_octaves + 1) << 56 |
              core::hash_bits(seed, static_cast<std::uint64_t>(id), turn) >> 8,
          id};
}

}  // namespace

std::vector<LocalNode> WinnerSelection::select(const dist::Mesh& mesh, const std::map<LocalNode, Failure>& failing,
                                               std::uint64_t seed, std::int64_t step, std::int64_t round) {
  const auto turn = static_cast<std::uint64_t>(step) * 4096 + static_cast<std::uint64_t>(round);
  best_.resize(mesh.node_id.size());
  raised_.resize(mesh.node_id.size());
  neighbours_.resize(mesh.node_id.size());
  std::vector<LocalNode> front;  // owned nodes whose key grew in the last sweep: the others have told their neighbours
  for (const auto& [node, failure] : failing) {
    best_[node] = key_of(mesh, failure, seed, turn);
    front.push_back(node);
  }
  marked_ = front;
  for (int sweep = 0; sweep < 2; ++sweep) {
    std::vector<LocalNode> told = mesh.update_ghosts_of(front, best_.span());
    marked_.insert(marked_.end(), told.begin(), told.end());
    front.insert(front.end(), told.begin(), told.end());
    front = tell_neighbours(mesh, front);
    for (LocalNode n : front) {
      best_[n] = raised_[n];
      raised_[n] = Key();
    }
    marked_.insert(marked_.end(), front.begin(), front.end());
    if (sweep == 0) note_surroundings(failing, front);
  }
  // The third edge is looked along from the failing nodes: nobody else needs to know.
  const std::vector<LocalNode> told = mesh.update_ghosts_of(front, best_.span());
  marked_.insert(marked_.end(), told.begin(), told.end());
  std::vector<LocalNode> winners;
  for (const auto& [node, failure] : failing)
    if (const Key key = key_of(mesh, failure, seed, turn); best_[node] == key && is_largest_around(mesh, node, key))
      winners.push_back(node);
  for (LocalNode n : marked_) best_[n] = Key();
  return winners;
}

void WinnerSelection::note_surroundings(const std::map<LocalNode, Failure>& failing,
                                        std::span<const LocalNode> reached) {
  surroundings_.assign(reached.begin(), reached.end());
  for (const auto& entry : failing) surroundings_.push_back(entry.first);
  std::sort(surroundings_.begin(), surroundings_.end());
  surroundings_.erase(std::unique(surroundings_.begin(), surroundings_.end()), surroundings_.end());
}

std::span<const LocalNode> WinnerSelection::neighbours(const dist::Mesh& mesh, LocalNode owned) {
  std::vector<LocalNode>& list = neighbours_[static_cast<std::size_t>(owned.value)];
  if (list.empty())
    for (std::int32_t e : mesh.star(owned))
      for (LocalNode c : mesh.corners(LocalElement(e)))
        if (c != owned && std::find(list.begin(), list.end(), c) == list.end()) list.push_back(c);
  return list;
}

void WinnerSelection::forget(std::span<const LocalNode> touched) {
  for (LocalNode n : touched)
    if (static_cast<std::size_t>(n.value) < neighbours_.size()) neighbours_[static_cast<std::size_t>(n.value)].clear();
}

bool WinnerSelection::is_largest_around(const dist::Mesh& mesh, LocalNode n, const Key& key) {
  return std::ranges::none_of(neighbours(mesh, n), [&](LocalNode c) { return best_[c] > key; });
}

/// An edge to an owned node lies in an element held here.
std::vector<LocalNode> WinnerSelection::tell_neighbours(const dist::Mesh& mesh, std::span<const LocalNode> front) {
  std::vector<LocalNode> reached;
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
      for (std::int32_t e : mesh.star(from))
        for (LocalNode to : mesh.corners(LocalElement(e))) tell(to);
    }
  }
  return reached;
}

}  // namespace brisance::fracture
