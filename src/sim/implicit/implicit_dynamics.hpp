/// Implicit steps of dynamics: one StepEquation and the contacts at its end.
#pragma once

#include "implicit_stepper.hpp"

namespace brisance::sim {

class ImplicitDynamics final : public ImplicitStepper {
public:
  using ImplicitStepper::ImplicitStepper;

  /// A step of time.step_s, shorter where something cracks and where its equations were not solved.
  void step(double until_s) override;
  void take_in_cuts() override;
  void forget() override;

private:
  struct Attempt;
  // implicit_step.cpp
  [[nodiscard]] double usual_step_s() const override;
  /// Looks at the criterion, and chooses how long steps are after what it found. Collective.
  void crack_and_choose_length();
  /// Until all nodes at which something has cracked may crack on [s]. Collective.
  [[nodiscard]] double longest_wait() const;
  /// Leaves everything as it was, and says why, if the equations are not solved. Collective.
  [[nodiscard]] bool try_step(double dt_s, Attempt& attempt);
  [[nodiscard]] dynamics::StepEquation equation_of(double dt_s) const;
  /// What the start of the step brings into its equations, and where they start from.
  void find_start_terms(const dynamics::StepEquation& equation, Attempt& attempt);
  void find_end(double dt_s, Attempt& attempt) const;
  void accept(double dt_s, Attempt& attempt);
  void hand_on_accelerations(const dynamics::StepEquation& equation, const Attempt& attempt);
  void take_in_contacts(double dt_s, const Attempt& attempt);
  void take_in_overlaps(const Attempt& attempt);
  /// Weight, damping by mass and these elastic and viscous forces [N].
  [[nodiscard]] Vec3 smooth_force(LocalNode n, const dist::NodeForce& internal, const Vec3& velocity) const {
    return Vec3(internal.force) + mesh_.mass[n] * (scene_.gravity - scene_.time.mass_damping_per_s * velocity);
  }
  // implicit_ledger.cpp
  [[nodiscard]] bool keeps_account() const { return scene_.output.energy_ledger || scene_.time.watch_energy; }
  /// What the step does to each account; books nothing. Local.
  void find_account(const dynamics::StepEquation& equation, Attempt& attempt) const;
  void book(const Attempt& attempt);
  /// Energy that would come out of nothing, beyond what time.watch_energy lets pass. Collective.
  [[nodiscard]] bool gains_energy(Attempt& attempt) const;
  // implicit_contacts.cpp
  void find_end_forces(const dynamics::StepEquation& equation, Attempt& attempt) const;
  void find_right_side(const dynamics::StepEquation& equation, Attempt& attempt) const;
  void go_along(double share, const dynamics::StepEquation& equation, Attempt& attempt) const;
  [[nodiscard]] double slope(const Attempt& attempt) const;
  bool iterate(const dynamics::StepEquation& equation, double& floor, Attempt& attempt);
  [[nodiscard]] bool has_settled_turns(const dynamics::StepEquation& equation, double floor,
                                       const Attempt& attempt) const;
  bool settle_contacts(const dynamics::StepEquation& equation, double& floor, double tolerance, Attempt& attempt);
  double change_of_limits(Attempt& attempt) const;
  // implicit_skin.cpp: bodies among themselves
  [[nodiscard]] bool has_contacts() const { return colliders_.size() > 0 || overlaps() != nullptr; }
  /// Pairs as they are when the step begins. Collective.
  void begin_overlaps(Attempt& attempt) const;
  /// Their forces where the attempt has got, which it adds to the others' by `weight`. Collective.
  void find_overlap_forces(const dynamics::StepEquation& equation, double weight, Attempt& attempt) const;
  /// Rows of what they change by. Collective.
  void couple_overlaps(const dynamics::StepEquation& equation, Attempt& attempt) const;
  /// Whether surfaces go through each other, or too deep into each other, on straight ways to where the attempt has
  /// got; says so in its failure. Collective.
  [[nodiscard]] bool goes_too_deep(Attempt& attempt) const;

  bool was_cut_ = false;           ///< in this step
  std::vector<Vec3> last_change_;  ///< of velocities in the last step, by node slot [m/s]
};

}  // namespace brisance::sim
