/// Setting a simulation up, keeping its caches right, and the events that do not happen every step.
#include "brisance/sim/simulation.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dynamics/critical_step.hpp"
#include "brisance/dynamics/energies.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace brisance::sim {

namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

bool can_break(const Scene& scene) {
  return scene.fracture.enabled && std::any_of(scene.materials.begin(), scene.materials.end(), [](const auto& m) {
           return m.toughness > 0 && std::isfinite(m.toughness);
         });
}

dist::DistributeOptions distribute_options(const Scene& scene) {
  dist::DistributeOptions options;
  options.partitioner = scene.random_partition ? dist::Partitioner::random : dist::Partitioner::metis;
  options.seed = scene.fracture.seed;
  options.cap_damping_ratio = scene.fracture.cap_damping_ratio;
  return options;
}

/// Bit mask of the regions that still hold their nodes at this time.
std::uint32_t regions_held_at(const Scene& scene, double time_s) {
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < scene.regions.size(); ++i)
    if (time_s < scene.regions[i].until_s) mask |= 1U << i;
  return mask;
}

}  // namespace

Simulation::Simulation(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& whole,
                       std::span<const std::uint32_t> regions)
    : comm_(comm),
      scene_(scene),
      mesh_(dist::distribute(comm, whole, regions, scene.materials, distribute_options(scene))),
      colliders_(scene.colliders) {
  if (can_break(scene_)) rounds_.emplace(mesh_, scene_.fracture, held_regions(), fracture_services());
  rebuild_caches();
  refresh_step_bound();
  if (scene_.time.watch_energy) watched_energy_ = energies().total();
}

fracture::Services Simulation::fracture_services() {
  fracture::Services services;
  services.corner_forces = [this](std::span<const std::int32_t> chosen, std::span<dist::CornerForces> result) {
    dynamics::corner_forces(element_spans(), mesh_.materials, mesh_.motion.span(), chosen, result);
  };
  services.nodes_born = [this](std::span<const fracture::BornNode> born) {
    for (const fracture::BornNode& b : born)
      mesh_.state[b.node].forgiven_depth =
          contact::forgiven_offset_at_birth(colliders_, Vec3(mesh_.motion[b.node].position), b.t,
                                            {b.position_a, b.forgiven_a}, {b.position_b, b.forgiven_b});
  };
  return services;
}

contact::ContactNodes Simulation::contact_nodes() const {
  return {mesh_.motion.span(), mesh_.mass.span(), wave_frequency_.span(), owned_};
}

std::uint32_t Simulation::held_regions() const { return regions_held_at(scene_, time_s_); }

void Simulation::rebuild_caches() {
  const std::size_t slots = mesh_.node_id.size();
  viscous_work_.resize(slots, 0);
  supplied_work_.resize(slots, 0);
  wave_frequency_.assign(slots, 0);
  owned_.clear();
  prescribed_.clear();
  double largest = 0, smallest_mass = std::numeric_limits<double>::infinity();
  std::vector<double> speeds;
  for (const auto& m : mesh_.materials) speeds.push_back(material::pressure_wave_speed(m));
  for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh_.is_owned(n)) continue;
    owned_.push_back(i);
    if (mesh_.state[n].regions != 0) prescribed_.push_back(i);
    const double speed = speeds[mesh_.material_of[LocalElement(mesh_.star(n).front())]];
    wave_frequency_[n] = speed / mesh_.state[n].edge_length;
    largest = std::max(largest, wave_frequency_[n]);
    smallest_mass = std::min(smallest_mass, mesh_.mass[n]);
  }
  largest_wave_frequency_ = comm_.max(largest);
  smallest_mass_ = comm_.min(smallest_mass);
}

void Simulation::refresh_step_bound() {
  core::ScopedTimer timer(seconds_.step_bound);
  const auto local = dynamics::critical_step(element_spans(), mesh_.materials, mesh_.motion.span());
  bound_.element_step_s = comm_.min(local.step_s);
  bound_.max_strain = comm_.max(local.max_strain);
  // Of elements that limit it equally, the lowest id is named.
  const std::int64_t id = local.step_s == bound_.element_step_s && local.slot >= 0
                              ? mesh_.element_id[LocalElement(local.slot)].value
                              : std::numeric_limits<std::int64_t>::max();
  bound_.limiting_element = comm_.min(id);
}

void Simulation::refuse_useless_step(double dt_s) const {
  const double least = scene_.time.min_step_s > 0 ? scene_.time.min_step_s : scene_.duration_s / 5e7;
  if (dt_s >= least) return;
  std::string blame = "element " + std::to_string(bound_.limiting_element);
  core::agree(comm_, [&] {
    const LocalElement e = mesh_.find(GlobalElement(bound_.limiting_element));
    if (!e.valid() || !mesh_.is_home(e)) return;
    Vec3 centre = Vec3::Zero();
    for (LocalNode n : mesh_.corners(e)) centre += mesh_.rest[n] / 4;
    const auto c = mesh_.corners(e);
    throw core::Error(
        "step " + std::to_string(num_steps_) + ", t = " + number(time_s_) + " s: the stable step fell to " +
        number(dt_s) + " s, below time.min_step_s = " + number(least) + " s. To blame is " + blame +
        " at rest position (" + number(centre.x()) + ", " + number(centre.y()) + ", " + number(centre.z()) +
        ") m with an altitude of " +
        number(dist::smallest_altitude(mesh_.rest[c[0]], mesh_.rest[c[1]], mesh_.rest[c[2]], mesh_.rest[c[3]])) +
        " m and a largest strain in the mesh of " + number(bound_.max_strain) +
        ". Mesh with better quality, raise fracture.altitude_floor, or lower the damping.");
  });
}

