/// A run in memory: the distributed mesh, all that acts on it, and the clock. `step` advances it; files and the command
/// line are not known here.
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
  /// Distributes a mesh of which every rank holds a share, placed and with velocities, and prepares the first step.
  /// `regions`: bit mask of scene regions per node of the share, the same for all copies of a
  /// node. Collective; throws core::Error.
  Simulation(const core::Comm& comm, const Scene& scene, dist::MeshShare share, std::span<const std::uint32_t> regions);
  /// The same for a mesh on rank 0 (ignored elsewhere).
  Simulation(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& whole,
             std::span<const std::uint32_t> regions);
  /// Resumes a saved run under the same scene. Collective; throws core::Error.
  Simulation(const core::Comm& comm, const Scene& scene, SavedRun saved);
  /// To be called for a run resumed under another scene than it was saved under (`--branch`): adapts bodies, clocks and
  /// the nodes' fields of the criterion to the present scene. Collective; throws core::Error.
  void come_from(const Scene& before);
  /// The state after a step: everything that can influence a later bit. Collective.
  [[nodiscard]] SavedRun save() const;
  Simulation(const Simulation&) = delete;  // phases refer to its model
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  /// Takes one time step, shortened to end exactly at `until_s`. By default the step is as long as it may be, so that a
  /// run does not depend on its output times. Collective; throws core::Error if the step becomes uselessly small or the
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
  /// Number of elements by step class, over all ranks. Collective.
  [[nodiscard]] std::array<std::int64_t, dynamics::kMostStepClasses> elements_by_class() const;
  [[nodiscard]] const PhaseSeconds& phase_seconds() const;
  /// Updates of elements since the start, over all ranks: each element counts once in a coarse step, fine ones once in
  /// each sub-step. Collective.
  [[nodiscard]] std::int64_t element_updates() const;
  /// Number of new divisions of the work.
  [[nodiscard]] int num_rebalances() const;
  /// Work of the busiest rank over the mean since the start, the busiest in each kind of work; 1 on one rank.
  [[nodiscard]] double work_imbalance() const;
  /// Counts since the start over all ranks. Collective.
  [[nodiscard]] fracture::Counters fracture_counters() const;
  /// Elements crushed so far (sim/crush.hpp), all ranks. Collective.
  [[nodiscard]] std::int64_t num_crushed() const;
  [[nodiscard]] bool is_crushed(LocalElement e) const;
  /// An element's material in the list of materials in files: the scene's materials, then their crushed forms.
  [[nodiscard]] material::Index named_material(LocalElement e) const;
  /// Product of the scene's [[factor]]s on stiffness; crushed elements keep theirs.
  [[nodiscard]] double stiffness_factor(LocalElement e) const;
  /// The equations of implicit steps; empty in an explicit run.
  [[nodiscard]] const ImplicitEquations& equations() const;
  /// Whether the run has reached its duration, or a body in statics has no equilibrium any more. The same on all ranks.
  [[nodiscard]] bool has_ended() const;
  /// Number of halvings of the implicit step at present.
  [[nodiscard]] int num_halvings() const { return state().halvings; }
  /// Contact of deformable bodies in the last step; empty without such contact. Local.
  [[nodiscard]] contact::DeformableReport deformable_contacts() const;
  [[nodiscard]] const contact::SurfaceContact* surface_contact() const;
  /// Memory of this rank's arrays [byte]. Local.
  struct Memory {
    std::int64_t mesh = 0, step = 0, subcycling = 0, fracture = 0;
    std::int64_t contact = 0;  ///< between deformable bodies
  };
  [[nodiscard]] Memory memory() const;
  /// This rank's particles.
  [[nodiscard]] const Dust& dust() const;
  /// Tets that left the mesh as dust, over all ranks.
  [[nodiscard]] std::int64_t num_tets_of_dust() const { return state().dust.tets; }
  [[nodiscard]] std::int64_t num_contacts() const { return static_cast<std::int64_t>(colliders().num_pressing()); }
  /// Exact sums: the same bits on any number of ranks. Collective.
  [[nodiscard]] Energies energies() const;
  /// Exact sums likewise; zeros without cohesive links. Collective.
  [[nodiscard]] CohesiveArea cohesive_area() const;

  [[nodiscard]] dynamics::ElementSpans element_spans() const { return dynamics::spans_of(mesh()); }

  /// Moves every owned node to the owner given for its slot (entries of other nodes are not read). The run continues
  /// with the same bits. Collective.
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
