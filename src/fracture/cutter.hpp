/// How the winners of a round cut the mesh: plan, ids, message, apply. Rounds find out who cuts and when; a cutter
/// knows what a cut is. Remeshing is one; cutters that leave elements whole, with virtual nodes, would be another.
#pragma once

#include "brisance/fracture/rounds.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace brisance::fracture {

/// Numbers of new nodes and elements that a node's cut needs.
struct IdRequest {
  GlobalNode winner;
  std::int64_t num_nodes, num_elements;
};

/// First new node and element id of each cut.
using FirstIds = std::map<GlobalNode, std::pair<std::int64_t, std::int64_t>>;

/// All requests of all ranks sorted by node, then a running sum: ids depend neither on the number of ranks nor on the
/// order of messages. The counters in MeshFacts advance by the totals. Collective.
[[nodiscard]] FirstIds give_out_ids(dist::Mesh& mesh, std::span<const IdRequest> mine);

class Cutter {
public:
  virtual ~Cutter() = default;

  /// Plans the cuts of these nodes, the planes as `failing` says, and asks for their ids. A node that is not to be cut
  /// there remembers so (kRefusal) and asks for none. Collective.
  [[nodiscard]] virtual std::vector<IdRequest> plan(dist::Mesh& mesh, const std::vector<LocalNode>& winners,
                                                    const std::map<LocalNode, Failure>& failing,
                                                    Counters& counters) = 0;

  /// The planned cuts with their final ids, packed for every rank that holds a part of one. Local.
  [[nodiscard]] virtual std::map<int, std::vector<std::byte>> messages(const dist::Mesh& mesh,
                                                                       const FirstIds& first_ids, double time_s,
                                                                       Counters& counters) = 0;

  /// Carries out what arrived, and what follows from it. Every holder does the same in the same order; finish_cuts is
  /// the caller's. Collective.
  virtual void apply(dist::Mesh& mesh, const std::vector<la::Message>& received, const Services& services,
                     Counters& counters) = 0;
};

/// Elements are bisected along the plane, the node split by side, and fronts whose star falls apart after it.
[[nodiscard]] std::unique_ptr<Cutter> make_remeshing_cutter(const Parameters& parameters);

}  // namespace brisance::fracture
