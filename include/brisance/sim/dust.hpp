/// Pieces too small to deform, as round particles beside the mesh: they fall, meet rigid bodies and nothing else.
#pragma once

#include "brisance/contact/rigid/particle_contact.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/core/exact_sum.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace brisance::sim {

/// One particle, as files and messages hold it: plain numbers.
struct DustParticle {
  std::int64_t id = 0;                           ///< the lowest node of the piece that it was
  std::int64_t material = 0;                     ///< in the list that files name
  double birth_s = 0;                            ///< when it left the mesh
  std::array<double, 3> position{}, velocity{};  ///< of the centre of mass [m], [m/s]
  std::array<double, 3> angular_momentum{};      ///< about it [kg m²/s]
  double mass = 0;                               ///< [kg]
  double inertia = 0;                            ///< about the axis that it turned around [kg m²]
  double radius = 0;                             ///< of the ball of its volume [m]
  double contact_radius = 0;                     ///< contact::Particle::contact_radius [m]
};
static_assert(std::is_trivially_copyable_v<DustParticle>);

[[nodiscard]] contact::Particle particle_of(const DustParticle& dust);

/// What the mesh's accounts lost to dust, this rank's share, and when pieces were last looked at.
struct DustAccount {
  double mean_tet_m3 = 0;            ///< of the uncut mesh; 0: nothing becomes dust [m³]
  std::int64_t nodes_at_check = -1;  ///< MeshFacts::next_node_id then: without new nodes there are no new pieces
  int waits = 0;                     ///< 1: a piece was small enough but held
  std::int64_t tets = 0;             ///< that left the mesh, of all ranks
  core::ExactSum loss;               ///< elastic and contact energy, and kinetic energy of more than rigid motion [J]
  core::ExactSum viscous, supplied, step_change, plastic;  ///< accounts of nodes and elements that are gone [J]
  core::ExactSum torn_energy, torn_area;                   ///< of cohesion [J], [m²]
  core::ExactSum load_work;                                ///< [J]
  std::array<core::ExactSum, 3> load_impulse;              ///< [N s]
};

/// For checkpoints (core/named_state.hpp).
template <class Visit>
void describe(Visit& visit, DustAccount& account) {
  visit("dust_mean_tet_m3", account.mean_tet_m3);
  visit("dust_nodes_at_look", account.nodes_at_check);
  visit("dust_waits", account.waits);
  visit("dust_tets", account.tets);
  visit("dust_loss", account.loss);
  visit("dust_viscous", account.viscous);
  visit("dust_supplied", account.supplied);
  visit("dust_step_change", account.step_change);
  visit("dust_plastic", account.plastic);
  visit("dust_torn_energy", account.torn_energy);
  visit("dust_torn_area", account.torn_area);
  visit("dust_load_work", account.load_work);
  for (core::ExactSum& component : account.load_impulse) visit("dust_load_impulse", component);
}

/// The particles of a run. Each is on one rank, by its id; none knows of another, so nothing is sent.
class Dust {
public:
  /// Takes those of the list that are this rank's; the list is the same on all ranks. Local.
  void add(const core::Comm& comm, std::span<const DustParticle> born);
  [[nodiscard]] static bool is_here(const core::Comm& comm, const DustParticle& particle) {
    return particle.id % comm.size() == comm.rank();
  }

  /// One step, between RigidColliders::add_forces and advance: the bodies are where it begins. Local.
  void move(contact::RigidColliders& colliders, double dt_s, const Vec3& gravity);
  /// After `advance`: where the energy of the step's impulses went. Local.
  void book(const contact::RigidColliders& colliders, contact::ContactWork& work);

  [[nodiscard]] std::span<const DustParticle> particles() const { return particles_; }  ///< this rank's, ascending ids
  [[nodiscard]] core::ExactSum kinetic_energy() const;                                  ///< this rank's share [J]
  [[nodiscard]] core::ExactSum gravity_energy(const Vec3& gravity) const;               ///< likewise [J]
  [[nodiscard]] std::array<core::ExactSum, 3> momentum() const;                         ///< likewise [kg m/s]
  [[nodiscard]] core::ExactSum mass() const;                                            ///< likewise [kg]
  /// All ranks' particles by ascending id, on every rank. Collective.
  [[nodiscard]] std::vector<DustParticle> gathered(const core::Comm& comm) const;
  [[nodiscard]] std::size_t memory_bytes() const { return particles_.capacity() * sizeof(DustParticle); }

private:
  struct Blow {
    contact::ParticleImpulse by;
    Vec3 velocity, turning;  ///< of the body at the point, and its own, before the step [m/s], [rad/s]
  };
  std::vector<DustParticle> particles_;
  std::vector<Blow> blows_;           ///< of the step in progress
  core::ExactSum lost_by_particles_;  ///< in it, by those that touched a body [J]
};

}  // namespace brisance::sim