void Simulation::check_finite() const {
  bool finite = true;
  for (std::int32_t i : owned_)
    for (double v : mesh_.motion[LocalNode(i)].velocity) finite &= std::isfinite(v);
  if (comm_.any(!finite))
    throw core::Error("step " + std::to_string(num_steps_) + ", t = " + number(time_s_) +
                      " s: a node's velocity is no longer finite, so the run went unstable. Lower time.step_safety, or "
                      "choose time.integrator = \"symplectic_euler\".");
}

void Simulation::migrate_at_random() {
  for (std::int32_t i : owned_) {
    past_viscous_work_.add(viscous_work_[LocalNode(i)]);
    past_supplied_work_.add(supplied_work_[LocalNode(i)]);
  }
  NodeField<std::int32_t> owner(mesh_.node_id.size(), 0);
  for (std::int32_t i : owned_)
    owner[LocalNode(i)] = static_cast<std::int32_t>(
        core::hash_bits(static_cast<std::uint64_t>(num_steps_),
                        static_cast<std::uint64_t>(mesh_.node_id[LocalNode(i)].value), 0x316) %
        static_cast<std::uint64_t>(comm_.size()));
  dist::migrate(mesh_, owner);
  viscous_work_.assign(mesh_.node_id.size(), 0);
  supplied_work_.assign(mesh_.node_id.size(), 0);
  if (rounds_) rounds_->rebuild(mesh_);
  rebuild_caches();
}

void Simulation::watch_energy() {
  // The total should stay where it was; growth beyond rounding of the integrator is the sign of instability.
  const Energies now = energies();
  const double total = now.total(), scale = std::abs(now.kinetic) + std::abs(now.elastic) + 1e-300;
  const bool grew = total > watched_energy_ + 1e-3 * scale;
  watched_share_ = grew ? std::max(0.5 * watched_share_, 1e-3) : std::min(1.0, 1.02 * watched_share_);
  watched_energy_ = total;
}

fracture::Counters Simulation::fracture_counters() const {
  fracture::Counters total = rounds_ ? rounds_->counters() : fracture::Counters();
  for (std::int64_t* count : {&total.cracks, &total.cracks_across_ranks, &total.front_splits, &total.edge_splits,
                              &total.refused_one_sided, &total.refused_off_plane, &total.quality_snaps})
    *count = comm_.sum(*count);
  total.kinetic_energy_lost.reduce(comm_);
  core::ExactSum::reduce(comm_, total.angular_momentum_lost);
  return total;
}

Energies Simulation::energies() {
  enum {
    kKinetic,
    kGravity,
    kViscous,
    kSupplied,
    kMomentum,
    kElastic = kMomentum + 3,
    kPlastic,
    kContact,
    kOnNodes,
    kOnBodies,
    kContactLoss,
    kCut,
    kCount
  };
  std::vector<core::ExactSum> sums(kCount);
  sums[kViscous] = past_viscous_work_;
  sums[kSupplied] = past_supplied_work_;
  for (std::int32_t i : owned_) {
    const LocalNode n(i);
    const Vec3 v(mesh_.motion[n].velocity), p(mesh_.motion[n].position);
    sums[kKinetic].add(0.5 * mesh_.mass[n] * v.squaredNorm());
    sums[kGravity].add(-mesh_.mass[n] * scene_.gravity.dot(p));
    sums[kViscous].add(viscous_work_[n]);
    sums[kSupplied].add(supplied_work_[n]);
    for (int k = 0; k < 3; ++k) sums[kMomentum + k].add(mesh_.mass[n] * v[k]);
  }
  std::vector<std::int32_t> home;
  for (std::int32_t i = 0; i < mesh_.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh_.is_held(e) && mesh_.is_home(e)) home.push_back(i);
  const auto elements = dynamics::element_energies(element_spans(), mesh_.materials, mesh_.motion.span(), home);
  sums[kElastic] = elements.elastic;
  sums[kPlastic] = elements.plastic_work;
  NodeField<double> forgiven(mesh_.node_id.size(), 0);
  for (std::int32_t i : owned_) forgiven[LocalNode(i)] = mesh_.state[LocalNode(i)].forgiven_depth;
  sums[kContact] = colliders_.stored_energy(contact_nodes(), forgiven.span());
  sums[kOnNodes] = contact_work_.on_nodes;
  sums[kOnBodies] = contact_work_.on_bodies;
  sums[kContactLoss] = contact_work_.dissipated;
  if (rounds_) sums[kCut] = rounds_->counters().kinetic_energy_lost;
  core::ExactSum::reduce(comm_, sums);

  Energies e;
  e.kinetic = sums[kKinetic].value();
  e.gravity = sums[kGravity].value();
  e.elastic = sums[kElastic].value();
  e.contact = sums[kContact].value();
  e.viscous_loss = sums[kViscous].value();
  e.plastic_loss = sums[kPlastic].value();
  e.contact_loss = sums[kContactLoss].value();
  e.cut_loss = sums[kCut].value();
  e.supplied = sums[kSupplied].value();
  for (int k = 0; k < 3; ++k) e.momentum[k] = sums[kMomentum + k].value();
  for (std::size_t b = 0; b < colliders_.size(); ++b) {
    if (colliders_.parameters(b).motion != contact::ColliderMotion::free) continue;
    e.kinetic += colliders_.kinetic_energy(b);
    e.gravity -= colliders_.parameters(b).mass_kg * scene_.gravity.dot(colliders_.states()[b].position);
  }
  return e;
}

}  // namespace brisance::sim
