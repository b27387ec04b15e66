/// One try at an implicit step of a certain length.
#pragma once

#include "brisance/contact/forces/overlap_contact.hpp"

#include "implicit_dynamics.hpp"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace brisance::sim {

struct ImplicitDynamics::Attempt {
  // before
  std::vector<dist::NodeMotion> prescribed_before;  ///< beside Caches::prescribed
  core::ExactSum elastic_before, contact_before;    ///< this rank's share [J]
  AlignedNodeField<dist::NodeForce> start_forces;   ///< elastic and viscous, where a step looks back [N]
  std::vector<Vec3> start_impulse;  ///< by node slot, what they and the last accelerations bring in; empty: 0 [N s]
  // where it has got
  AlignedNodeField<dist::NodeMotion> motion;
  AlignedNodeField<dist::NodeForce>
      forces;  ///< all but gravity, damping by mass and Dirichlet conditions, as they are weighed with force_share [N]
  std::vector<LoadedNode> loaded;  ///< by the faces where the old velocities lead
  std::vector<dynamics::ConstrainedAxes> held;
  std::vector<contact::EndContact> contacts, contacts_before;  ///< there, and where the last iteration began
  contact::FrictionLimits limits;
  /// Bodies among themselves, where they touch: forces by node slot, of owned nodes, and rows as the last equations had
  /// them.
  struct Overlaps {
    contact::PairLimits limits;
    std::map<contact::TetPair, double> friction_at_start;  ///< limits by what pressed before the step [N]
    std::vector<contact::OverlapForces::OfNode> nodes;
    std::vector<Vec3> normal, friction;                ///< spring and damper; friction [N]
    std::vector<Vec3> normal_before, friction_before;  ///< where the last iteration began
    std::vector<contact::OverlapForces::Pair> pairs;
    std::vector<contact::OverlapForces::Row> rows;
    std::vector<contact::OverlapForces::Term> terms;
    std::array<dynamics::Couplings, 2> couplings;  ///< of normal forces, and of friction
    core::ExactSum stored_before;                  ///< this rank's share [J]
    double deepest_before = 0;                     ///< of all ranks [–]
  };
  Overlaps overlaps;
  double share = 1;                 ///< of the way of the last iteration that was gone
  std::vector<Vec3> right, change;  ///< by node slot [kg m/s], [m/s]
  dynamics::SolveReport report;
  std::string failure;
  // what a step that was solved does, where the account is kept
  AlignedNodeField<dist::NodeForce> internal;  ///< elastic and viscous forces at its end [N]
  struct Account {
    std::vector<double> viscous, supplied;  ///< beside Caches::owned [J]
    core::ExactSum numerical;               ///< without contacts', this rank's share [J]
    core::ExactSum unexplained;             ///< work that no force has done, likewise [J]
  };
  Account account;

  /// Forces of contacts, as they are and as the last equations have it, do not agree: in sum over all ranks, their
  /// normal parts, their friction, the forces themselves [N], and what the difference does along the change [W].
  struct Disagreement {
    double normal = 0, friction = 0, forces = 0, power = 0;
    /// But for friction.
    [[nodiscard]] bool is_settled(double tolerance) const { return normal <= tolerance * forces; }
  };
  [[nodiscard]] Disagreement disagreement(const core::Comm& comm, const dynamics::StepEquation& equation) const;

private:
  enum { kNormal, kFriction, kForces, kPower, kNumSums };
  using Sums = std::array<core::ExactSum, kNumSums>;
  void add_of_colliders(const dynamics::StepEquation& equation, Sums& sums) const;
  void add_of_overlaps(const core::Comm& comm, const dynamics::StepEquation& equation, Sums& sums) const;
};

[[nodiscard]] inline Vec3 force_of(const contact::EndContact& contact) { return contact.spring + contact.dissipative; }

}  // namespace brisance::sim
