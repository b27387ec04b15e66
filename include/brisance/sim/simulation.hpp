/// A run in memory: the distributed mesh, colliders and loads, and the clock. `step` advances it by one time step. It
/// reads and writes no files. Methods are local unless they say otherwise.
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
  /// Distributes a mesh of which every rank holds a share, already placed and with velocities, and prepares the first
  /// step.
  /// @param regions  for each node of the share, a bit mask of the scene's regions that it is in; the same on all ranks
  /// Collective; throws core::Error.
  Simulation(const core::Comm& comm, const Scene& scene, dist::MeshShare share, std::span<const std::uint32_t> regions);
  /// The same for a mesh that rank 0 has whole; `whole` and `regions` of other ranks are ignored.
  Simulation(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& whole,
             std::span<const std::uint32_t> regions);
  /// Continues a saved run of the same scene. Collective; throws core::Error.
  Simulation(const core::Comm& comm, const Scene& scene, SavedRun saved);
  /// To be called after the constructor if the run was saved under the scene `before`, which differs (`--branch`):
  /// adapts colliders, contact, step bounds and the fields of the crack criterion to the present scene. Collective;
  /// throws core::Error.
  void come_from(const Scene& before);
  /// The state between two steps, from which the run continues with the same bits. Collective.
  [[nodiscard]] SavedRun save() const;
  Simulation(const Simulation&) = delete;  // phases refer to its model
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  /// Takes one time step, as long as is stable, but at most to `until_s` [s], the simulated time. A run calls it
  /// without the bound until its end, so that bits do not depend on output times. Collective; throws core::Error if the
  /// step falls below time.min_step_s or the state is no longer finite.
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
  /// Number of elements of each step class (dynamics/step_classes.hpp), over all ranks. Collective.
  [[nodiscard]] std::array<std::int64_t, dynamics::kMostStepClasses> elements_by_class() const;
  [[nodiscard]] const PhaseSeconds& phase_seconds() const;
  /// Element updates since the start, over all ranks: one for each element in a coarse step, and one for each further
  /// sub-step of an element. Collective.
  [[nodiscard]] std::int64_t element_updates() const;
  /// How many times the work was divided anew among the ranks.
  [[nodiscard]] int num_rebalances() const;
  /// Work of the busiest rank over the mean, since the start; the busiest is taken for each kind of work, between which
  /// ranks wait for each other. 1 on one rank.
  [[nodiscard]] double work_imbalance() const;
  /// Cracks, edge splits and refusals since the start, over all ranks. Collective.
  [[nodiscard]] fracture::Counters fracture_counters() const;
  /// Elements crushed so far (sim/crush.hpp), over all ranks. Collective.
  [[nodiscard]] std::int64_t num_crushed() const;
  [[nodiscard]] bool is_crushed(LocalElement e) const;
  /// Index of an element's material in the list that files have: the scene's materials, then their crushed forms.
  [[nodiscard]] material::Index named_material(LocalElement e) const;
  /// Product of the scene's [[factor]]s on an element's stiffness; crushing does not change it.
  [[nodiscard]] double stiffness_factor(LocalElement e) const;
  /// The equations of implicit steps; without unknowns in an explicit run.
  [[nodiscard]] const ImplicitEquations& equations() const;
  /// Whether the run has reached its duration, or, in statics, a body has no equilibrium any more. The same on all
  /// ranks.
  [[nodiscard]] bool has_ended() const;
  /// How many times the implicit step is halved at present.
  [[nodiscard]] int num_halvings() const { return state().halvings; }
  /// This rank's counts of deformable contact in the last step; zeros without such contact.
  [[nodiscard]] contact::DeformableReport deformable_contacts() const;
  /// Contact of points and facets; null without it.
  [[nodiscard]] const contact::SurfaceContact* surface_contact() const;
  /// Memory of this rank's arrays [byte].
  struct Memory {
    std::int64_t mesh = 0, step = 0, subcycling = 0, fracture = 0;
    std::int64_t contact = 0;  ///< between deformable bodies
  };
  [[nodiscard]] Memory memory() const;
  /// This rank's dust particles.
  [[nodiscard]] const Dust& dust() const;
  /// Tets that left the mesh as dust, over all ranks.
  [[nodiscard]] std::int64_t num_tets_of_dust() const { return state().dust.tets; }
  /// Nodes of this rank in contact with rigid colliders in the last step.
  [[nodiscard]] std::int64_t num_contacts() const {
    return static_cast<std::int64_t>(contact::num_pressing(colliders()));
  }
  /// Sums over all ranks without rounding, so the same bits on any number of ranks. Collective.
  [[nodiscard]] Energies energies() const;
  /// Likewise; zeros without cohesive links. Collective.
  [[nodiscard]] CohesiveArea cohesive_area() const;

  [[nodiscard]] dynamics::ElementSpans element_spans() const { return dynamics::spans_of(mesh()); }

  /// Gives every owned node to the rank in its slot of `new_owner`; entries of other nodes are not read. The run
  /// continues with the same bits, unless `sorting` asks for another order of elements. Collective.
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
