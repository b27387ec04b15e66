/// Which cohesive links a split makes (cohesive.hpp): who is to be tied to whom, with how much crack area.
#pragma once

#include "brisance/fracture/cohesive/cohesive.hpp"
#include "brisance/fracture/parameters.hpp"

#include <span>
#include <utility>
#include <vector>

namespace brisance::fracture {

/// Goes along with the splits of a round. Each face pair that opens has its area and G_c once, a third at each of its
/// three nodes: one that is split right then is tied with it, another keeps it waiting until it is split itself.
class CohesiveLinkMaker {
public:
  explicit CohesiveLinkMaker(const Parameters& parameters) : parameters_(parameters) {}

  /// Splits a node as Mesh::split_node does, on every holder. Its owner divides what the node had: its cohesive links
  /// go to the copy with most of the old surface; what waits is tied between the copies that have the two sides of
  /// faces which lie upon each other at rest, in proportion to their areas, and goes on waiting where one copy has
  /// both. Where later cuts have left none that match, the copies between which most new area opens have it. Local.
  void split_node(dist::Mesh& mesh, GlobalNode node, std::span<const std::pair<GlobalElement, GlobalNode>> assignments);

  /// After several of these: partners learn of cohesive links that have moved to a copy, and new ones are made.
  /// Collective.
  void finish(dist::Mesh& mesh);

private:
  struct Opening {
    double area = 0, energy = 0;
  };
  struct NewTie {
    GlobalNode one, other;
    Tie tie;  ///< without its partner
  };
  struct Move {
    GlobalNode from, to, partner;  ///< of one of the cohesive links that moved
  };
  struct Split;

  void note_new_faces(dist::Mesh& mesh, Split& split) const;
  void divide(dist::Mesh& mesh, const Split& split);

  Parameters parameters_;
  std::vector<NewTie> made_;
  std::vector<Move> moved_;
};

}  // namespace brisance::fracture
