/// Setup, access, migration and counters of a simulation. The step itself is in step.cpp.
#include "brisance/sim/simulation.hpp"

#include "brisance/contact/bodies.hpp"
#include "brisance/contact/edge_points.hpp"
#include "brisance/contact/forces/edge_contact.hpp"
#include "brisance/contact/forces/overlap_contact.hpp"
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/slabs.hpp"
#include "brisance/dynamics/basis/functions.hpp"
#include "brisance/fracture/cutters/cutter.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/fracture/fronts.hpp"
#include "brisance/sim/crush.hpp"
#include "brisance/sim/fields.hpp"
#include "brisance/sim/implicit/implicit_equations.hpp"
#include "brisance/sim/material_table.hpp"

#include "sim/cracks_inside_tets.hpp"
#include "sim/phases/model_setup.hpp"
#include "sim/phases/phases.hpp"
#include "sim/phases/time_stepper.hpp"
#include "sim/setup/reference_surfaces.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::sim {

namespace {

dist::DistributeOptions distribute_options(const Scene& scene) {
  dist::DistributeOptions options;
  options.seed = scene.fracture.seed;
  options.refinements = refinements(scene);
  options.cap_damping_ratio = scene.fracture.cap_damping_ratio;
  options.fields = fields(scene);
  return options;
}

dist::WholeMesh whole_mesh(const Scene& scene, dist::MeshFacts facts) {
  std::vector<material::Material> materials = material_table(scene.materials, facts.graded);
  return {std::move(materials), std::move(facts), scene.fracture.cap_damping_ratio, fields(scene)};
}

/// Distributes the mesh, and adds graded materials to its table. Collective.
dist::Mesh distributed(const core::Comm& comm, const Scene& scene, dist::MeshShare share,
                       std::span<const std::uint32_t> regions) {
  std::vector<mesh::GradedRegion> graded = share.mesh.graded;
  const ReferenceSurfaces followed(comm, share);
  dist::RefinementReport middles;
  dist::DistributeOptions options = distribute_options(scene);
  options.way_of_middle = followed.way_of_middle();
  options.refinement = &middles;
  dist::Mesh mesh = dist::distribute(comm, std::move(share), regions, material_table(scene.materials, graded), options);
  if (!followed.empty()) spdlog::info(followed.report(mesh, options.refinements, middles));
  mesh.facts.graded = std::move(graded);
  return mesh;
}

/// Growth of a node's severity at which an implicit step tries a refused cut again [–].
constexpr double kRefusalGrowth = 1.25;

/// The scene as the integrator needs it. Stiffness-proportional damping β is viscosity β λ, β μ (dynamics::Parameters).
Scene as_integrated(Scene scene) {
  if (dynamics::is_implicit(scene.time.integrator)) scene.fracture.refusal_growth = kRefusalGrowth;
  if (scene.time.stiffness_damping_s == 0) return scene;
  for (material::Material& m : scene.materials) {
    m.damping_phi += scene.time.stiffness_damping_s * m.lame_lambda;
    m.damping_psi += scene.time.stiffness_damping_s * m.lame_mu;
  }
  return scene;
}

}  // namespace

dist::FieldList fields(const Scene& scene) {
  dist::FieldList list = dist::mesh_fields();
  list.add(fracture::fields())
      .add(contact::fields())
      .add(dynamics::kAddedStiffness)
      .add(dynamics::kStepClass)
      .add(dynamics::kLastStepClass)
      .add(kViscousWork)
      .add(kSuppliedWork)
      .add(kStepChangeWork)
      .add(kPieceId)
      .add(kPieceParent);
  if (std::any_of(scene.materials.begin(), scene.materials.end(), [](const auto& m) { return m.is_plastic(); }))
    list.add(dynamics::kPlasticState);
  if (tets_touch(scene)) list.add(contact::deformable_fields());
  if (surfaces_touch(scene)) list.add(contact::surface_fields());
  if (edge_points_touch(scene)) list.add(contact::kEdgePoints);
  if (can_break(scene) && (surfaces_touch(scene) || !scene.colliders.empty())) list.add(fracture::kContactAcceleration);
  if (std::ranges::any_of(scene.factors, [](const auto& factor) { return factor.of == FactorOf::strength; }))
    list.add(dist::kStrengthFactor);
  if (scene.fracture.cohesive) list.add(fracture::cohesive_fields());
  if (can_break(scene)) list.add(fracture::cutter_fields(scene.fracture));
  list.add(load_fields(scene));
  if (scene.time.integrator == dynamics::Integrator::hht) list.add(kAcceleration).add(kOuterAcceleration);
  if (scene.time.basis == dynamics::BasisKind::hierarchical) list.add(dynamics::kBasisLevel);
  return list;
}

