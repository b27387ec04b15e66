/// Choosing which failing nodes crack in this round.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criteria/criterion.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace brisance::fracture {

/// Keeps arrays over all nodes between rounds, and goes through no more of them than the failing nodes' surroundings
/// and the ghosts.
class IndependentSet {
public:
  /// As many failing nodes as can be, no two within three edges of each other: their cuts touch no common element.
  /// Those whose key is the largest within three edges win, then those whose is the largest of what is left beyond
  /// three edges from any chosen node, until nothing is left (the maximal independent set taken in order of keys; Luby
  /// 1986). The key is the severity in half octaves, then a hash of (seed, id, round), then the id, so that a smooth
  /// stress field does not crack in single file; it depends on nothing but the failing nodes themselves. Ascending
  /// slot. Collective.
  [[nodiscard]] std::vector<LocalNode> select(const dist::Mesh& mesh, const std::map<LocalNode, Failure>& failing,
                                              std::uint64_t seed, std::int64_t step, std::int64_t round);

  /// To be told after every round that cut: these owned nodes' elements have changed.
  void forget(std::span<const LocalNode> touched);

  /// Owned nodes that fail or have a failing neighbour, of the last call: all ends of edges its chosen nodes may cut.
  [[nodiscard]] std::span<const LocalNode> surroundings() const { return surroundings_; }

  /// Failing nodes of the last call that did not win: each has a chosen node within three edges.
  [[nodiscard]] std::span<const LocalNode> excluded() const { return excluded_; }

  struct Key {
    std::uint64_t rank = 0;  ///< severity bucket in the top byte, hash below; 0: not failing
    std::int64_t id = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  [[nodiscard]] std::size_t memory_bytes() const {
    std::size_t bytes = core::bytes_of(best_, raised_, neighbours_);
    for (const auto& list : neighbours_) bytes += core::bytes_of(list);
    return bytes;
  }

private:
  struct Contender {
    LocalNode node;
    Key key;
  };

  /// Leaves in `best_`, within two edges of each node, the largest key of the contenders and chosen nodes (kWon).
  /// The first time it notes the surroundings as well.
  void spread_keys(const dist::Mesh& mesh, std::span<const Contender> open, std::span<const LocalNode> chosen,
                   bool is_first);
  /// Owned neighbours of these nodes that hear of a larger key than theirs; it is left in `raised_`, since a sweep
  /// reaches one edge far.
  std::vector<LocalNode> tell_neighbours(const dist::Mesh& mesh, std::span<const LocalNode> front);
  void note_surroundings(std::span<const Contender> open, std::span<const LocalNode> reached);
  /// Of what `best_` holds for the node and its neighbours.
  [[nodiscard]] Key largest_around(const dist::Mesh& mesh, LocalNode n);
  /// The other ends of its edges, each once: a node that fails is asked in every round, and stars name them six times.
  [[nodiscard]] std::span<const LocalNode> neighbours(const dist::Mesh& mesh, LocalNode owned);

  // Keys by node slot, zero between rounds.
  NodeField<Key> best_;            ///< largest within as many edges as sweeps were made
  NodeField<Key> raised_;          ///< what best_ becomes after the sweep
  std::vector<LocalNode> marked_;  ///< nodes with a key
  std::vector<LocalNode> surroundings_, excluded_;
  std::vector<std::vector<LocalNode>> neighbours_;  ///< by node slot; empty: not looked up since it was cut
};

}  // namespace brisance::fracture
