/// Setting a simulation up, and keeping its caches right when the mesh changes. The step itself is in step.cpp.
#include "brisance/sim/simulation.hpp"

#include "brisance/contact/bodies.hpp"
#include "brisance/contact/fields.hpp"
#include "brisance/contact/forces/overlap_contact.hpp"
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/log.hpp"
#include "brisance/dist/slabs.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/fracture/fronts.hpp"
#include "brisance/sim/crush.hpp"
#include "brisance/sim/fields.hpp"
#include "brisance/sim/material_table.hpp"

#include "implicit_stepper.hpp"
#include "reference_surfaces.hpp"

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

/// With the materials it is graded to. Collective.
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

/// As this integrator needs it. Damping by a share of the stiffness is viscosity: β λ and β μ (dynamics::Parameters).
Scene as_integrated(Scene scene) {
  if (dynamics::is_implicit(scene.time.integrator)) scene.fracture.refusal_growth = kRefusalGrowth;
  if (scene.time.stiffness_damping_s == 0) return scene;
  for (material::Material& m : scene.materials) {
    m.damping_phi += scene.time.stiffness_damping_s * m.lame_lambda;
    m.damping_psi += scene.time.stiffness_damping_s * m.lame_mu;
  }
  return scene;
}

contact::DeformableParameters overlap_parameters(const Scene& scene) {
  contact::DeformableParameters parameters = scene.contact;
  parameters.criterion = contact_criterion(scene);
  return parameters;
}

}  // namespace