Simulation::Simulation(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& whole,
                       std::span<const std::uint32_t> regions)
    : Simulation(comm, scene, dist::share_on_root(comm, comm.is_root() ? whole : mesh::TetMesh()), regions) {}

Simulation::Simulation(const core::Comm& comm, const Scene& scene, dist::MeshShare share,
                       std::span<const std::uint32_t> regions)
    : model_(std::make_unique<Model>(
          comm, as_integrated(scene),
          [&](const Scene& integrated) { return distributed(comm, integrated, std::move(share), regions); })),
      phases_(std::make_unique<Phases>(*model_)),
      stepper_(make_stepper(*model_, *phases_)) {
  Model& m = *model_;
  phases_->cracks.set_stepper(*stepper_);
  ModelSetup(m).note_uncut_mesh();
  phases_->dust.note_mean_tet();
  ModelSetup(m).start_plastic_strain();
  if (can_break(m.scene))
    m.rounds.emplace(m.mesh, m.scene.fracture, regions_constrained_at(m.scene, m.state.time_s),
                     phases_->cracks.services());
  if (m.rounds && m.scene.fracture.cohesive) m.links.emplace();
  m.colliders.let_bodies_touch(m.state.bound.largest_wave_frequency);
  phases_->limits.refresh();
  phases_->dust.require_more_than_dust();
  if (tets_touch(m.scene)) phases_->contact.start_overlaps(true);
  if (surfaces_touch(m.scene)) m.surface = std::make_unique<contact::SurfaceContact>(m.scene.contact);
  if (edges_meet_colliders(m.scene)) m.edges = std::make_unique<contact::EdgeContact>();
  phases_->contact.require_surfaces_apart();
  phases_->ledger.start_watch();
}

Simulation::Simulation(const core::Comm& comm, const Scene& scene, SavedRun saved)
    : model_(std::make_unique<Model>(comm, as_integrated(scene),
                                     [&](const Scene& integrated) {
                                       return dist::mesh_of_slabs(comm, whole_mesh(integrated, std::move(saved.facts)),
                                                                  std::move(saved.slab),
                                                                  saved.num_ranks == comm.size());
                                     })),
      phases_(std::make_unique<Phases>(*model_)),
      stepper_(make_stepper(*model_, *phases_)) {
  Model& m = *model_;
  phases_->cracks.set_stepper(*stepper_);
  if (can_break(m.scene))
    m.rounds.emplace(m.mesh, m.scene.fracture, fracture::ConstrainedRegions(), phases_->cracks.services());
  if (m.rounds && m.scene.fracture.cohesive) m.links.emplace();
  core::agree(m.comm, [&] { take_up(saved.state); });
  m.dust.add(m.comm, saved.dust);
  if (m.rounds) m.rounds->hold(regions_constrained_at(m.scene, m.state.time_s));
  ModelSetup(m).rebuild_caches();
  if (tets_touch(m.scene)) phases_->contact.start_overlaps(false);
  if (surfaces_touch(m.scene)) m.surface = std::make_unique<contact::SurfaceContact>(m.scene.contact);
  if (edges_meet_colliders(m.scene)) m.edges = std::make_unique<contact::EdgeContact>();
}

Simulation::~Simulation() = default;

const core::Comm& Simulation::comm() const { return model_->comm; }
const Scene& Simulation::scene() const { return model_->scene; }
const dist::Mesh& Simulation::mesh() const { return model_->mesh; }
dist::Mesh& Simulation::mesh() { return model_->mesh; }
const contact::RigidColliders& Simulation::colliders() const { return model_->colliders; }
const RunState& Simulation::state() const { return model_->state; }
const PhaseSeconds& Simulation::phase_seconds() const { return model_->seconds; }
const Dust& Simulation::dust() const { return model_->dust; }
const contact::SurfaceContact* Simulation::surface_contact() const { return model_->surface.get(); }
contact::DeformableReport Simulation::deformable_contacts() const { return phases_->contact.report(); }
Energies Simulation::energies() const { return phases_->ledger.energies(); }
CohesiveArea Simulation::cohesive_area() const { return phases_->ledger.cohesive_area(); }
int Simulation::num_rebalances() const { return phases_->balance.counts().num_rebalances; }

