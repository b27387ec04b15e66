#include "winners.hpp"

#include "brisance/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <compare>

namespace brisance::fracture {

namespace {

struct Key {
  std::uint64_t rank = 0;  ///< severity bucket in the top byte, hash below; 0: not failing
  std::int64_t id = 0;
  friend auto operator<=>(const Key&, const Key&) = default;
};

Key key_of(const dist::Mesh& mesh, const Failure& failure, std::uint64_t seed, std::uint64_t turn) {
  const int half_octaves = std::clamp(std::ilogb(failure.severity * failure.severity), 0, 254);
  const std::int64_t id = mesh.node_id[failure.node].value;
  return {static_cast<std::uint64_t>(half_octaves + 1) << 56 |
              core::hash_bits(seed, static_cast<std::uint64_t>(id), turn) >> 8,
          id};
}

}  // namespace

std::vector<LocalNode> select_winners(const dist::Mesh& mesh, const std::map<LocalNode, Failure>& failing,
                                      std::uint64_t seed, std::int64_t step, std::int64_t round) {
  const auto turn = static_cast<std::uint64_t>(step) * 4096 + static_cast<std::uint64_t>(round);
  NodeField<Key> best(mesh.num_node_slots());
  std::vector<LocalNode> active;  // slots with a key other than zero
  for (const auto& [node, failure] : failing) {
    best[node] = key_of(mesh, failure, seed, turn);
    active.push_back(node);
  }
  for (int sweep = 0; sweep < 3; ++sweep) {
    mesh.halo().update_ghosts(best.span());
    if (mesh.comm().size() > 1) {
      active.clear();
      for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
        if (best[LocalNode(i)].rank != 0) active.emplace_back(i);
    }
    // Push every key to the owned neighbours; an edge to an owned node lies in an element held here.
    std::vector<std::pair<LocalNode, Key>> raised;
    for (LocalNode from : active)
      for (std::int32_t e : mesh.star(from))
        for (LocalNode to : mesh.corners(LocalElement(e)))
          if (mesh.is_owned(to) && best[to] < best[from]) raised.emplace_back(to, best[from]);
    for (const auto& [to, key] : raised) {
      if (best[to].rank == 0) active.push_back(to);
      best[to] = std::max(best[to], key);
    }
  }
  std::vector<LocalNode> winners;
  for (const auto& [node, failure] : failing)
    if (best[node] == key_of(mesh, failure, seed, turn)) winners.push_back(node);
  return winners;
}

}  // namespace brisance::fracture
