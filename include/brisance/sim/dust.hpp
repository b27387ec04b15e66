/// Dust: small pieces that left the mesh and continue as spherical particles. They fall under gravity and have contact
/// with rigid colliders only.
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

/// One particle, as plain numbers for files and messages.
struct DustParticle {
  std::int64_t id = 0;                           ///< lowest node id of the former piece
  std::int64_t material = 0;                     ///< index in the list of materials in files
  double birth_s = 0;                            ///< time at which it left the mesh [s]
  std::array<double, 3> position{}, velocity{};  ///< centre of mass [m], its velocity [m/s]
  std::array<double, 3> angular_momentum{};      ///< about the centre of mass [kg m²/s]
  double mass = 0;                               ///< [kg]
  double inertia = 0;                            ///< about the axis of its rotation when it left the mesh [kg m²]
  double radius = 0;                             ///< radius of the ball of equal volume [m]
  double contact_radius = 0;                     ///< radius at which it touches colliders, contact::Particle's [m]
};
static_assert(std::is_trivially_copyable_v<DustParticle>);

/// The same particle as the contact module has it. Local; does not throw.
[[nodiscard]] contact::Particle particle_of(const DustParticle& dust);

/// Accounts of removed nodes and elements, which the run keeps when these become dust (this rank's shares), and data of
/// the search for small pieces.
struct DustAccount {
  double mean_tet_m3 = 0;            ///< mean volume of a tet of the uncut mesh [m³]; 0: nothing becomes dust
  std::int64_t nodes_at_check = -1;  ///< MeshFacts::next_node_id at the last search; without new nodes none is needed
  int waits = 0;                     ///< 1: search again, as a small piece was constrained or had cohesive links
  std::int64_t tets = 0;             ///< tets that left the mesh, over all ranks
  core::ExactSum loss;  ///< elastic and contact energy, and kinetic energy beyond that of the rigid motion [J]
  core::ExactSum viscous, supplied, step_change, plastic;  ///< Energies: viscous_loss, supplied, … [J]
  core::ExactSum torn_energy, torn_area;       ///< energy of broken cohesive links, and their area [J], [m²]
  core::ExactSum load_work;                    ///< Energies::load_work [J]
  std::array<core::ExactSum, 3> load_impulse;  ///< Energies::load_impulse [N s]
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

/// The particles of a run. Each is on the rank that its id determines. They do not interact, so a step needs no
/// communication.
class Dust {
public:
  /// Adds the particles of the list that belong to this rank; the list is the same on all ranks. Local.
  void add(const core::Comm& comm, std::span<const DustParticle> born);
  /// Whether a particle belongs to this rank.
  [[nodiscard]] static bool is_here(const core::Comm& comm, const DustParticle& particle) {
    return particle.id % comm.size() == comm.rank();
  }

  /// Takes one step of dt_s. To be called between RigidColliders::add_forces and advance, while colliders are still
  /// where the step begins; they get the particles' impulses. Local.
  void move(contact::RigidColliders& colliders, double dt_s, const Vec3& gravity);
  /// To be called after RigidColliders::advance: adds the work of the step's impulses to `work`. Local.
  void book(const contact::RigidColliders& colliders, contact::ContactWork& work);

  [[nodiscard]] std::span<const DustParticle> particles() const { return particles_; }  ///< this rank's, ascending ids
  [[nodiscard]] core::ExactSum kinetic_energy() const;                                  ///< this rank's share [J]
  [[nodiscard]] core::ExactSum gravity_energy(const Vec3& gravity) const;               ///< this rank's share [J]
  [[nodiscard]] std::array<core::ExactSum, 3> momentum() const;                         ///< this rank's share [kg m/s]
  [[nodiscard]] core::ExactSum mass() const;                                            ///< this rank's share [kg]
  /// All ranks' particles by ascending id, on every rank. Collective.
  [[nodiscard]] std::vector<DustParticle> gathered(const core::Comm& comm) const;
  [[nodiscard]] std::size_t memory_bytes() const { return particles_.capacity() * sizeof(DustParticle); }

private:
  struct Blow {
    contact::ParticleImpulse by;
    Vec3 velocity, turning;  ///< the body's at the point [m/s], its angular velocity [rad/s], before the step
  };
  std::vector<DustParticle> particles_;
  std::vector<Blow> blows_;           ///< impulses of the step in progress
  core::ExactSum lost_by_particles_;  ///< in that step, by particles that touched a body [J]
};

}  // namespace brisance::sim
