/// The state of a run besides mesh, colliders and dust, as plain values: clock, energy accounts, bounds of the step.
///
/// "This rank's share" is a value whose sum over all ranks is meant. A core::ExactSum is summed without rounding, so
/// totals have the same bits on any number of ranks.
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

/// Wall-clock time that this rank has spent in each phase of the steps so far [s].
struct PhaseSeconds {
  double forces = 0, subcycling = 0, fracture = 0, contact = 0, integration = 0, halo = 0, step_bound = 0, balance = 0;
};

inline constexpr double kWorstShare = 1e-3;  ///< share of all elements, those with the shortest steps

/// The longest stable step, without safety factor, and what limits it. The same on all ranks.
struct StepBound {
  double element_step_s = 0;           ///< shortest stable step of any element at its current strain [s]
  double without_worst_s = 0;          ///< shortest step if the kWorstShare of worst elements did not count [s]
  std::int64_t limiting_element = -1;  ///< global id of the element with element_step_s
  double max_strain = 0;               ///< largest norm of ε = FᵀF − I of any element [–]
  double largest_wave_frequency = 0;  ///< largest c_p/h₀ of any node so far, h₀: edge length of the uncut mesh [1/s]
  double smallest_mass = 0;           ///< smallest mass of any node so far [kg]
  double coarse_step_s = 0;           ///< step of class 0, the longest (dynamics/step_classes.hpp) [s]
  int finest_class = 0;               ///< largest step class of any element; 0: all take the same step
};

/// Energies at one time, of all ranks. Their balance, total(), is constant up to the error of the integrator. With
/// symplectic Euler velocities belong to half a step before the positions; kinetic energy and works are shifted to the
/// time of the positions (half_step.cpp).
struct Energies {
  double kinetic = 0, elastic = 0, gravity = 0, contact = 0;  ///< [J]; kinetic and gravity include free colliders
  /// Dissipated since the start by viscosity, plastic flow, contact, and cuts with crushing [J].
  double viscous_loss = 0, plastic_loss = 0, contact_loss = 0, cut_loss = 0;
  /// Energy added by changes of the step length [J]: the energy that symplectic Euler conserves depends on the step.
  double step_change = 0;
  double cohesive = 0;                    ///< stored in stretched cohesive links [J]
  double cohesive_loss = 0;               ///< dissipated by the opening of crack faces since the start [J]
  double numerical_loss = 0;              ///< dissipated by implicit integrators since the start [J]
  double dust_loss = 0;                   ///< energy lost where pieces became dust particles [J]
  double supplied = 0;                    ///< work done by prescribed regions, colliders and loads since the start [J]
  double load_work = 0;                   ///< the part of `supplied` that loads did, without the half-step shift [J]
  Vec3 load_impulse = Vec3::Zero();       ///< momentum supplied by loads since the start [N s]
  Vec3 momentum = Vec3::Zero();           ///< momentum of the deformable objects [kg m/s]
  Vec3 collider_momentum = Vec3::Zero();  ///< momentum of the free colliders [kg m/s]
  [[nodiscard]] double total() const {
    return kinetic + elastic + gravity + contact + cohesive + viscous_loss + plastic_loss + contact_loss + cut_loss +
           cohesive_loss + numerical_loss + dust_loss - step_change - supplied;
  }
};

/// Area of crack faces in a run with cohesive links (fracture/cohesive/cohesive.hpp), over all ranks.
struct CohesiveArea {
  double torn = 0, tied = 0;  ///< whose links are broken, and whose links are intact [m²]
  double waiting = 0;         ///< at nodes of crack fronts, which are not split and so have no links yet [m²]
};

/// Half-step shift of symplectic Euler: this rank's shares of what must be added to the energy accounts so that they
/// belong to the time of the positions [J].
struct HalfStep {
  core::ExactSum kinetic, viscous, supplied, contact_loss;
};

/// Control of explicit steps by the total energy (key time.watch_energy): steps may exceed the stable one on trial,
/// and are shortened when the energy grows (energy_watch.cpp).
struct Watch {
  double last_j = 0;          ///< total energy after the last step [J]
  double before_trial_j = 0;  ///< total energy before steps exceeded the stable one [J]
  double share = 1;           ///< step over the stable step [–]
  double ceiling = 1;         ///< largest share allowed at present [–]
};

/// Force on a node by contact of deformable bodies, constant over the coarse step.
struct ContactLoad {
  std::int32_t slot;        ///< of the node
  Vec3 force;               ///< [N]
  Vec3 velocity_before;     ///< velocity of the node at the start of the step [m/s]
  double power;             ///< force times mean velocity over the step [W]
  core::StepShares shares;  ///< the node's own step over the coarse one
};

/// The state that a checkpoint needs besides the mesh with its fields, the colliders and Dust. All other data of a run
/// can be recomputed from these with the same bits.
struct RunState {
  double time_s = 0, last_step_s = 0;
  double usual_step_s = 0;       ///< the (coarse) step before it was shortened to end at a given time [s]
  double half_shift_step_s = 0;  ///< the half-step shift of accounts is half of this [s]; 0: none
  double next_fracture_s = 0;    ///< next evaluation of the criterion [s]
  std::int64_t num_steps = 0;    ///< (coarse) steps taken
  StepBound bound;               ///< as of the last evaluation of strains
  Watch watch;
  contact::ContactWork contact_work;       ///< work of rigid contact since the start, this rank's share [J]
  core::ExactSum surface_work;             ///< work of deformable contact since the start, this rank's share [J]
  core::ExactSum contact_step_change;      ///< contact's part of Energies::step_change, this rank's share [J]
  double body_step_change = 0;             ///< the part of free colliders, the same on every rank [J]
  std::optional<HalfStep> kept_half_step;  ///< shift of the last step, kept when a migration moves the nodes it is of
  core::ExactSum contact_cut_loss;         ///< energy that contact springs lose when cuts make nodes [J]
  core::ExactSum numerical_loss;           ///< Energies::numerical_loss, this rank's share [J]
  int halvings = 0;                        ///< how many times the implicit step is halved at present
  int solved_steps = 0;                    ///< implicit steps solved since the last halving or doubling
  int crack_steps = 0;                     ///< short implicit steps in a row while something cracks
  double crack_step_s = 0;                 ///< length of these short steps [s]; 0: none
  double fracture_clock_s = 0;             ///< time of the criterion in statics, where time_s measures the load [s]
  int knows_accelerations = 0;             ///< 1: field kAcceleration is valid; 0: the next step computes it
  core::ExactSum crushing_loss;            ///< elastic energy of crushed elements, this rank's share [J]
  DustAccount dust;
};

/// Lists the values for checkpoints (core/named_state.hpp). The names are part of the file format.
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
/// All values but kept_half_step: checkpoints store the half-step shift by themselves.
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

/// A whole run at the end of a step, as a checkpoint holds it. It can be continued on any number of ranks, with the
/// same bits.
struct SavedRun {
  int num_ranks = 1;       ///< number of ranks that saved it
  core::NamedState state;  ///< RunState and more, summed over ranks; the same on all ranks
  dist::MeshFacts facts;
  dist::Records slab;                   ///< this rank's share of the mesh, without ghosts (dist/slabs.hpp)
  std::vector<DustParticle> dust = {};  ///< all ranks' particles by ascending id, on every rank
};

}  // namespace brisance::sim
