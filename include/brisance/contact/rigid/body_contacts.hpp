/// Contact of rigid bodies with each other: a free one against every other that it overlaps.
#pragma once

#include "brisance/contact/rigid/body_state.hpp"
#include "brisance/core/types.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace brisance::contact {

/// One point of a body inside another during the step in progress; `force` acts on `body`, its opposite on `other`.
struct BodyContact {
  std::size_t body = 0, other = 0;
  Vec3 point = Vec3::Zero();   ///< [m]
  Vec3 normal = Vec3::Zero();  ///< outward from `other`
  double depth = 0;            ///< [m], positive
  double mass = 0;             ///< least effective mass of the pair at the point, times the point's weight [kg]
  double stiffness = 0;        ///< [N/m]
  Vec3 force = Vec3::Zero(), dissipative = Vec3::Zero();        ///< total force; its damping and friction alone [N]
  Vec3 velocity = Vec3::Zero(), other_velocity = Vec3::Zero();  ///< bodies' at the point, before the step [m/s]
};

/// Contacts of the bodies of a scene with each other. All results follow from states that are the same on all ranks, in
/// the order of the bodies, so that every rank finds the same bits. All members are local.
///
/// Order of calls in a step: `press`, `force_on` for each free body, the motion of the bodies, `add_work`, `find`.
class BodyContacts {
public:
  /// Energies: Σ ½ k d² now, and since the start the loss by damping and friction and the supply by prescribed paths
  /// [J].
  struct Energies {
    double stored = 0, dissipated = 0, supplied = 0;
  };
  /// What a later step depends on, for checkpoints.
  struct Account {
    double wave_frequency = 0;              ///< 0: bodies do not touch each other [1/s]
    double loss = 0, supply = 0;            ///< since the start [J]
    double last_loss = 0, last_supply = 0;  ///< in the last step [J]
  };

  /// From now on bodies are in contact where at least one of a pair is free, at the points of
  /// RigidShape::points_inside (a sphere's deepest point, a box's corners), by the law of nodes with stiffness k = m
  /// (ω/10)², where m is the least effective mass of the pair times the point's weight, with the larger damping ratio
  /// and the smaller friction of the two. `wave_frequency` ω: c_p/h₀, the largest of the mesh [1/s]. Throws
  /// core::Error if a free body is inside another at the start.
  void start(const BodiesView& bodies, double wave_frequency);
  /// Finds the points of bodies inside others at their present places.
  void find(const BodiesView& bodies);
  /// Forces of the contacts found, in a step of dt_s from the present states [N].
  void press(const BodiesView& bodies, double dt_s, const Vec3& gravity);
  /// Total force of the contacts on one body [N]; adds their torque about `centre` to `torque` [N m].
  [[nodiscard]] Vec3 force_on(std::size_t body, const Vec3& centre, Vec3& torque) const;
  /// Adds loss and supply of the step. `bodies` after it, `before` at its begin.
  void add_work(const BodiesView& bodies, std::span<const BodyState> before, double dt_s);

  /// Losses and supply are shifted by so many lengths of the last step; see RigidColliders::kinetic_energy_shifted.
  [[nodiscard]] Energies energies(double shift_steps = 0) const;
  [[nodiscard]] const Account& account() const { return account_; }
  void set_account(const Account& account) { account_ = account; }

private:
  Account account_;
  std::vector<BodyContact> contacts_;  // at the present poses
};

}  // namespace brisance::contact
