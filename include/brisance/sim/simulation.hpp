/// A scene in progress: the distributed mesh, what acts on it, and its clock. `step` moves it on; nothing here knows
/// files or the command line.
#pragma once

#include "brisance/contact/deformable_report.hpp"
#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/core/named_state.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/dynamics/critical_step.hpp"
#include "brisance/dynamics/integrator.hpp"
#include "brisance/dynamics/mesh_spans.hpp"
#include "brisance/fracture/cohesive/cohesive.hpp"
#include "brisance/fracture/rounds.hpp"
#include "brisance/sim/dust.hpp"
#include "brisance/sim/implicit_equations.hpp"
#include "brisance/sim/loads.hpp"
#include "brisance/sim/parameters.hpp"
#include "brisance/sim/subcycling.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace brisance::contact {
class OverlapContact;
class SurfaceContact;
struct SurfaceStep;
}  // namespace brisance::contact

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

class ImplicitStepper;

class Simulation {
public:
  /// Distributes a mesh of which every rank holds a share, with world placement and velocities already in it, and gets
  /// ready for the first step. `regions`: bit mask of scene regions per node of the share, the same for all copies of a
  /// node. Collective; throws core::Error.
  Simulation(const core::Comm& comm, const Scene& scene, dist::MeshShare share, std::span<const std::uint32_t> regions);
  /// The same of a mesh on rank 0 (ignored elsewhere).
  Simulation(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& whole,
             std::span<const std::uint32_t> regions);
  /// Takes a run up again where it was saved, under the same scene. Collective; throws core::Error.
  Simulation(const core::Comm& comm, const Scene& scene, SavedRun saved);
  /// Of a run that was taken up under another scene than it was saved under (sim/branch.hpp): bodies, clocks and what
  /// nodes remember of the criterion follow this one. Collective; throws core::Error.
  void come_from(const Scene& before);
  /// Everything that can influence a later bit, after a step. Changes nothing. Collective.
  [[nodiscard]] SavedRun save() const;
  Simulation(const Simulation&) = delete;  // the fracture services hold a pointer to it
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  /// One time step, no longer than to `until_s`, which is met exactly; by default it is as long as it may be, and a run
  /// does not depend on when somebody looks. Collective; throws core::Error if the step becomes uselessly small or the
  /// state is no longer finite.
  void step(double until_s = std::numeric_limits<double>::infinity());

