/// What a run consists of beside its mesh, as plain values: clock, accounts, bounds of the step.
#pragma once

#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/core/named_state.hpp"
#include "brisance/core/step_shares.hpp"
#include "brisance/core/types.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/sim/dust.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace brisance::sim {

/// Wall seconds spent in the phases of the steps so far, this rank.
struct PhaseSeconds {
  double forces = 0, subcycling = 0, fracture = 0, contact = 0, integration = 0, halo = 0, step_bound = 0, balance = 0;
};

inline constexpr double kWorstShare = 1e-3;  ///< of elements, those with the shortest steps

/// How long a step may be, and what limits it.
struct StepBound {
  double element_step_s = 0;           ///< shortest stable step of any element at its current strain [s]
  double without_worst_s = 0;          ///< of all elements but kWorstShare, at the last evaluation at all of them [s]
  std::int64_t limiting_element = -1;  ///< global id of the element it belongs to
  double max_strain = 0;               ///< largest ‖ε‖ of any element
  double largest_wave_frequency = 0;   ///< c_p/h₀ of any node so far [1/s]
  double smallest_mass = 0;            ///< of any node so far [kg]
  double coarse_step_s = 0;            ///< of elements of class 0 (dynamics/step_classes.hpp), no safety factor
  int finest_class = 0;                ///< of any element; 0: all take the same step
};

/// Energies of one moment; they close: kinetic + elastic + gravity + contact + cohesive + losses − supplied − step
/// change is constant. Implicit steps have a loss of their own, what the integrator takes. Of symplectic Euler's,
/// kinetic energy and works are shifted by half a step, to the time of the positions (half_step.cpp).
struct Energies {
  double kinetic = 0, elastic = 0, gravity = 0, contact = 0;  ///< [J]; bodies included in kinetic and gravity
  /// Dissipated since the start [J]; crushing is among the cuts.
  double viscous_loss = 0, plastic_loss = 0, contact_loss = 0, cut_loss = 0;
  /// What changes of the step put in: symplectic Euler keeps another energy at each length of the step [J].
  double step_change = 0;
  double cohesive = 0;                    ///< stored in stretched cohesive links [J]
  double cohesive_loss = 0;               ///< what crack faces took to open since the start [J]
  double numerical_loss = 0;              ///< taken by implicit steps since the start: never given back [J]
  double dust_loss = 0;                   ///< of pieces that became dust: what particles do not have [J]
  double supplied = 0;                    ///< work done by prescribed regions, colliders and loads since the start [J]
  double load_work = 0;                   ///< what loads have of it, not shifted [J]
  Vec3 load_impulse = Vec3::Zero();       ///< momentum that loads have given since the start [N s]
  Vec3 momentum = Vec3::Zero();           ///< of the breakable objects [kg m/s]
  Vec3 collider_momentum = Vec3::Zero();  ///< of the free colliders [kg m/s]
  [[nodiscard]] double total() const {
    return kinetic + elastic + gravity + contact + cohesive + viscous_loss + plastic_loss + contact_loss + cut_loss +
           cohesive_loss + numerical_loss + dust_loss - step_change - supplied;
  }
};

/// New crack area of a run whose crack faces hold on to each other (fracture/cohesive/cohesive.hpp) [m²].
struct CohesiveArea {
  double torn = 0, tied = 0;
  double waiting = 0;  ///< at nodes of fronts, which are whole
};

/// What to add to the accounts of this rank's nodes to lead them on to the time of the positions [J]. Local.
struct HalfStep {
  core::ExactSum kinetic, viscous, supplied, contact_loss;
};

/// What steps that watch the total energy remember of it.
struct Watch {
  double last_j = 0;          ///< after the last step [J]
  double before_trial_j = 0;  ///< before steps grew beyond the stable one [J]
  double share = 1;           ///< of the stable step [–]
  double ceiling = 1;         ///< of that share [–]
};

/// What contact of deformable bodies does to a node in a step: a force that is held for the coarse step.
struct ContactLoad {
  std::int32_t slot;
  Vec3 force;            ///< [N]
  Vec3 velocity_before;  ///< of the step [m/s]
  double power;          ///< of the force, by the mean velocity of the step [W]
  core::StepShares shares;
};