fracture::ConstrainedRegions regions_constrained_at(const Scene& scene, double time_s) {
  fracture::ConstrainedRegions held;
  for (std::size_t i = 0; i < scene.regions.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (time_s < scene.regions[i].until_s && scene.regions[i].axes[axis]) held.by_axis[axis] |= 1U << i;
  return held;
}

dist::FieldList fields(const Scene& scene) {
  dist::FieldList list = dist::mesh_fields();
  list.add(fracture::fields())
      .add(contact::fields())
      .add(dynamics::kAddedStiffness)
      .add(dynamics::kStepClass)
      .add(dynamics::kLastStepClass)
      .add(kViscousWork)
      .add(kSuppliedWork)
      .add(kStepChangeWork);
  if (std::any_of(scene.materials.begin(), scene.materials.end(), [](const auto& m) { return m.is_plastic(); }))
    list.add(dynamics::kPlasticState);
  if (tets_touch(scene)) list.add(contact::deformable_fields());
  if (surfaces_touch(scene)) list.add(contact::surface_fields());
  if (can_break(scene) && (surfaces_touch(scene) || !scene.colliders.empty())) list.add(fracture::kContactAcceleration);
  if (std::ranges::any_of(scene.factors, [](const auto& factor) { return factor.of == FactorOf::strength; }))
    list.add(dist::kStrengthFactor);
  if (scene.fracture.cohesive) list.add(fracture::cohesive_fields());
  list.add(load_fields(scene));
  if (scene.time.integrator == dynamics::Integrator::hht) list.add(kAcceleration).add(kOuterAcceleration);
  return list;
}

Simulation::Simulation(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& whole,
                       std::span<const std::uint32_t> regions)
    : Simulation(comm, scene, dist::share_on_root(comm, comm.is_root() ? whole : mesh::TetMesh()), regions) {}

Simulation::Simulation(const core::Comm& comm, const Scene& scene, dist::MeshShare share,
                       std::span<const std::uint32_t> regions)
    : comm_(comm),
      scene_(as_integrated(scene)),
      mesh_(distributed(comm, scene_, std::move(share), regions)),
      crushed_form_(crushed_forms(with_graded_forms(scene.materials, mesh_.facts.graded))),
      named_material_(named_materials(scene.materials, mesh_.facts.graded)),
      colliders_(scene.colliders),
      integrator_(dynamics::make_integrator(scene.time.integrator)),
      implicit_stepper_(make_implicit_stepper(*this)) {
  share_uncut_altitudes();
  note_uncut_mesh();
  start_plastic_strain();
  if (can_break(scene_)) rounds_.emplace(mesh_, scene_.fracture, constrained_regions(), fracture_services());
  if (rounds_ && scene_.fracture.cohesive) ties_.emplace();
  colliders_.let_bodies_touch(state_.bound.largest_wave_frequency);
  refresh_step_bound();
  require_more_than_dust();
  if (tets_touch(scene_)) start_overlaps();
  if (surfaces_touch(scene_)) surface_ = std::make_unique<contact::SurfaceContact>(scene_.contact);
  require_surfaces_apart();
  start_watch();
}

Simulation::Simulation(const core::Comm& comm, const Scene& scene, SavedRun saved)
    : comm_(comm),
      scene_(as_integrated(scene)),
      mesh_(dist::mesh_of_slabs(comm, whole_mesh(scene_, std::move(saved.facts)), std::move(saved.slab),
                                saved.num_ranks == comm.size())),
      crushed_form_(crushed_forms(with_graded_forms(scene.materials, mesh_.facts.graded))),
      named_material_(named_materials(scene.materials, mesh_.facts.graded)),
      colliders_(scene.colliders),
      integrator_(dynamics::make_integrator(scene.time.integrator)),
      implicit_stepper_(make_implicit_stepper(*this)) {
  if (can_break(scene_)) rounds_.emplace(mesh_, scene_.fracture, fracture::ConstrainedRegions(), fracture_services());
  if (rounds_ && scene_.fracture.cohesive) ties_.emplace();
  core::agree(comm_, [&] { take_up(saved.state); });
  dust_.add(comm_, saved.dust);
  if (rounds_) rounds_->hold(constrained_regions());
  rebuild_caches();
  if (tets_touch(scene_)) overlaps_ = std::make_unique<contact::OverlapContact>(overlap_parameters(scene_), 0);
  if (surfaces_touch(scene_)) surface_ = std::make_unique<contact::SurfaceContact>(scene_.contact);
}

Simulation::~Simulation() = default;

void Simulation::start_overlaps() {
  overlaps_ = std::make_unique<contact::OverlapContact>(overlap_parameters(scene_),
                                                        implicit_stepper_ ? 0 : surface_stiffness_step());
  overlaps_->take_start(mesh_);
}

bool Simulation::has_ended() const {
  return state_.time_s >= scene_.duration_s || (implicit_stepper_ && implicit_stepper_->has_ended());
}

const ImplicitEquations& Simulation::equations() const {
  static const ImplicitEquations none;
  return implicit_stepper_ ? implicit_stepper_->equations() : none;
}

contact::ContactNodes Simulation::contact_nodes() const {
  return {mesh_.motion.span(), mesh_.mass.span(), caches_.wave_frequency.span(), caches_.owned};
}

core::ExactSum Simulation::contact_energy() const { return contact_energy(contact_nodes()); }

core::ExactSum Simulation::contact_energy(const contact::ContactNodes& nodes) const {
  return colliders_.stored_energy(nodes, mesh_.field(contact::kContactOffset).span());
}

fracture::ConstrainedRegions Simulation::constrained_regions() const {
  return regions_constrained_at(scene_, state_.time_s);
}

double Simulation::stiffness_factor(LocalElement e) const {
  std::size_t m = mesh_.material_of[e];
  if (is_crushed(e))
    m = static_cast<std::size_t>(std::find(crushed_form_.begin(), crushed_form_.end(), m) - crushed_form_.begin());
  const std::size_t num_materials = scene_.materials.size();
  return m < num_materials ? 1 : mesh_.facts.graded[m - num_materials].stiffness;
}

void Simulation::share_uncut_altitudes() {
  std::vector<double>& largest = mesh_.facts.max_inverse_altitudes_squared;
  const std::size_t num_materials = scene_.materials.size();
  const std::vector<mesh::GradedRegion>& graded = mesh_.facts.graded;
  for (std::size_t i = 0; i < graded.size(); ++i)
    largest[graded[i].of] = std::max(largest[graded[i].of], largest[num_materials + i]);
  for (std::size_t i = 0; i < graded.size(); ++i) largest[num_materials + i] = largest[graded[i].of];
  for (std::size_t i = 0; i < crushed_form_.size(); ++i)
    largest[crushed_form_[i]] = std::max(largest[crushed_form_[i]], largest[i]);
}

void Simulation::note_uncut_mesh() {
  note_loaded_faces(scene_, mesh_);
  if (bodies_touch(scene_)) contact::note_bodies(mesh_);
  fracture::note_uncut_areas(mesh_);
  fracture::note_fronts(mesh_);
  note_wave_speeds();
  note_mean_tet();
}

void Simulation::start_plastic_strain() {
  const std::span<dynamics::PlasticBlock> state = mesh_.field(dynamics::kPlasticState);
  if (state.empty()) return;
  for (std::int32_t slot = 0; slot < mesh_.num_element_slots(); ++slot)
    if (const LocalElement e(slot); mesh_.is_held(e))
      dynamics::set_plastic_strain(state, e, mesh_.material(e).initial_plastic_strain);
}

void Simulation::note_wave_speeds() {
  std::vector<double> speeds;
  for (const auto& m : mesh_.materials) speeds.push_back(material::pressure_wave_speed(m));
  for (std::size_t i = 0; i < num_solid_materials(); ++i) speeds[crushed_form_[i]] = speeds[i];
  for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh_.is_owned(n))
      mesh_.field(contact::kWaveSpeed)[n] = speeds[mesh_.material_of[LocalElement(mesh_.star(n).front())]];
  rebuild_caches();
  double largest = 0, smallest_mass = std::numeric_limits<double>::infinity();
  for (std::int32_t i : caches_.owned) {
    largest = std::max(largest, caches_.wave_frequency[LocalNode(i)]);
    smallest_mass = std::min(smallest_mass, mesh_.mass[LocalNode(i)]);
  }
  state_.bound.largest_wave_frequency = comm_.max(largest);
  state_.bound.smallest_mass = comm_.min(smallest_mass);
}