  [[nodiscard]] const core::Comm& comm() const { return comm_; }
  [[nodiscard]] const Scene& scene() const { return scene_; }
  [[nodiscard]] const dist::Mesh& mesh() const { return mesh_; }
  [[nodiscard]] dist::Mesh& mesh() { return mesh_; }
  [[nodiscard]] const contact::RigidColliders& colliders() const { return colliders_; }
  [[nodiscard]] double time_s() const { return state_.time_s; }
  [[nodiscard]] double last_step_s() const { return state_.last_step_s; }
  [[nodiscard]] std::int64_t num_steps() const { return state_.num_steps; }
  [[nodiscard]] const StepBound& step_bound() const { return state_.bound; }
  /// How many elements have which class of step, all ranks. Collective.
  [[nodiscard]] std::array<std::int64_t, dynamics::kMostStepClasses> elements_by_class() const;
  [[nodiscard]] const PhaseSeconds& phase_seconds() const { return seconds_; }
  /// Updates of elements since the start, all ranks: a coarse step counts each once, a fine one its own. Collective.
  [[nodiscard]] std::int64_t element_updates() const {
    return comm_.sum(coarse_updates_ + subcycling_.element_updates());
  }
  /// How often the work was divided afresh.
  [[nodiscard]] int num_rebalances() const { return num_rebalances_; }
  /// Work of the busiest rank over the mean, the busiest with each kind of work, since the start; 1 on one rank.
  [[nodiscard]] double work_imbalance() const { return mean_work_ > 0 ? busiest_work_ / mean_work_ : 1; }
  /// Counts since the start over all ranks. Collective.
  [[nodiscard]] fracture::Counters fracture_counters() const;
  /// Elements crushed so far (sim/crush.hpp), all ranks. Collective.
  [[nodiscard]] std::int64_t num_crushed() const;
  [[nodiscard]] bool is_crushed(LocalElement e) const { return mesh_.material_of[e] >= num_solid_materials(); }
  /// An element's material in the list that files name: the scene's materials, then their crushed forms.
  [[nodiscard]] material::Index named_material(LocalElement e) const { return named_material_[mesh_.material_of[e]]; }
  /// Of the scene's [[factor]]s on stiffness; crushed material counts as what it was.
  [[nodiscard]] double stiffness_factor(LocalElement e) const;
  /// Of implicit steps; empty in an explicit run.
  [[nodiscard]] const ImplicitEquations& equations() const;
  /// Has the run come to its duration, or a body of statics to no rest any more? The same on all ranks.
  [[nodiscard]] bool has_ended() const;
  /// How often an implicit step is halved at present.
  [[nodiscard]] int num_halvings() const { return state_.halvings; }
  /// Of deformable bodies, at the last step; nothing where they do not touch each other. Local.
  [[nodiscard]] contact::DeformableReport deformable_contacts() const;
  /// Contacts of surfaces in the terms of the others. Local.
  [[nodiscard]] contact::DeformableReport surface_report() const;
  [[nodiscard]] const contact::SurfaceContact* surface_contact() const { return surface_.get(); }
  /// What this rank's arrays take [byte]. Local.
  struct Memory {
    std::int64_t mesh = 0, step = 0, subcycling = 0, fracture = 0;
    std::int64_t contact = 0;  ///< of deformable bodies with each other
  };
  [[nodiscard]] Memory memory() const;
  /// This rank's particles.
  [[nodiscard]] const Dust& dust() const { return dust_; }
  /// Tets that left the mesh with them, of all ranks.
  [[nodiscard]] std::int64_t num_tets_of_dust() const { return state_.dust.tets; }
  [[nodiscard]] std::int64_t num_contacts() const { return static_cast<std::int64_t>(colliders_.num_pressing()); }
  /// Exact sums: the same bits on any number of ranks. Collective.
  [[nodiscard]] Energies energies() const;
  /// The same; nothing where crack faces do not hold on to each other. Collective.
  [[nodiscard]] CohesiveArea cohesive_area() const;

  [[nodiscard]] dynamics::ElementSpans element_spans() const { return dynamics::spans_of(mesh_); }

  /// Gives every owned node the owner named for its slot (entries of others are not read): the run goes on with the
  /// same bits. Collective.
  void migrate(const NodeField<std::int32_t>& new_owner, dist::Sorting sorting = dist::Sorting::as_before);

private:
  friend class ImplicitStepper;

  /// Of the mesh's materials those before the crushed forms.
  [[nodiscard]] std::size_t num_solid_materials() const { return scene_.materials.size() + mesh_.facts.graded.size(); }
  /// What follows from the mesh; rebuilt when it changed.
  struct Caches {
    std::vector<std::int32_t> owned, prescribed;  ///< node slots
    NodeField<double> wave_frequency;             ///< c_p/h_0 [1/s]
  };
  /// What lives within a step.
  struct Scratch {
    /// What the last step, remainder steps left out, did to a constrained node [m/s²], and the power of the Dirichlet
    /// condition [W].
    struct Grip {
      Vec3 acceleration;
      double power;
    };
    std::vector<Grip> constraints;  ///< beside Caches::prescribed
    AlignedNodeField<dist::NodeForce> forces;
    /// A node around elements that have changed class. What a kick takes for forces: by the classes of the last step,
    /// by the same where none is more than twice as long as now, and by those of this step.
    struct ChangedNode {
      std::int32_t slot;
      dist::NodeForce before, not_far_before, now;
    };
    std::vector<ChangedNode> changed;  ///< ascending slot
    std::vector<float> strain;         ///< ‖ε‖ by element slot, where it was looked at last
    std::vector<float> stiffening;     ///< of the same elements; empty where no material is neo-Hookean
    std::vector<double> steps;         ///< stable step of the same elements [s]
    std::vector<LoadedNode> loaded;    ///< of the last step
    std::vector<ContactLoad> pressed;  ///< of the last step
    // of the cuts of a step
    std::vector<LocalNode> touched;                    ///< owned nodes
    NodeField<double> mass_before;                     ///< of nodes touched by the last round [kg]
    NodeField<double> stiffness;                       ///< of the nodes around them [N/m]
    AlignedNodeField<dist::NodeForce> partial_forces;  ///< of the nodes around them
  };

