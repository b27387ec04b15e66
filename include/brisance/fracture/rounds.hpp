/// Fracture rounds: failing nodes that cannot disturb each other crack together, until none fails.
#pragma once

#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/fracture/criterion.hpp"
#include "brisance/fracture/parameters.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace brisance::fracture {

/// What sim lends to the rounds so that fracture knows neither dynamics nor contact.
struct Services {
  CornerForceFunction corner_forces;
  /// After each round that changed a mesh, on all ranks: mesh.touched_nodes() have new stars and masses.
  std::function<void()> cuts_finished;
  /// A node was put on the edge a b at (1−t) a + t b, its fields as declared; called for owned ones, while a and b are
  /// what they were.
  std::function<void(LocalNode created, LocalNode a, LocalNode b, double t)> node_born;
};

/// Counts of this rank's nodes since the start; add up over ranks for totals.
struct Counters {
  std::int64_t cracks = 0;               ///< nodes split by a crack plane
  std::int64_t cracks_across_ranks = 0;  ///< of these, with cut elements held by two or more ranks
  std::int64_t front_splits = 0;         ///< nodes split because their star fell apart
  std::int64_t edge_splits = 0;
  std::int64_t refused_one_sided = 0;
  std::int64_t refused_off_plane = 0;
  std::int64_t quality_snaps = 0;
  std::int64_t cracks_at_fronts = 0;  ///< of the cracks: at nodes of a front
  std::int64_t back_cracks = 0;       ///< of these: with faces behind the front (Plan::cuts_back)
  std::int64_t rounds = 0;            ///< the same on all ranks
  /// What lumping loses by edge splits, counted at home elements (VALIDATION F3): (ρV/8) t(1−t) |v_a−v_b|² each [J],
  /// and (ρV/4) t(1−t) (x_a−x_b)×(v_a−v_b) each [kg m²/s].
  core::ExactSum kinetic_energy_lost;
  std::array<core::ExactSum, 3> angular_momentum_lost;
};

/// For checkpoints (core/named_state.hpp).
template <class Visit>
void describe(Visit& visit, Counters& c) {
  visit.share("cracks", c.cracks);
  visit.share("cracks_across_ranks", c.cracks_across_ranks);
  visit.share("front_splits", c.front_splits);
  visit.share("edge_splits", c.edge_splits);
  visit.share("refused_one_sided", c.refused_one_sided);
  visit.share("refused_off_plane", c.refused_off_plane);
  visit.share("quality_snaps", c.quality_snaps);
  visit.share("cracks_at_fronts", c.cracks_at_fronts);
  visit.share("back_cracks", c.back_cracks);
  visit("rounds", c.rounds);
  visit("kinetic_energy_lost", c.kinetic_energy_lost);
  for (core::ExactSum& component : c.angular_momentum_lost) visit("angular_momentum_lost", component);
}

class Cutter;
class WinnerSelection;

class Rounds {
public:
  /// `held`: nodes that these grip do not fail; see hold(). Local.
  Rounds(const dist::Mesh& mesh, const Parameters& parameters, const HeldRegions& held, Services services);
  ~Rounds();

  /// Cracks the mesh at the current state until none of the nodes that fail now is left or the cap of rounds is
  /// reached; what begins to fail through these cuts is found at the next call. Returns true on all ranks if any rank's
  /// mesh changed; the forces of all nodes that were touched must then be computed again. Collective; throws
  /// core::Error on all ranks if a separation tensor is not finite.
  ///
  /// `forces`: internal forces of the current state with the separation bound.
  bool run(dist::Mesh& mesh, std::span<const dist::NodeForce> forces, double time_s, std::int64_t step);

  /// One round with the failures as given: the winners among them crack or are refused and leave `failing`; so does
  /// every node whose star was touched. Returns true on all ranks if any mesh changed. Collective.
  bool crack_round(dist::Mesh& mesh, std::map<LocalNode, Failure>& failing, double time_s, std::int64_t step,
                   std::int64_t turn);

  /// After a migration or restart: what is remembered per slot is computed again. Local.
  void rebuild(const dist::Mesh& mesh);

  /// From now on these regions hold their nodes, and no others do. Local.
  void hold(const HeldRegions& held);

  /// See Criterion::note_strain.
  void note_strain(dist::Mesh& mesh, std::span<const float> strain) { criterion_.note_strain(mesh, strain); }
  void note_strain(dist::Mesh& mesh, std::span<const LocalNode> nodes, std::span<const float> strain) {
    criterion_.note_strain(mesh, nodes, strain);
  }

  /// What each owned node has cost since this was last asked, by node slot (of nodes beyond its end, nothing), in looks
  /// at a separation tensor. Local.
  [[nodiscard]] std::vector<std::uint32_t> take_effort(const dist::Mesh& mesh);

  [[nodiscard]] const Counters& counters() const { return counters_; }
  [[nodiscard]] Counters& counters() { return counters_; }

  /// Of this rank: limits, stars that were looked at, keys and neighbours of nodes that fail.
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  /// crack_round without linking the halo anew: that can wait for the last of a step. Collective.
  bool round(dist::Mesh& mesh, std::map<LocalNode, Failure>& failing, double time_s, std::int64_t step,
             std::int64_t turn);

  Parameters parameters_;
  HeldRegions held_;
  Services services_;
  Criterion criterion_;
  std::vector<GlobalNode> planned_, cut_;  ///< nodes, since take_effort; with as many entries as plans and cuts
  std::unique_ptr<Cutter> cutter_;
  std::unique_ptr<WinnerSelection> selection_;
  std::vector<LocalNode> shaken_;  ///< failing nodes the last round touched and did not crack
  Counters counters_;
};

}  // namespace brisance::fracture
