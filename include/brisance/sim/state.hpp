/// The state of a run beside its mesh, as plain values: clock, accounts, bounds of the step.
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

inline constexpr double kWorstShare = 1e-3;  ///< share of elements with the shortest steps

/// The longest allowed step, and what limits it.
struct StepBound {
  double element_step_s = 0;           ///< shortest stable step of any element at its current strain [s]
  double without_worst_s = 0;          ///< without the kWorstShare of worst elements, at the last evaluation of all [s]
  std::int64_t limiting_element = -1;  ///< global id of the element with element_step_s
  double max_strain = 0;               ///< largest ‖ε‖ of any element
  double largest_wave_frequency = 0;   ///< c_p/h₀ of any node so far [1/s]
  double smallest_mass = 0;            ///< of any node so far [kg]
  double coarse_step_s = 0;            ///< of class 0 (dynamics/step_classes.hpp), no safety factor [s]
  int finest_class = 0;                ///< of any element; 0: all take the same step
};

/// Energies at one time. The balance closes: kinetic + elastic + gravity + contact + cohesive + losses − supplied −
/// step change is constant. Implicit steps add a numerical loss. With symplectic Euler, kinetic energy and works are
/// shifted by half a step to the time of the positions (half_step.cpp).
struct Energies {
  double kinetic = 0, elastic = 0, gravity = 0, contact = 0;  ///< [J]; kinetic and gravity include bodies
  /// Dissipated since the start [J]; cut_loss includes crushing.
  double viscous_loss = 0, plastic_loss = 0, contact_loss = 0, cut_loss = 0;
  /// Added by changes of the step [J]: symplectic Euler conserves another energy at each length of the step.
  double step_change = 0;
  double cohesive = 0;                    ///< stored in stretched cohesive links [J]
  double cohesive_loss = 0;               ///< dissipated by the opening of crack faces since the start [J]
  double numerical_loss = 0;              ///< dissipated by implicit integrators since the start [J]
  double dust_loss = 0;                   ///< energy of pieces that their dust particles do not have [J]
  double supplied = 0;                    ///< work done by prescribed regions, colliders and loads since the start [J]
  double load_work = 0;                   ///< part of `supplied` by loads, not shifted [J]
  Vec3 load_impulse = Vec3::Zero();       ///< momentum supplied by loads since the start [N s]
  Vec3 momentum = Vec3::Zero();           ///< of the breakable objects [kg m/s]
  Vec3 collider_momentum = Vec3::Zero();  ///< of the free colliders [kg m/s]
  [[nodiscard]] double total() const {
    return kinetic + elastic + gravity + contact + cohesive + viscous_loss + plastic_loss + contact_loss + cut_loss +
           cohesive_loss + numerical_loss + dust_loss - step_change - supplied;
  }
};

/// Area of new cracks in a run with cohesive links (fracture/cohesive/cohesive.hpp) [m²].
struct CohesiveArea {
  double torn = 0, tied = 0;  ///< without and with intact links [m²]
  double waiting = 0;         ///< at nodes of fronts, which have not been split [m²]
};

/// Half-step shift: to be added to the accounts of this rank's nodes to reach the time of the positions [J].
struct HalfStep {
  core::ExactSum kinetic, viscous, supplied, contact_loss;
};

/// State of the control of explicit steps by the total energy (time.watch_energy).
struct Watch {
  double last_j = 0;          ///< after the last step [J]
  double before_trial_j = 0;  ///< before steps exceeded the stable one [J]
  double share = 1;           ///< step over the stable step [–]
  double ceiling = 1;         ///< largest share allowed at present [–]
};

/// The contact force of deformable bodies on a node, constant over the coarse step.
struct ContactLoad {
  std::int32_t slot;
  Vec3 force;            ///< [N]
  Vec3 velocity_before;  ///< at the start of the step [m/s]
  double power;          ///< of the force, by the mean velocity of the step [W]
  core::StepShares shares;
};

/// The state of a run beside the mesh with its fields, the colliders and Dust. All else can be computed again at any
/// time without changing a bit.
struct RunState {
  double time_s = 0, last_step_s = 0;
  double usual_step_s = 0;       ///< (coarse) step, if not shortened to end at a given time [s]
  double half_shift_step_s = 0;  ///< accounts are shifted by half of this to the positions' time [s]; 0: no shift
  double next_fracture_s = 0;    ///< next evaluation of the criterion [s]
  std::int64_t num_steps = 0;
  StepBound bound;                         ///< at the last check of strains
  Watch watch;                             ///< for time.watch_energy
  contact::ContactWork contact_work;       ///< since the start, this rank's share [J]
  core::ExactSum surface_work;             ///< of contact of deformable bodies since the start, this rank's share [J]
  core::ExactSum contact_step_change;      ///< contact's part of Energies::step_change, this rank's share [J]
  double body_step_change = 0;             ///< free bodies' part of it, the same on every rank [J]
  std::optional<HalfStep> kept_half_step;  ///< of the last step, kept when a migration moves its sources
  core::ExactSum contact_cut_loss;         ///< energy that contact springs lose when nodes are born [J]
  core::ExactSum numerical_loss;           ///< Energies::numerical_loss, this rank's share [J]
  int halvings = 0;                        ///< halvings of the implicit step at present
  int solved_steps = 0;                    ///< solved steps since the last halving or doubling
  int crack_steps = 0;                     ///< consecutive short implicit steps during cracking
  double crack_step_s = 0;                 ///< their length [s]; 0: none
  double fracture_clock_s = 0;             ///< time for the criterion in statics, where time_s is the load [s]
  int knows_accelerations = 0;             ///< 1: kAcceleration is valid; 0: the next step computes it from forces
  core::ExactSum crushing_loss;            ///< elastic energy of crushed elements, this rank's share [J]
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
/// All but kept_half_step, which checkpoints store in any case.
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

/// A whole run at the end of a step, which continues with the same bits on any number of ranks.
struct SavedRun {
  int num_ranks = 1;       ///< number of ranks that saved it
  core::NamedState state;  ///< totals, the same on all ranks
  dist::MeshFacts facts;
  dist::Records slab;                   ///< this rank's slab (dist/slabs.hpp)
  std::vector<DustParticle> dust = {};  ///< of all ranks by ascending id, on every rank
};

}  // namespace brisance::sim
