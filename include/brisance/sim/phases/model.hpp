/// The data that the phases of a step share: scene, mesh with its fields, colliders, fracture and accounts.
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
class EdgeContact;
class OverlapContact;
class SurfaceContact;
struct SurfaceStep;
}  // namespace brisance::contact

namespace brisance::sim {

/// Lists and values of nodes that follow from the mesh; rebuilt whenever cuts or migration change it.
struct NodeCaches {
  /// Slots of owned nodes, and of those in a region with a Dirichlet condition.
  std::vector<std::int32_t> owned, prescribed;
  /// Slots of owned nodes that colliders meet, where these are not all: virtual nodes are not (dist/division.hpp).
  std::vector<std::int32_t> touchable;
  NodeField<double> wave_frequency;  ///< c_p/h_0, h_0: edge length around the node in the uncut mesh [1/s]
};

/// What a Dirichlet condition did to a node in the last step. Steps shortened to end at a given time do not count.
struct Reaction {
  Vec3 acceleration;  ///< [m/s²]
  double power;       ///< power of the constraint force [W]
};

/// An owned node with an element whose step class changed (dynamics/step_classes.hpp), and its internal force with each
/// element weighted by 2⁻ᵏ of its class k, as Subcycling::begin does.
struct ChangedNode {
  std::int32_t slot;  ///< of the node
  /// Weighted by the classes of the last coarse step; by these, but each step at most twice the present one; by the
  /// present classes.
  dist::NodeForce before, not_far_before, now;
};

/// Arrays that one phase of a step writes and others read. No checkpoint holds them.
struct StepArrays {
  std::vector<Reaction> constraints;         ///< parallel to NodeCaches::prescribed
  AlignedNodeField<dist::NodeForce> forces;  ///< forces on owned nodes in the last step, without gravity [N]
  std::vector<ChangedNode> changed;          ///< by ascending slot
  std::vector<float> strain;                 ///< norm of ε by element slot, as of its last evaluation [–]
  std::vector<float> stiffening;     ///< Strains::stiffening by element slot; empty without a neo-Hookean material
  std::vector<double> steps;         ///< stable step by element slot [s]
  std::vector<LoadedNode> loaded;    ///< loads of the last step
  std::vector<ContactLoad> pressed;  ///< forces of deformable contact and of EdgeContact in the last step
  // For the cuts of a step:
  std::vector<LocalNode> touched;                    ///< owned nodes of elements that cuts changed
  NodeField<double> mass_before;                     ///< their masses before the last round of cuts [kg]
  NodeField<double> stiffness;                       ///< scratch: stiffness around some nodes [N/m]
  AlignedNodeField<dist::NodeForce> partial_forces;  ///< scratch: forces of some elements on their nodes [N]
};

/// All data of a run, without methods that advance it. Each phase of a step is a class with references to it
/// (ModelView).
struct Model {
  /// @param as_integrated  the scene
  /// @param make_mesh      called with it once; returns this rank's part of the mesh
  /// Collective; throws what `make_mesh` throws.
  template <class MakeMesh>
  Model(const core::Comm& communicator, Scene as_integrated, const MakeMesh& make_mesh)
      : comm(communicator), scene(std::move(as_integrated)), mesh(make_mesh(scene)), colliders(scene.colliders) {
    set_up();
  }
  Model(const Model&) = delete;  // phases refer to it
  Model& operator=(const Model&) = delete;
  ~Model();

  /// Number of materials in the mesh's list that are not crushed forms (sim/crush.hpp); these come first.
  [[nodiscard]] std::size_t num_solid_materials() const { return scene.materials.size() + mesh.facts.graded.size(); }

  core::Comm comm;
  Scene scene;
  dist::Mesh mesh;
  contact::RigidColliders colliders;
  std::vector<material::Index> crushed_form;     ///< of each material that is not crushed (sim/crush.hpp)
  std::vector<material::Index> named_material;   ///< of each material of the mesh, index in the list in files
  std::optional<fracture::Rounds> rounds;        ///< absent if nothing can break
  std::optional<fracture::CohesiveLinks> links;  ///< absent if crack faces are free of traction
  RunState state;
  Dust dust;
  std::unique_ptr<contact::OverlapContact> overlaps;  ///< null without contact by overlaps
  std::unique_ptr<contact::SurfaceContact> surface;   ///< null without contact of points and facets
  std::unique_ptr<contact::EdgeContact> edges;        ///< of cut edges with colliders; null without either
  NodeCaches caches;
  StepArrays arrays;
  Subcycling subcycling;
  FaceLoads face_loads;
  PhaseSeconds seconds;
  std::int64_t coarse_updates = 0;  ///< element updates of this rank so far, sub-steps not counted

private:
  void set_up();
};

/// Base class of the phases: references to the model's data, and functions that several phases use. Functions are local
/// and do not throw.
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
        edges_(model.edges),
        caches_(model.caches),
        scratch_(model.arrays),
        subcycling_(model.subcycling),
        face_loads_(model.face_loads),
        seconds_(model.seconds) {}

  [[nodiscard]] dynamics::ElementSpans element_spans() const { return dynamics::spans_of(mesh_); }
  /// Plastic flow up to the current positions, then internal forces of owned nodes there, into StepArrays::forces.
  void flow_and_internal_forces();
  /// Whether the integrator is explicit, so that wave speeds bound its steps.
  [[nodiscard]] bool is_explicit() const;
  /// Whether the last step moved positions by the velocities that nodes have now: all integrators but forward_euler and
  /// taylor2. The work of plastic flow is then computed from these velocities (ForceOptions::since_flow_s).
  [[nodiscard]] bool nodes_came_with_their_velocities() const;
  [[nodiscard]] dynamics::ForceOptions force_options() const;
  [[nodiscard]] dynamics::ForceOptions subcycling_options() const {
    return {.viscous_split = scene_.output.energy_ledger, .separation_bound = false};
  }
  [[nodiscard]] std::size_t num_solid_materials() const { return model_.num_solid_materials(); }
  /// The regions whose Dirichlet conditions hold now.
  [[nodiscard]] fracture::ConstrainedRegions constrained_regions() const;
  [[nodiscard]] contact::ContactNodes contact_nodes() const;
  /// Do colliders meet this node? All nodes but virtual ones (dist/division.hpp). Local.
  [[nodiscard]] bool meets_colliders(LocalNode n) const;
  /// Energy stored in contact springs of rigid bodies, this rank's share [J].
  [[nodiscard]] core::ExactSum contact_energy() const { return contact_energy(contact_nodes()); }
  [[nodiscard]] core::ExactSum contact_energy(const contact::ContactNodes& nodes) const;
  /// Step from which the stiffness of contact between deformable bodies follows: step_safety times the stable coarse
  /// step [s].
  [[nodiscard]] double surface_stiffness_step() const;
  [[nodiscard]] contact::SurfaceStep surface_step(double dt_s) const;
  /// Acceleration of an owned node without a Dirichlet condition, from StepArrays::forces and gravity [m/s²].
  [[nodiscard]] Vec3 free_acceleration(LocalNode n) const {
    return mesh_.inverse_mass[n] * Vec3(scratch_.forces[n].force) + scene_.gravity;
  }
  /// Adds an owned node to the caches.
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
  std::unique_ptr<contact::EdgeContact>& edges_;
  NodeCaches& caches_;
  StepArrays& scratch_;
  Subcycling& subcycling_;
  FaceLoads& face_loads_;
  PhaseSeconds& seconds_;
};

}  // namespace brisance::sim