  [[nodiscard]] dynamics::ForceOptions subcycling_options() const {
    return {.viscous_split = scene_.output.energy_ledger, .separation_bound = false};
  }

  // the phases of a step, in order: step.cpp
  void flow_and_internal_forces();
  void crack();
  void crack_at(double clock_s);
  void explicit_step(double until_s);
  void load_forces(double dt_s);
  void contact_forces(double dt_s);
  void body_contact_forces(double dt_s);
  void cohesive_forces(double dt_s);

  /// What contact pushes nodes of this step with goes into fracture::kContactAcceleration. Local.
  void note_contact_forces();
  /// Nothing pushes any more; false where nobody wants to know.
  [[nodiscard]] bool begin_contact_accelerations();
  void add_contact_acceleration(std::int32_t slot, const Vec3& force);  ///< [N]

  /// Throws core::BadInput on all ranks where bodies lie so deep in each other that contact does not see it.
  /// Collective.
  void require_surfaces_apart();  // surface_start.cpp

  // contact by overlaps of tets: overlap_forces.cpp
  void start_overlaps();
  void find_overlaps();
  void find_overlaps_after_cuts();
  void overlap_contact_forces(double dt_s);
  /// Finds pairs where nodes are now. Collective.
  [[nodiscard]] core::ExactSum stored_in_overlaps() const;

  // contact of surfaces: surface_forces.cpp
  void surface_contact_forces(double dt_s);
  /// Adds a force of contact between bodies to an owned node, for the whole coarse step [N].
  void press(std::int32_t slot, const Vec3& force, const core::StepSharesOf& shares_of);
  void book_surface_contact(double dt_s);
  void book_contact_load(ContactLoad& node, const Vec3& velocity, double step_s);
  /// The longest step that the elements bear now, by which the stiffness of contact between bodies is chosen [s].
  [[nodiscard]] double surface_stiffness_step() const;
  [[nodiscard]] contact::SurfaceStep surface_step(double dt_s) const;
  void integrate(double dt_s);
  void finish_step(double dt_s, double end_s);
  [[nodiscard]] double choose_step(double until_s);
  /// Did the last step take positions along by the velocities that nodes have now?
  [[nodiscard]] bool nodes_came_with_their_velocities() const {
    return scene_.time.integrator != dynamics::Integrator::forward_euler &&
           scene_.time.integrator != dynamics::Integrator::taylor2;
  }
  [[nodiscard]] dynamics::ForceOptions force_options() const {
    return {.viscous_split = scene_.output.energy_ledger,
            .separation_bound = rounds_.has_value(),
            .since_flow_s = nodes_came_with_their_velocities() ? state_.last_step_s : 0,
            .step_class = mesh_.field(dynamics::kLastStepClass).span()};
  }

  // loads: apply_loads.cpp
  void book_loads(double dt_s);
  void book_load(LoadedNode& node, const Vec3& velocity, double step_s);
  void add_load_impulse(LocalNode n, const Vec3& momentum, double work);
  /// Impulses whose moment is later than the one and not later than the other; the velocities of all nodes follow.
  /// Collective.
  void give_impulses(double after_s, double until_s);

  // sub-cycling: clocks.cpp
  /// The coarse step and the class of every element, after all elements' steps were looked at. Collective.
  void choose_step_classes(const dynamics::StepHistogram& steps);
  /// After cuts: the classes of elements whose steps were looked at, in the coarse step as it is. Collective.
  void update_step_classes(std::span<const std::int32_t> elements);
  /// Of a coarse step, in updates of an element. Collective.
  [[nodiscard]] double contact_updates() const;
  void use_one_step();
  void set_step_classes(const auto& elements);  ///< slots, any range
  /// Before the first kick: forces as Subcycling::begin makes them. Collective.
  void begin_subcycling(double dt_s);
  void note_changed_classes();
  void gather_subcycled();
  /// Empty where all nodes take the run's step at all times. After gather_subcycled().
  [[nodiscard]] core::StepSharesOf step_shares() const;
  class ShortForces;
  void kick_across_changes();
  void finish_coarse_step();
  void run_subcycles();
  [[nodiscard]] int most_step_classes() const;
  [[nodiscard]] bool may_subcycle() const;
  [[nodiscard]] bool one_step_suffices() const;
  [[nodiscard]] double longest_coarse_step() const;

