/// Functions that fracture needs from its caller, and its counters.
#pragma once

#include "brisance/core/exact_sum.hpp"
#include "brisance/core/ids.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <span>

namespace brisance::fracture {

/// Computes the corner forces of the given element slots at the current state (dynamics::corner_forces, bound by sim).
using CornerForceFunction = std::function<void(std::span<const std::int32_t>, std::span<dist::CornerForces>)>;

/// Functions of sim for the rounds: fracture depends on neither dynamics nor contact.
struct Services {
  CornerForceFunction corner_forces;
  /// After each round that changed a mesh, on all ranks: mesh.touched_nodes() have new stars and masses.
  std::function<void()> cuts_finished;
  /// Called for each owned node made on the edge a b at (1−t) a + t b, with its fields as declared, while a and b are
  /// still unchanged.
  std::function<void(LocalNode created, LocalNode a, LocalNode b, double t)> node_born;
};

/// Counts of this rank's nodes since the start; add up over ranks for totals.
struct Counters {
  std::int64_t cracks = 0;               ///< nodes split by a crack plane
  std::int64_t cracks_across_ranks = 0;  ///< of these, those with cut elements held by two or more ranks
  std::int64_t front_splits = 0;         ///< nodes split because their star lost its connection
  std::int64_t edge_splits = 0;
  std::int64_t refused_one_sided = 0;
  std::int64_t refused_off_plane = 0;
  std::int64_t quality_snaps = 0;
  std::int64_t cracks_at_fronts = 0;  ///< of the cracks, those at nodes of a front
  std::int64_t back_cracks = 0;       ///< of these, those with faces behind the front (Plan::cuts_back)
  std::int64_t rounds = 0;            ///< the same on all ranks
  /// Loss of lumping by edge splits, counted on the home rank of each element (VALIDATION F3): (ρV/8) t(1−t) |v_a−v_b|²
  /// each [J], and (ρV/4) t(1−t) (x_a−x_b)×(v_a−v_b) each [kg m²/s].
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

}  // namespace brisance::fracture
