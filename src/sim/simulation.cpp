/// Setting a simulation up, and keeping its caches right when the mesh changes. The step itself is in step.cpp.
#include "brisance/sim/simulation.hpp"

#include "brisance/core/random.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::sim {

namespace {

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
  colliders_.let_bodies_touch(largest_wave_frequency_);
  refresh_step_bound();
  if (scene_.time.watch_energy) watched_energy_ = energies().total();
}

fracture::Services Simulation::fracture_services() {
  fracture::Services services;
  services.corner_forces = [this](std::span<const std::int32_t> chosen, std::span<dist::CornerForces> result) {
    dynamics::corner_forces(element_spans(), mesh_.materials, mesh_.motion.span(), chosen, result);
  };
  services.about_to_cut = [this] { contact_before_cuts_ = contact_energy(); };
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

core::ExactSum Simulation::contact_energy() const {
  NodeField<double> forgiven(mesh_.node_id.size(), 0);
  for (std::int32_t i : owned_) forgiven[LocalNode(i)] = mesh_.state[LocalNode(i)].forgiven_depth;
  return colliders_.stored_energy(contact_nodes(), forgiven.span());
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

void Simulation::migrate_at_random() {
  kept_half_step_ = half_step();
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

fracture::Counters Simulation::fracture_counters() const {
  fracture::Counters total = rounds_ ? rounds_->counters() : fracture::Counters();
  for (std::int64_t* count : {&total.cracks, &total.cracks_across_ranks, &total.front_splits, &total.edge_splits,
                              &total.refused_one_sided, &total.refused_off_plane, &total.quality_snaps})
    *count = comm_.sum(*count);
  total.kinetic_energy_lost.reduce(comm_);
  core::ExactSum::reduce(comm_, total.angular_momentum_lost);
  return total;
}

}  // namespace brisance::sim
