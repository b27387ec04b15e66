/// Choosing which failing nodes crack in this round.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criterion.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace brisance::fracture {

/// Keeps arrays over all nodes between rounds, and goes through no more of them than the failing nodes' surroundings
/// and the ghosts.
class WinnerSelection {
public:
  /// Failing nodes whose key is the largest within three edges: their cuts touch no common element. The key is the
  /// severity in half octaves, then a hash of (seed, id, round), then the id, so that a smooth stress field does not
  /// crack in single file; it depends on nothing but the failing nodes themselves. Ascending slot. Collective.
  [[nodiscard]] std::vector<LocalNode> select(const dist::Mesh& mesh, const std::map<LocalNode, Failure>& failing,
                                              std::uint64_t seed, std::int64_t step, std::int64_t round);

  /// To be told after every round that cut: these owned nodes' elements have changed.
  void forget(std::span<const LocalNode> touched);

  /// Owned nodes that fail or have a failing neighbour, of the last call: all ends of edges its winners may cut.
  [[nodiscard]] std::span<const LocalNode> surroundings() const { return surroundings_; }

  struct Key {
    std::uint64_t rank = 0;  ///< severity bucket in the top byte, hash below; 0: not failing
    std::int64_t id = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

private:
  /// Owned neighbours of these nodes that hear of a larger key than theirs; it is left in `raised_`, since a sweep
  /// reaches one edge far.
  std::vector<LocalNode> tell_neighbours(const dist::Mesh& mesh, std::span<const LocalNode> front);
  void note_surroundings(const std::map<LocalNode, Failure>& failing, std::span<const LocalNode> reached);
  [[nodiscard]] bool is_largest_around(const dist::Mesh& mesh, LocalNode n, const Key& key);
  /// The other ends of its edges, each once: a node that fails is asked in every round, and stars name them six times.
  [[nodiscard]] std::span<const LocalNode> neighbours(const dist::Mesh& mesh, LocalNode owned);

  // Keys by node slot, zero between rounds.
  NodeField<Key> best_;            ///< largest within as many edges as sweeps were made
  NodeField<Key> raised_;          ///< what best_ becomes after the sweep
  std::vector<LocalNode> marked_;  ///< nodes with a key
  std::vector<LocalNode> surroundings_;
  std::vector<std::vector<LocalNode>> neighbours_;  ///< by node slot; empty: not looked up since it was cut
};

}  // namespace brisance::fracture
