/// Implicit dynamics: each step solves one StepEquation, with the contacts at its end.
#pragma once

#include "implicit_stepper.hpp"

namespace brisance::sim {

class ImplicitDynamics final : public ImplicitStepper {
public:
  using ImplicitStepper::ImplicitStepper;

  /// A step of time.step_s, shorter after cracks and where the equations were not solved.
  void step(double until_s) override;
  void take_in_cuts() override;
  void forget() override;

private:
  struct Attempt;
  // implicit_step.cpp
  [[nodiscard]] double usual_step_s() const override;
  /// Evaluates the criterion, cuts, and chooses the length of steps accordingly. Collective.
  void crack_and_choose_length();
  /// Longest time until a crack front may advance, by its ready time [s]. Collective.
  [[nodiscard]] double longest_wait() const;
  /// Solves one step; on failure leaves the mesh as it was, with the reason in `attempt.failure`. Collective.
  [[nodiscard]] bool try_step(double dt_s, Attempt& attempt);
  [[nodiscard]] dynamics::StepEquation equation_of(double dt_s) const;
  /// The terms at the start of the step, and the first iterate.
  void find_start_terms(const dynamics::StepEquation& equation, Attempt& attempt);
  void find_end(double dt_s, Attempt& attempt) const;
  /// Makes the trial step that of the run, with its accounts. Collective.
  void accept(double dt_s, Attempt& attempt);
  void hand_on_accelerations(const dynamics::StepEquation& equation, const Attempt& attempt);
  void take_in_contacts(double dt_s, const Attempt& attempt);
  void take_in_overlaps(const Attempt& attempt);
  /// These elastic and viscous forces plus weight and damping by mass [N].
  [[nodiscard]] Vec3 smooth_force(LocalNode n, const dist::NodeForce& internal, const Vec3& velocity) const {
    return Vec3(internal.force) + mesh_.mass[n] * (scene_.gravity - scene_.time.mass_damping_per_s * velocity);
  }
  // implicit_ledger.cpp
  [[nodiscard]] bool keeps_account() const { return scene_.output.energy_ledger || scene_.time.watch_energy; }
  /// Computes the step's contribution to each account, without booking it. Local.
  void find_account(const dynamics::StepEquation& equation, Attempt& attempt) const;
  void book(const Attempt& attempt);
  /// Would the step gain more energy from nowhere than time.watch_energy tolerates? Collective.
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
  // implicit_overlaps.cpp: contact between deformable bodies
  [[nodiscard]] bool has_contacts() const { return colliders_.size() > 0 || overlaps() != nullptr; }
  /// Stores limits and depths of pairs at the start of the step. Collective.
  void begin_overlaps(Attempt& attempt) const;
  /// Forces of pairs at the Newton iterate, added to the other forces with `weight`. Collective.
  void find_overlap_forces(const dynamics::StepEquation& equation, double weight, Attempt& attempt) const;
  /// Rows of their derivative, for the solver. Collective.
  void couple_overlaps(const dynamics::StepEquation& equation, Attempt& attempt) const;
  /// Do surfaces pass through each other, or overlap too deep, on straight paths to the trial positions? The reason is
  /// then in `attempt.failure`. Collective.
  [[nodiscard]] bool goes_too_deep(Attempt& attempt) const;

  bool was_cut_ = false;           ///< in this step
  std::vector<Vec3> last_change_;  ///< of velocities in the last step, by node slot [m/s]
};

}  // namespace brisance::sim