/// All that steers later steps beside the mesh with its fields and the colliders: with those it is the run, and what is
/// not among them may be computed again at any moment without changing a bit.
struct RunState {
  double time_s = 0, last_step_s = 0;
  double usual_step_s = 0;       ///< the (coarse) step that is taken where no moment has to be landed on
  double half_shift_step_s = 0;  ///< half of this leads the accounts on to the positions' time; 0: they belong together
  double next_fracture_s = 0;    ///< no look at the criterion before
  std::int64_t num_steps = 0;
  StepBound bound;                         ///< as of the last check of strains
  Watch watch;                             ///< of explicit steps that watch the energy
  contact::ContactWork contact_work;       ///< since the start, this rank's share
  core::ExactSum surface_work;             ///< by contact of deformable bodies since the start, this rank's share
  core::ExactSum contact_step_change;      ///< contact's part of Energies::step_change, this rank's share
  double body_step_change = 0;             ///< the free bodies' part, the same on every rank [J]
  std::optional<HalfStep> kept_half_step;  ///< of the last step, where a migration has moved what it follows from
  core::ExactSum contact_cut_loss;         ///< contact springs lose energy when nodes are born [J]
  core::ExactSum numerical_loss;           ///< Energies::numerical_loss, this rank's share [J]
  int halvings = 0;                        ///< of an implicit step, until enough of them were solved
  int solved_steps = 0;                    ///< of this length, since it was halved
  int crack_steps = 0;                     ///< short implicit steps in a row while something cracks
  double crack_step_s = 0;                 ///< and how long the last was
  double fracture_clock_s = 0;             ///< of statics, where time is load
  int knows_accelerations = 0;             ///< 1: kAcceleration holds; 0: a step begins with those of its forces
  core::ExactSum crushing_loss;            ///< elastic energy of elements that were crushed, this rank's share [J]
  DustAccount dust;
};

/// For checkpoints (core/named_state.hpp).
template <class Visit>
void describe(Visit& visit, StepBound& bound) {
  visit("element_step_s", bound.element_step_s);
  visit("without_worst_s", bound.without_worst_s);
  visit("limiting_element", bound.limiting_element);
  visit("max_strain", bound.max_strain);
  visit("largest_wave_frequency", bound.largest_wave_frequency);
  visit("smallest_mass", bound.smallest_mass);
  visit("coarse_step_s", bound.coarse_step_s);
  visit("finest_class", bound.finest_class);
}
template <class Visit>
void describe(Visit& visit, HalfStep& half) {
  visit("half_step_kinetic", half.kinetic);
  visit("half_step_viscous", half.viscous);
  visit("half_step_supplied", half.supplied);
  visit("half_step_contact_loss", half.contact_loss);
}
/// All but kept_half_step, which a checkpoint always has.
template <class Visit>
void describe(Visit& visit, RunState& state) {
  visit("time_s", state.time_s);
  visit("last_step_s", state.last_step_s);
  visit("usual_step_s", state.usual_step_s);
  visit("led_step_s", state.half_shift_step_s);
  visit("next_fracture_s", state.next_fracture_s);
  visit("num_steps", state.num_steps);
  describe(visit, state.bound);
  visit("watched_energy", state.watch.last_j);
  visit("watched_before_trial", state.watch.before_trial_j);
  visit("watched_share", state.watch.share);
  visit("watched_ceiling", state.watch.ceiling);
  describe(visit, state.contact_work);
  visit("contact_step_change", state.contact_step_change);
  visit("surface_work", state.surface_work);
  visit("body_step_change", state.body_step_change);
  visit("contact_cut_loss", state.contact_cut_loss);
  visit("crushing_loss", state.crushing_loss);
  visit("numerical_loss", state.numerical_loss);
  visit("halvings", state.halvings);
  visit("solved_steps", state.solved_steps);
  visit("crack_steps", state.crack_steps);
  visit("crack_step_s", state.crack_step_s);
  visit("fracture_clock_s", state.fracture_clock_s);
  visit("knows_accelerations", state.knows_accelerations);
  describe(visit, state.dust);
}

/// A whole run at the end of a step: from this it goes on with the same bits on any number of ranks.
struct SavedRun {
  int num_ranks = 1;       ///< that it was saved by
  core::NamedState state;  ///< totals, the same on all ranks
  dist::MeshFacts facts;
  dist::Records slab;                   ///< this rank's (dist/slabs.hpp)
  std::vector<DustParticle> dust = {};  ///< of all ranks by ascending id, on every rank
};

}  // namespace brisance::sim
