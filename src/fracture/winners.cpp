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
  for (const auto& [node, failure] : failing) {
    best_[node] = key_of(mesh, failure, seed, turn);
    active_.push_back(node);
  }
  for (int sweep = 0; sweep < 3; ++sweep) {
    mesh.halo().update_ghosts(best_.span());
    std::erase_if(active_, [&](LocalNode n) { return !mesh.is_owned(n); });
    for (LocalNode n : mesh.halo().ghosts())
      if (best_[n].rank != 0) active_.push_back(n);
    // Push every key to the owned neighbours; an edge to an owned node lies in an element held here.
    std::vector<std::pair<LocalNode, Key>> raised;
    for (LocalNode from : active_)
      for (std::int32_t e : mesh.star(from))
        for (LocalNode to : mesh.corners(LocalElement(e)))
          if (mesh.is_owned(to) && best_[to] < best_[from]) raised.emplace_back(to, best_[from]);
    for (const auto& [to, key] : raised) {
      if (best_[to].rank == 0) active_.push_back(to);
      best_[to] = std::max(best_[to], key);
    }
  }
  std::vector<LocalNode> winners;
  for (const auto& [node, failure] : failing)
    if (best_[node] == key_of(mesh, failure, seed, turn)) winners.push_back(node);
  for (LocalNode n : active_) best_[n] = Key();
  active_.clear();
  return winners;
}

}  // namespace brisance::fracture
