/// The data that the phases of a step share: scene, mesh with its fields, bodies, criteria and accounts.
#pragma once

#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/mesh_spans.hpp"
#include "brisance/fracture/cohesive/cohesive.hpp"
#include "brisance/fracture/rounds.hpp"
#include "brisance/sim/dust.hpp"
#include "brisance/sim/loads/loads.hpp"
#include "brisance/sim/parameters.hpp"
#include "brisance/sim/phases/subcycling.hpp"
#include "brisance/sim/regions.hpp"
#include "brisance/sim/state.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace brisance::contact {
class OverlapContact;
class SurfaceContact;
struct SurfaceStep;
}  // namespace brisance::contact

namespace brisance::sim {

/// Values derived from the mesh, rebuilt after it changes.
struct NodeCaches {
  std::vector<std::int32_t> owned, prescribed;  ///< node slots
  NodeField<double> wave_frequency;             ///< c_p/h_0 [1/s]
};

/// Effect of the last step on a node with a Dirichlet condition; remainder steps do not count.
struct Reaction {
  Vec3 acceleration;  ///< [m/s²]
  double power;       ///< of the constraint force [W]
};

/// A node of elements that changed class, with its forces weighted by class (Subcycling::begin): by the steps of the
/// last coarse step, by the same limited to twice the present ones, and by the present ones.
struct ChangedNode {
  std::int32_t slot;
  dist::NodeForce before, not_far_before, now;
};

/// Arrays that the phases of a step pass on.
struct StepArrays {
  std::vector<Reaction> constraints;  ///< parallel to NodeCaches::prescribed
  AlignedNodeField<dist::NodeForce> forces;
  std::vector<ChangedNode> changed;  ///< ascending slot
  std::vector<float> strain;         ///< ‖ε‖ by element slot, at its last evaluation
  std::vector<float> stiffening;     ///< by element slot; empty without a neo-Hookean material
  std::vector<double> steps;         ///< stable step by element slot [s]
  std::vector<LoadedNode> loaded;    ///< loads of the last step
  std::vector<ContactLoad> pressed;  ///< contact forces of the last step
  // Of the cuts of a step:
  std::vector<LocalNode> touched;                    ///< owned nodes
  NodeField<double> mass_before;                     ///< of nodes touched by the last round [kg]
  NodeField<double> stiffness;                       ///< of the nodes around them [N/m]
  AlignedNodeField<dist::NodeForce> partial_forces;  ///< of the nodes around them
};

/// Plain data; each phase is a class that refers to it (ModelView).
struct Model {
  /// @param make_mesh  returns the mesh of the scene. Collective; throws what `make_mesh` throws
  template <class MakeMesh>
  Model(const core::Comm& communicator, Scene as_integrated, const MakeMesh& make_mesh)
      : comm(communicator), scene(std::move(as_integrated)), mesh(make_mesh(scene)), colliders(scene.colliders) {
    set_up();
  }
  Model(const Model&) = delete;  // phases refer to it
  Model& operator=(const Model&) = delete;
  ~Model();

  /// Number of the mesh's materials before the crushed forms.
  [[nodiscard]] std::size_t num_solid_materials() const { return scene.materials.size() + mesh.facts.graded.size(); }

  core::Comm comm;
  Scene scene;
  dist::Mesh mesh;
  contact::RigidColliders colliders;
  std::vector<material::Index> crushed_form;     ///< for each of the mesh's materials
  std::vector<material::Index> named_material;   ///< for each: index in the list of materials in files
  std::optional<fracture::Rounds> rounds;        ///< absent if nothing can break
  std::optional<fracture::CohesiveLinks> links;  ///< absent if crack faces are free of traction
  RunState state;
  Dust dust;
  std::unique_ptr<contact::OverlapContact> overlaps;  ///< null without contact by overlaps
  std::unique_ptr<contact::SurfaceContact> surface;   ///< null without contact of points and facets
  NodeCaches caches;
  StepArrays arrays;
  Subcycling subcycling;
  FaceLoads face_loads;
  PhaseSeconds seconds;
  std::int64_t coarse_updates = 0;

private:
  void set_up();
};

/// A phase's view of the model, with functions that several phases use.
class ModelView {
protected:
  explicit ModelView(Model& model)
      : model_(model),
        comm_(model.comm),
        scene_(model.scene),
        mesh_(model.mesh),
        colliders_(model.colliders),
        rounds_(model.rounds),
        links_(model.links),
        state_(model.state),
        dust_(model.dust),
        overlaps_(model.overlaps),
        surface_(model.surface),
        caches_(model.caches),
        scratch_(model.arrays),
        subcycling_(model.subcycling),
        face_loads_(model.face_loads),
        seconds_(model.seconds) {}

  [[nodiscard]] dynamics::ElementSpans element_spans() const { return dynamics::spans_of(mesh_); }
  /// Plastic flow up to the current positions, and internal forces there. Local.
  void flow_and_internal_forces();
  /// Whether the integrator is explicit: its steps are bounded by wave speeds.
  [[nodiscard]] bool is_explicit() const;
  /// Whether the last step moved positions by the velocities that nodes have now.
  [[nodiscard]] bool nodes_came_with_their_velocities() const;
  [[nodiscard]] dynamics::ForceOptions force_options() const;
  [[nodiscard]] dynamics::ForceOptions subcycling_options() const {
    return {.viscous_split = scene_.output.energy_ledger, .separation_bound = false};
  }
  [[nodiscard]] std::size_t num_solid_materials() const { return model_.num_solid_materials(); }
  /// The regions that constrain their nodes now.
  [[nodiscard]] fracture::ConstrainedRegions constrained_regions() const;
  [[nodiscard]] contact::ContactNodes contact_nodes() const;
  /// Energy stored in contact springs of rigid bodies, this rank's share [J].
  [[nodiscard]] core::ExactSum contact_energy() const { return contact_energy(contact_nodes()); }
  [[nodiscard]] core::ExactSum contact_energy(const contact::ContactNodes& nodes) const;
  /// The longest step that is stable for the elements now, from which the contact stiffness between bodies follows [s].
  [[nodiscard]] double surface_stiffness_step() const;
  [[nodiscard]] contact::SurfaceStep surface_step(double dt_s) const;
  /// Acceleration of an owned node without a Dirichlet condition, by the forces of the last step [m/s²].
  [[nodiscard]] Vec3 free_acceleration(LocalNode n) const {
    return mesh_.inverse_mass[n] * Vec3(scratch_.forces[n].force) + scene_.gravity;
  }
  void enter_into_caches(LocalNode n);

  Model& model_;
  core::Comm& comm_;
  const Scene& scene_;
  dist::Mesh& mesh_;
  contact::RigidColliders& colliders_;
  std::optional<fracture::Rounds>& rounds_;
  std::optional<fracture::CohesiveLinks>& links_;
  RunState& state_;
  Dust& dust_;
  std::unique_ptr<contact::OverlapContact>& overlaps_;
  std::unique_ptr<contact::SurfaceContact>& surface_;
  NodeCaches& caches_;
  StepArrays& scratch_;
  Subcycling& subcycling_;
  FaceLoads& face_loads_;
  PhaseSeconds& seconds_;
};

}  // namespace brisance::sim