void Simulation::rebuild_caches() {
  caches_ = {};
  face_loads_.forget();
  caches_.wave_frequency.assign(mesh_.node_id.size(), 0);
  for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh_.is_owned(n)) enter_into_caches(n);
}

void Simulation::enter_into_caches(LocalNode n) {
  caches_.owned.push_back(n.value);
  if (mesh_.field(dist::kRegions)[n] != 0) caches_.prescribed.push_back(n.value);
  caches_.wave_frequency[n] = mesh_.field(contact::kWaveSpeed)[n] / mesh_.field(dist::kUncutEdgeLength)[n];
}

void Simulation::migrate(const NodeField<std::int32_t>& new_owner, dist::Sorting sorting) {
  if (!state_.kept_half_step)
    state_.kept_half_step = half_step();  // it follows from the last step's forces, which stay here
  dist::migrate(mesh_, new_owner, sorting);
  if (rounds_) rounds_->rebuild(mesh_);
  if (ties_) ties_->forget();
  rebuild_caches();
  subcycling_.forget();
  if (implicit_stepper_) implicit_stepper_->forget();
  scratch_.loaded.clear();
  if (overlaps_) overlaps_->forget();
  if (surface_) surface_->forget();
  scratch_.pressed.clear();
}

Simulation::Memory Simulation::memory() const {
  const Scratch& s = scratch_;
  const auto bytes = [](std::size_t count) { return static_cast<std::int64_t>(count); };
  return {.mesh = bytes(mesh_.memory_bytes()),
          .step = bytes(dust_.memory_bytes() + core::bytes_of(caches_.owned, caches_.prescribed, caches_.wave_frequency,
                                                              s.forces, s.changed, s.strain, s.stiffening, s.steps,
                                                              s.loaded, s.mass_before, s.stiffness, s.partial_forces)),
          .subcycling = bytes(subcycling_.memory_bytes()),
          .fracture = bytes(rounds_ ? rounds_->memory_bytes() : 0),
          .contact = bytes((overlaps_ ? overlaps_->memory_bytes() : 0) + (surface_ ? surface_->memory_bytes() : 0))};
}

fracture::Counters Simulation::fracture_counters() const {
  fracture::Counters total = rounds_ ? rounds_->counters() : fracture::Counters();
  for (std::int64_t* count :
       {&total.cracks, &total.cracks_across_ranks, &total.front_splits, &total.edge_splits, &total.refused_one_sided,
        &total.refused_off_plane, &total.quality_snaps, &total.cracks_at_fronts, &total.back_cracks})
    *count = comm_.sum(*count);
  total.kinetic_energy_lost.reduce(comm_);
  core::ExactSum::reduce(comm_, total.angular_momentum_lost);
  return total;
}

}  // namespace brisance::sim