  // what is pressed to crushed material: crush.cpp
  /// Whenever strains are checked. Local: every rank that holds an element comes to the same.
  void crush();
  [[nodiscard]] std::vector<std::int32_t> newly_crushed() const;

  // what is too small to deform: dust_birth.cpp
  struct SmallPiece {
    std::size_t piece = 0;  ///< of dist::Pieces::list
    double volume_m3 = 0;
  };
  struct SmallPieces {
    std::vector<SmallPiece> list;  ///< ascending, the same on all ranks
    bool any_held = false;         ///< others are as small, but a region or a cohesive link holds them
  };
  [[nodiscard]] bool turns_to_dust() const;
  void note_mean_tet();
  /// Collective.
  [[nodiscard]] SmallPieces small_pieces(const dist::Pieces& pieces) const;
  /// Where a separate part of the scene is dust from the start: by default nothing becomes dust, but if the scene
  /// asks for dust by name, throws core::BadInput on all ranks. Collective.
  void require_more_than_dust();
  /// Whenever strains are checked: pieces below dust_max_tets leave the mesh. Collective.
  void release_dust();
  void leave_mesh(const dist::Pieces& pieces, std::span<const SmallPiece> small);
  /// Of all ranks, on every rank. Collective.
  [[nodiscard]] std::vector<DustParticle> particles_of(const dist::Pieces& pieces,
                                                       std::span<const SmallPiece> small) const;
  /// On any deformable body, at the last evaluation. Collective.
  [[nodiscard]] bool any_presses(std::span<const LocalElement> elements) const;
  void book_leaving(std::span<const LocalNode> nodes, std::span<const LocalElement> elements);
  void forget_nodes(std::span<const std::uint8_t> gone);

  // who owns what: balance.cpp
  /// Now and then: gives nodes other owners where the ranks' work differs much and that pays. Collective.
  void balance();
  /// Owners by slot, where work is so uneven that a new division pays. Collective.
  [[nodiscard]] std::optional<NodeField<std::int32_t>> owners_afresh();
  [[nodiscard]] bool is_sorting_due() const;

  // after cuts, near them: cuts.cpp
  [[nodiscard]] fracture::Services fracture_services();
  /// Accounts and caches after a round. Local.
  void take_in_cuts();
  /// Step bound, strains and forces after all rounds of a step. Collective.
  void renew_touched();
  /// Throws core::Error on all ranks if what was renewed near cuts is not what the whole mesh gives. Collective.
  void require_as_computed_anew() const;

  // saved_run.cpp
  [[nodiscard]] core::NamedState named_state() const;
  void take_up(const core::NamedState& state);

