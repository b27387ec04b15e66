/// One trial of an implicit step of a given length.
#pragma once

#include "brisance/contact/forces/overlap_contact.hpp"

#include "implicit_dynamics.hpp"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace brisance::sim {

struct ImplicitDynamics::Trial {
  // at the start of the step
  std::vector<dist::NodeMotion> prescribed_before;  ///< in the order of NodeCaches::prescribed
  core::ExactSum elastic_before, contact_before;    ///< this rank's share [J]
  AlignedNodeField<dist::NodeForce> start_forces;   ///< elastic and viscous, if the equation needs them [N]
  std::vector<Vec3> start_impulse;  ///< by node slot, from them and the last accelerations; empty: 0 [N s]
  // the Newton iterate
  AlignedNodeField<dist::NodeMotion> motion;
  AlignedNodeField<dist::NodeForce>
      forces;                      ///< all but gravity, damping by mass and reactions, over the weight force_share [N]
  std::vector<LoadedNode> loaded;  ///< for the faces at x₀ + h v₀
  std::vector<dynamics::ConstrainedAxes> held;
  std::vector<contact::EndContact> contacts, contacts_before;  ///< at this iterate, and at the one before
  contact::FrictionLimits limits;
  /// Contact between deformable bodies by overlaps: forces by node slot, on owned nodes, and the rows of the last
  /// linear system.
  struct Overlaps {
    contact::PairLimits limits;
    std::map<contact::TetPair, double> friction_at_start;  ///< limits from normal forces before the step [N]
    contact::OverlapForces found;
    std::vector<Vec3> normal, friction;                ///< spring and damper; friction [N]
    std::vector<Vec3> normal_before, friction_before;  ///< at the iterate before
    std::array<dynamics::Couplings, 2> couplings;      ///< of normal forces, and of friction
    core::ExactSum stored_before;                      ///< this rank's share [J]
    double deepest_before = 0;                         ///< deepest overlap on all ranks [–]
  };
  Overlaps overlaps;
  double share = 1;                 ///< of the last Newton update that was applied [–]
  std::vector<Vec3> right, change;  ///< by node slot [kg m/s], [m/s]
  dynamics::SolveReport report;
  std::string failure;
  // results of a solved step, if accounts are kept
  AlignedNodeField<dist::NodeForce> internal;  ///< elastic and viscous forces at the iterate [N]
  bool wants_account = false;                  ///< after the first update the iterate may be the end of the step
  core::ExactSum elastic;                      ///< then: elastic energy, this rank's share [J]
  struct Account {
    std::vector<double> viscous, supplied;  ///< in the order of NodeCaches::owned [J]
    core::ExactSum numerical;               ///< without that of contact, this rank's share [J]
    core::ExactSum unexplained;             ///< energy gained beyond the work of all forces, this rank's share [J]
  };
  Account account;

  /// Difference between contact forces and their linearisation in the last equations, summed over all ranks: of normal
  /// parts and friction, beside the forces themselves [N], and its power along the change of velocity [W].
  struct Disagreement {
    double normal = 0, friction = 0, forces = 0, power = 0;
    /// Do normal forces agree? Friction is not tested.
    [[nodiscard]] bool is_settled(double tolerance) const { return normal <= tolerance * forces; }
  };
  [[nodiscard]] Disagreement disagreement(const core::Comm& comm, const dynamics::StepEquation& equation) const;

private:
  enum { kNormal, kFriction, kForces, kPower, kNumSums };
  using Sums = std::array<core::ExactSum, kNumSums>;
  void add_of_colliders(const dynamics::StepEquation& equation, Sums& sums) const;
  void add_of_overlaps(const core::Comm& comm, const dynamics::StepEquation& equation, Sums& sums) const;
};

}  // namespace brisance::sim
