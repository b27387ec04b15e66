/// Fracture rounds: failing nodes whose cuts are independent crack together, until no node fails.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criteria/failure_search.hpp"
#include "brisance/fracture/parameters.hpp"
#include "brisance/fracture/services.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace brisance::fracture {

class Cutter;
class IndependentSet;

class Rounds {
public:
  /// `held`: regions with Dirichlet conditions, whose nodes do not fail; see hold(). Local.
  Rounds(const dist::Mesh& mesh, const Parameters& parameters, const ConstrainedRegions& held, Services services);
  /// With a cutter of the caller's in place of Parameters::cutter.
  Rounds(const dist::Mesh& mesh, const Parameters& parameters, const ConstrainedRegions& held, Services services,
         std::unique_ptr<Cutter> cutter);
  ~Rounds();

  /// Cracks the mesh at the current state until none of the nodes that fail now is left or the limit of rounds is
  /// reached. Nodes that begin to fail through these cuts are found at the next call. Returns true on all ranks if any
  /// rank's mesh changed; the forces of all touched nodes must then be computed again. Collective; throws core::Error
  /// on all ranks if a separation tensor is not finite.
  ///
  /// `forces`: internal forces of the current state with the separation bound.
  bool run(dist::Mesh& mesh, std::span<const dist::NodeForce> forces, double time_s, std::int64_t step);

  /// One round with the given failures: the chosen nodes among them crack or are refused and leave `failing`, as does
  /// every node whose star was touched. Returns true on all ranks if any mesh changed. Collective.
  bool crack_round(dist::Mesh& mesh, std::map<LocalNode, Failure>& failing, double time_s, std::int64_t step,
                   std::int64_t turn);

  /// To be called after a migration or restart: recomputes data per slot. Local.
  void rebuild(const dist::Mesh& mesh);

  /// From now on these regions constrain their nodes, and no others do. Local.
  void hold(const ConstrainedRegions& held);

  /// See FailureSearch::note_strain.
  void note_strain(dist::Mesh& mesh, std::span<const float> strain) { criterion_.note_strain(mesh, strain); }
  void note_strain(dist::Mesh& mesh, std::span<const LocalNode> nodes, std::span<const float> strain) {
    criterion_.note_strain(mesh, nodes, strain);
  }

  /// Cost of fracture at each owned node since the last call, by node slot (0 for nodes beyond its end), in evaluations
  /// of a separation tensor. Local.
  [[nodiscard]] std::vector<std::uint32_t> take_effort(const dist::Mesh& mesh);

  [[nodiscard]] const Counters& counters() const { return counters_; }
  [[nodiscard]] Counters& counters() { return counters_; }

  /// Memory of this rank: limits, evaluated stars, keys and neighbours of failing nodes.
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  /// crack_round without relinking the halo, which can wait for the last round of a step. Collective.
  bool round(dist::Mesh& mesh, std::map<LocalNode, Failure>& failing, double time_s, std::int64_t step,
             std::int64_t turn);

  Parameters parameters_;
  ConstrainedRegions held_;
  Services services_;
  FailureSearch criterion_;
  std::vector<GlobalNode> planned_, cut_;  ///< nodes since take_effort, an entry per plan and per cut
  std::unique_ptr<Cutter> cutter_;
  std::unique_ptr<IndependentSet> selection_;
  std::vector<LocalNode> reevaluated_;  ///< failing nodes that the last round touched and did not crack
  Counters counters_;
};

}  // namespace brisance::fracture
