/// A scene in progress: the distributed mesh, what acts on it, and its clock. `step` advances it; nothing here knows
/// files or the command line.
#pragma once

#include "brisance/contact/deformable_report.hpp"
#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/mesh_spans.hpp"
#include "brisance/dynamics/step_classes.hpp"
#include "brisance/fracture/services.hpp"
#include "brisance/sim/dust.hpp"
#include "brisance/sim/parameters.hpp"
#include "brisance/sim/regions.hpp"
#include "brisance/sim/state.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace brisance::contact {
class SurfaceContact;
}  // namespace brisance::contact

namespace brisance::sim {

struct Model;
struct Phases;
class ImplicitEquations;
class TimeStepper;

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
  /// Of a run that was taken up under another scene than it was saved under (`--branch`): bodies, clocks and what
  /// nodes remember of the criterion follow this one. Collective; throws core::Error.
  void come_from(const Scene& before);
  /// Everything that can influence a later bit, after a step. Changes nothing. Collective.
  [[nodiscard]] SavedRun save() const;
  Simulation(const Simulation&) = delete;  // phases refer to its model
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  /// One time step, no longer than to `until_s`, which is met exactly; by default it is as long as it may be, and a run
  /// does not depend on when somebody looks. Collective; throws core::Error if the step becomes uselessly small or the
  /// state is no longer finite.
  void step(double until_s = std::numeric_limits<double>::infinity());

  [[nodiscard]] const core::Comm& comm() const;
  [[nodiscard]] const Scene& scene() const;
  [[nodiscard]] const dist::Mesh& mesh() const;
  [[nodiscard]] dist::Mesh& mesh();
  [[nodiscard]] const contact::RigidColliders& colliders() const;
  [[nodiscard]] const RunState& state() const;
  [[nodiscard]] double time_s() const { return state().time_s; }
  [[nodiscard]] double last_step_s() const { return state().last_step_s; }
  [[nodiscard]] std::int64_t num_steps() const { return state().num_steps; }
  [[nodiscard]] const StepBound& step_bound() const { return state().bound; }
  /// How many elements have which class of step, all ranks. Collective.
  [[nodiscard]] std::array<std::int64_t, dynamics::kMostStepClasses> elements_by_class() const;
  [[nodiscard]] const PhaseSeconds& phase_seconds() const;
  /// Updates of elements since the start, all ranks: a coarse step counts each once, a fine one its own. Collective.
  [[nodiscard]] std::int64_t element_updates() const;
  /// How often the work was divided afresh.
  [[nodiscard]] int num_rebalances() const;
  /// Work of the busiest rank over the mean, the busiest with each kind of work, since the start; 1 on one rank.
  [[nodiscard]] double work_imbalance() const;
  /// Counts since the start over all ranks. Collective.
  [[nodiscard]] fracture::Counters fracture_counters() const;
  /// Elements crushed so far (sim/crush.hpp), all ranks. Collective.
  [[nodiscard]] std::int64_t num_crushed() const;
  [[nodiscard]] bool is_crushed(LocalElement e) const;
  /// An element's material in the list that files name: the scene's materials, then their crushed forms.
  [[nodiscard]] material::Index named_material(LocalElement e) const;
  /// Of the scene's [[factor]]s on stiffness; crushed material counts as what it was.
  [[nodiscard]] double stiffness_factor(LocalElement e) const;
  /// Of implicit steps; empty in an explicit run.
  [[nodiscard]] const ImplicitEquations& equations() const;
  /// Has the run come to its duration, or a body of statics to no rest any more? The same on all ranks.
  [[nodiscard]] bool has_ended() const;
  /// How often an implicit step is halved at present.
  [[nodiscard]] int num_halvings() const { return state().halvings; }
  /// Of deformable bodies, at the last step; nothing where they do not touch each other. Local.
  [[nodiscard]] contact::DeformableReport deformable_contacts() const;
  [[nodiscard]] const contact::SurfaceContact* surface_contact() const;
  /// What this rank's arrays take [byte]. Local.
  struct Memory {
    std::int64_t mesh = 0, step = 0, subcycling = 0, fracture = 0;
    std::int64_t contact = 0;  ///< of deformable bodies with each other
  };
  [[nodiscard]] Memory memory() const;
  /// This rank's particles.
  [[nodiscard]] const Dust& dust() const;
  /// Tets that left the mesh with them, of all ranks.
  [[nodiscard]] std::int64_t num_tets_of_dust() const { return state().dust.tets; }
  [[nodiscard]] std::int64_t num_contacts() const { return static_cast<std::int64_t>(colliders().num_pressing()); }
  /// Exact sums: the same bits on any number of ranks. Collective.
  [[nodiscard]] Energies energies() const;
  /// The same; nothing where crack faces do not hold on to each other. Collective.
  [[nodiscard]] CohesiveArea cohesive_area() const;

  [[nodiscard]] dynamics::ElementSpans element_spans() const { return dynamics::spans_of(mesh()); }

  /// Gives every owned node the owner named for its slot (entries of others are not read): the run goes on with the
  /// same bits. Collective.
  void migrate(const NodeField<std::int32_t>& new_owner, dist::Sorting sorting = dist::Sorting::as_before);

private:
  void balance();

  // saved_run.cpp
  [[nodiscard]] core::NamedState named_state() const;
  void take_up(const core::NamedState& state);

  std::unique_ptr<Model> model_;
  std::unique_ptr<Phases> phases_;
  std::unique_ptr<TimeStepper> stepper_;
};

}  // namespace brisance::sim
