/// Choice of the failing nodes that crack in this round.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criteria/failure_search.hpp"
#include "brisance/fracture/cutters/cutter.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace brisance::fracture {

/// Keeps arrays over all nodes between rounds, and reads no more of them than the surroundings of failing nodes and the
/// ghosts.
class IndependentSet {
public:
  /// @param cutter  knows which nodes are neighbours; must outlive this object
  explicit IndependentSet(const Cutter& cutter) : cutter_(&cutter) {}

  /// A maximal independent set of the failing nodes, no two within three edges of each other: their cuts touch no
  /// common element. Chosen are those whose key is the largest within three edges, then those whose key is the largest
  /// of the rest beyond three edges from any chosen node, until nothing is left (in order of keys; Luby 1986). The key
  /// is the severity in half octaves, then a hash of (seed, id, round), then the id, so that in a smooth stress field
  /// many nodes crack in one round. It depends on nothing but the failing nodes themselves. Ascending slot. Collective.
  [[nodiscard]] std::vector<LocalNode> select(const dist::Mesh& mesh, const std::map<LocalNode, Failure>& failing,
                                              std::uint64_t seed, std::int64_t step, std::int64_t round);

  /// To be called after every round that cut, with the owned nodes whose elements have changed.
  void forget(std::span<const LocalNode> touched);

  /// Owned nodes of the last call that fail or have a failing neighbour: all ends of edges that its chosen nodes may
  /// cut.
  [[nodiscard]] std::span<const LocalNode> surroundings() const { return surroundings_; }

  /// Excluded nodes of the last call: failing nodes with a chosen node within three edges.
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

  /// Sets `best_` of each node to the largest key of the contenders and chosen nodes (kWon) within two edges. The first
  /// call also stores the surroundings.
  void spread_keys(const dist::Mesh& mesh, std::span<const Contender> open, std::span<const LocalNode> chosen,
                   bool is_first);
  /// Sends the keys of these nodes one edge far into `raised_`; returns their owned neighbours whose key grew.
  std::vector<LocalNode> tell_neighbours(const dist::Mesh& mesh, std::span<const LocalNode> front);
  void note_surroundings(std::span<const Contender> open, std::span<const LocalNode> reached);
  /// The largest `best_` of the node and its neighbours.
  [[nodiscard]] Key largest_around(const dist::Mesh& mesh, LocalNode n);
  /// Cutter::append_neighbours; cached, since a node needs them several times a round.
  [[nodiscard]] std::span<const LocalNode> neighbours(const dist::Mesh& mesh, LocalNode owned);

  const Cutter* cutter_;
  // Keys by node slot, zero between rounds.
  NodeField<Key> best_;            ///< largest within as many edges as there were sweeps
  NodeField<Key> raised_;          ///< best_ after the current sweep
  std::vector<LocalNode> marked_;  ///< nodes with a key
  std::vector<LocalNode> surroundings_, excluded_;
  std::vector<std::vector<LocalNode>> neighbours_;  ///< by node slot; empty: not computed since the last cut
  /// Nodes with such a list in this round, if lists are not valid for longer (Cutter::has_fixed_neighbours).
  std::vector<LocalNode> listed_;
};

}  // namespace brisance::fracture
