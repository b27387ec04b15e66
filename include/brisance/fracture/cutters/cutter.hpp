/// How failing nodes cut the mesh: plan, ids, message, apply. Rounds choose the nodes and the time; a cutter defines
/// the cut. The kinds of cutters are in one table (src/fracture/cutter_table.cpp).
#pragma once

#include "brisance/fracture/criteria/failure_search.hpp"
#include "brisance/fracture/parameters.hpp"
#include "brisance/fracture/services.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace brisance::fracture {

/// Numbers of new nodes and elements of a node's cut.
struct IdRequest {
  GlobalNode chosen;
  std::int64_t num_nodes, num_elements;
};

/// First new node and element id of each cut.
using FirstIds = std::map<GlobalNode, std::pair<std::int64_t, std::int64_t>>;

/// Sorts all requests of all ranks by node and sums them up: ids depend neither on the number of ranks nor on the order
/// of messages. The counters in MeshFacts advance by the totals. Collective.
[[nodiscard]] FirstIds give_out_ids(dist::Mesh& mesh, std::span<const IdRequest> mine);

class Cutter {
public:
  virtual ~Cutter() = default;

  /// To be called with a new mesh, and after a migration or restart. Local.
  virtual void rebuild(const dist::Mesh& /*mesh*/) {}

  /// Plans the cuts of those of these nodes that have no plan yet, with the planes in `failing`, and keeps the plans.
  /// Returns the nodes that cannot be cut there, and stores the refusal (kRefusal). Collective.
  [[nodiscard]] virtual std::vector<LocalNode> plan(dist::Mesh& mesh, std::span<const LocalNode> nodes,
                                                    const std::map<LocalNode, Failure>& failing,
                                                    Counters& counters) = 0;
  /// Discards the plans of these nodes, around which something has changed. Local.
  virtual void forget(std::span<const LocalNode> nodes) = 0;
  virtual void forget_all() = 0;

  /// Numbers that the cuts of these nodes, all planned, need. Local.
  [[nodiscard]] virtual std::vector<IdRequest> requests(const dist::Mesh& mesh,
                                                        std::span<const LocalNode> chosen) const = 0;

  /// Cuts of these nodes with the final ids, packed for every rank that holds a part of one. Local.
  [[nodiscard]] virtual std::map<int, std::vector<std::byte>> messages(const dist::Mesh& mesh,
                                                                       std::span<const LocalNode> chosen,
                                                                       const FirstIds& first_ids, double time_s,
                                                                       Counters& counters) = 0;

  /// Carries out the received cuts, and the splits that follow from them. Every holder does the same in the same order;
  /// the caller calls Mesh::finish_cuts afterwards. Collective.
  virtual void apply(dist::Mesh& mesh, const std::vector<la::Message>& received, const Services& services,
                     Counters& counters) = 0;

  /// Writes the fields of fronts (fronts.hpp) at these owned nodes, whose stars a round of cuts has changed: by default
  /// fronts are edges of the mesh. Local.
  virtual void note_fronts(dist::Mesh& mesh, std::span<const LocalNode> nodes, double time_s) const;

  /// Appends the nodes one edge away from a held node, each once, as far as they are held: cuts of nodes more than
  /// three edges apart touch no common element. Local.
  virtual void append_neighbours(const dist::Mesh& mesh, LocalNode n, std::vector<LocalNode>& list) const;
  /// Do the neighbours of a node stay the same until its own star is touched?
  [[nodiscard]] virtual bool has_fixed_neighbours() const { return true; }
};

/// Names of the cutters that Parameters::cutter may hold.
[[nodiscard]] std::vector<std::string> cutter_names();
/// Fields that the mesh must have for the cutter that the parameters name. Local.
[[nodiscard]] dist::FieldList cutter_fields(const Parameters& parameters);
/// The cutter that the parameters name. Throws core::Error naming the choices if there is none. Local.
[[nodiscard]] std::unique_ptr<Cutter> make_cutter(const Parameters& parameters);

}  // namespace brisance::fracture
