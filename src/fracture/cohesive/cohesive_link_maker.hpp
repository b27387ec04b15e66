/// The cohesive links that a split makes (cohesive.hpp): which nodes are linked, and with how much crack area.
#pragma once

#include "brisance/fracture/cohesive/cohesive.hpp"
#include "brisance/fracture/parameters.hpp"

#include <span>
#include <utility>
#include <vector>

namespace brisance::fracture {

/// Accompanies the splits of a round. Each face pair that opens has its area and G_c once, a third at each of its three
/// nodes: a node that is split in the same round is linked with it, another stores it as waiting until it is split
/// itself.
class CohesiveLinkMaker {
public:
  explicit CohesiveLinkMaker(const Parameters& parameters) : parameters_(parameters) {}

  /// Splits a node as Mesh::split_node does, on every holder. Its owner divides the node's data: its cohesive links go
  /// to the copy with most of the old surface; waiting area is linked between the copies that have the two sides of
  /// faces which coincide at rest, in proportion to their areas, and waits on if one copy has both. If later cuts have
  /// left no matching faces, it goes to the copies between which most new area opens. Local.
  void split_node(dist::Mesh& mesh, GlobalNode node, std::span<const std::pair<GlobalElement, GlobalNode>> assignments);

  /// To be called after several splits: updates partners of links that have moved to a copy, and makes new links.
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