  // caches and rare events: simulation.cpp
  /// Graded forms and crushed material are part of the uncut mesh of what they are forms of.
  void share_uncut_altitudes();
  /// Before the first step: what nodes remember of the uncut mesh. Collective.
  void note_uncut_mesh();
  /// What materials have flowed before the run. Local.
  void start_plastic_strain();
  /// Of the nodes' materials, crushed material counting as what it was; with it the caches and bounds of contact.
  /// Collective.
  void note_wave_speeds();
  void rebuild_caches();
  void enter_into_caches(LocalNode n);
  void refresh_step_bound();
  /// Room in scratch for what is found of every element slot.
  [[nodiscard]] dynamics::Strains strains();
  /// Takes the shortest step of all ranks into the bound where it is shorter. Collective.
  /// All elements' steps as they were just looked at. Collective.
  [[nodiscard]] dynamics::StepHistogram step_histogram() const;
  void agree_on_bound(const dynamics::CriticalStep& local, StepBound& bound) const;
  void refuse_useless_step(double dt_s) const;
  /// The same on all ranks.
  [[noreturn]] void refuse_stiff_contact(double step_s, double least_s) const;
  void check_finite() const;
  [[nodiscard]] fracture::ConstrainedRegions constrained_regions() const;
  [[nodiscard]] contact::ContactNodes contact_nodes() const;
  [[nodiscard]] core::ExactSum contact_energy() const;
  [[nodiscard]] core::ExactSum contact_energy(const contact::ContactNodes& nodes) const;
  /// Puts constrained nodes where their regions take them over this step; `before`: their motion at its start.
  void grip(double dt_s, const std::vector<dist::NodeMotion>& before, std::span<dist::NodeMotion> after) const;
  void prescribe(double dt_s, const std::vector<dist::NodeMotion>& before);
  /// Which components of a constrained node's velocity its regions prescribe now.
  [[nodiscard]] std::array<bool, 3> constrained_axes(LocalNode n) const;
  void start_watch();
  void watch_energy();
  [[nodiscard]] HalfStep half_step() const;
  void book_change_of_step(double dt_s);
  /// Of an owned node that nothing Dirichlet conditions, by the forces of the last step [m/s²].
  [[nodiscard]] Vec3 free_acceleration(LocalNode n) const {
    return mesh_.inverse_mass[n] * Vec3(scratch_.forces[n].force) + scene_.gravity;
  }

  core::Comm comm_;
  Scene scene_;
  dist::Mesh mesh_;
  std::vector<material::Index> crushed_form_;    ///< of each of the mesh's materials
  std::vector<material::Index> named_material_;  ///< of each: place in the list that files name
  contact::RigidColliders colliders_;
  std::optional<fracture::Rounds> rounds_;               ///< absent if nothing can break
  mutable std::optional<fracture::CohesiveLinks> ties_;  ///< absent if crack faces do not hold; finds their ends again
  RunState state_;
  Dust dust_;
  std::unique_ptr<contact::OverlapContact> overlaps_;  ///< null where bodies do not touch by tets
  std::unique_ptr<contact::SurfaceContact> surface_;   ///< null where bodies do not touch by points and facets
  Caches caches_;
  Scratch scratch_;
  Subcycling subcycling_;
  FaceLoads face_loads_;
  std::unique_ptr<dynamics::TimeIntegrator> integrator_;  ///< null if steps are implicit
  std::unique_ptr<ImplicitStepper> implicit_stepper_;     ///< null if steps are explicit; shows itself all of the above
  PhaseSeconds seconds_;
  std::int64_t coarse_updates_ = 0;
  int num_rebalances_ = 0;
  double busiest_work_ = 0, mean_work_ = 0;  ///< summed over kinds and the looks at it, in updates of an element
  double lost_work_ = 0;                     ///< busiest less mean, since the work was last divided afresh
};

/// The scene's objects meshed, placed and set in motion.
struct InitialMesh {
  dist::MeshShare share;
  std::vector<std::uint32_t> regions;  ///< per node of the share
  std::vector<std::string> report;     ///< lines for the log, whole on rank 0
};
/// Meshes and places every object. What is made, and what other programs' files hold, is on rank 0; of our own files
/// every rank has a share, and nobody more. Collective; throws core::BadInput on all ranks.
[[nodiscard]] InitialMesh build_initial_mesh(const core::Comm& comm, const Scene& scene);

/// Bit mask of the scene's regions that contain a rest position. Local.
[[nodiscard]] std::uint32_t regions_at(const Scene& scene, const Vec3& rest);

/// The regions that hold their nodes at this time: such a node, constrained along all axes, does not fail. Local.
[[nodiscard]] fracture::ConstrainedRegions regions_constrained_at(const Scene& scene, double time_s);

/// Where a frame stands that moves with a region's Dirichlet condition, by its axes that are held: the pivot, turned.
/// What the region lets go of stays where it was then. Local; does not throw.
[[nodiscard]] Eigen::Isometry3d region_path(const RegionParameters& region, double time_s);

}  // namespace brisance::sim