std::array<std::int64_t, dynamics::kMostStepClasses> Simulation::elements_by_class() const {
  return phases_->limits.elements_by_class();
}

std::int64_t Simulation::element_updates() const {
  return model_->comm.sum(model_->coarse_updates + model_->subcycling.element_updates());
}

double Simulation::work_imbalance() const {
  const WorkBalance::Counts& counts = phases_->balance.counts();
  return counts.mean_work > 0 ? counts.busiest_work / counts.mean_work : 1;
}

std::int64_t Simulation::num_crushed() const {
  std::int64_t count = 0;
  if (mesh().materials.size() > model_->num_solid_materials())
    for (const std::int32_t e : dist::home_elements(mesh())) count += is_crushed(LocalElement(e)) ? 1 : 0;
  return comm().sum(count);
}

bool Simulation::is_crushed(LocalElement e) const { return mesh().material_of[e] >= model_->num_solid_materials(); }

material::Index Simulation::named_material(LocalElement e) const {
  return model_->named_material[mesh().material_of[e]];
}

bool Simulation::has_ended() const { return time_s() >= scene().duration_s || stepper_->has_ended(); }

const ImplicitEquations& Simulation::equations() const { return stepper_->equations(); }

double Simulation::stiffness_factor(LocalElement e) const {
  std::size_t m = mesh().material_of[e];
  const std::vector<material::Index>& crushed_form = model_->crushed_form;
  if (is_crushed(e))
    m = static_cast<std::size_t>(std::find(crushed_form.begin(), crushed_form.end(), m) - crushed_form.begin());
  const std::size_t num_materials = scene().materials.size();
  return m < num_materials ? 1 : mesh().facts.graded[m - num_materials].stiffness;
}

void Simulation::migrate(const NodeField<std::int32_t>& new_owner, dist::Sorting sorting) {
  Model& m = *model_;
  if (!m.state.kept_half_step)
    m.state.kept_half_step = phases_->ledger.half_step();  // needs the last step's forces, which do not migrate
  dist::migrate(m.mesh, new_owner, sorting);
  if (m.rounds) m.rounds->rebuild(m.mesh);
  if (m.links) m.links->forget();
  ModelSetup(m).rebuild_caches();
  m.subcycling.forget();
  stepper_->forget();
  m.arrays.loaded.clear();
  if (m.overlaps) m.overlaps->forget();
  if (m.surface) m.surface->forget();
  if (m.edges) m.edges->forget();
  m.arrays.pressed.clear();
}

Simulation::Memory Simulation::memory() const {
  const Model& m = *model_;
  const StepArrays& s = m.arrays;
  const auto bytes = [](std::size_t count) { return static_cast<std::int64_t>(count); };
  return {
      .mesh = bytes(m.mesh.memory_bytes()),
      .step = bytes(m.dust.memory_bytes() + core::bytes_of(m.caches.owned, m.caches.prescribed, m.caches.wave_frequency,
                                                           s.forces, s.changed, s.strain, s.stiffening, s.steps,
                                                           s.loaded, s.mass_before, s.stiffness, s.partial_forces)),
      .subcycling = bytes(m.subcycling.memory_bytes()),
      .fracture = bytes(m.rounds ? m.rounds->memory_bytes() : 0),
      .contact = bytes((m.overlaps ? m.overlaps->memory_bytes() : 0) + (m.surface ? m.surface->memory_bytes() : 0))};
}

fracture::Counters Simulation::fracture_counters() const {
  fracture::Counters total = model_->rounds ? model_->rounds->counters() : fracture::Counters();
  for (std::int64_t* count :
       {&total.cracks, &total.cracks_across_ranks, &total.front_splits, &total.edge_splits, &total.refused_one_sided,
        &total.refused_off_plane, &total.quality_snaps, &total.cracks_at_fronts, &total.back_cracks})
    *count = comm().sum(*count);
  total.kinetic_energy_lost.reduce(comm());
  core::ExactSum::reduce(comm(), total.angular_momentum_lost);
  return total;
}

}  // namespace brisance::sim
