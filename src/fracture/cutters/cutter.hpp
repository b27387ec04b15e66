/// How failing nodes cut the mesh: plan, ids, message, apply. Rounds find out who cuts and when; a cutter knows what
/// a cut is. Remeshing is one; cutters that leave elements whole, with virtual nodes, would be another.
#pragma once

#include "brisance/fracture/criteria/criterion.hpp"
#include "brisance/fracture/parameters.hpp"
#include "brisance/fracture/services.hpp"
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
  GlobalNode chosen;
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

  /// Plans the cuts of those of these nodes that have no plan yet, the planes as `failing` says, and keeps the plans.
  /// Returns the nodes that are not to be cut there; they remember so (kRefusal). Collective.
  [[nodiscard]] virtual std::vector<LocalNode> plan(dist::Mesh& mesh, std::span<const LocalNode> nodes,
                                                    const std::map<LocalNode, Failure>& failing,
                                                    Counters& counters) = 0;
  /// The plans of these nodes are no longer good: something around them has changed. Local.
  virtual void forget(std::span<const LocalNode> nodes) = 0;
  virtual void forget_all() = 0;

  /// What the cuts of these nodes, all of them planned, need. Local.
  [[nodiscard]] virtual std::vector<IdRequest> requests(const dist::Mesh& mesh,
                                                        std::span<const LocalNode> chosen) const = 0;

  /// Their cuts with the final ids, packed for every rank that holds a part of one. Local.
  [[nodiscard]] virtual std::map<int, std::vector<std::byte>> messages(const dist::Mesh& mesh,
                                                                       std::span<const LocalNode> chosen,
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
