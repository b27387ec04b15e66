/// Implicit steps of dynamics: one StepEquation and the contacts at its end.
#pragma once

#include "large_steps.hpp"

namespace brisance::sim {

class ImplicitSteps final : public LargeSteps {
public:
  using LargeSteps::LargeSteps;

  /// A step of time.step_s, shorter where its equations were not solved.
  void step(double until_s) override;
  void forget() override;

private:
  struct Attempt;
  // implicit_step.cpp
  /// Leaves everything as it was, and says why, if the equations are not solved. Collective.
  [[nodiscard]] bool try_step(double dt_s, Attempt& attempt);
  void accept(double dt_s, Attempt& attempt);
  void book(double dt_s, const Attempt& attempt);
  // implicit_contacts.cpp
  void find_end_forces(double dt_s, Attempt& attempt) const;
  void find_right_side(const dynamics::StepEquation& equation, Attempt& attempt) const;
  void go_along(double share, const dynamics::StepEquation& equation, Attempt& attempt) const;
  [[nodiscard]] double slope(const Attempt& attempt) const;
  bool iterate(const dynamics::StepEquation& equation, double& floor, Attempt& attempt);
  bool settle_contacts(const dynamics::StepEquation& equation, double& floor, Attempt& attempt);
  double change_of_limits(Attempt& attempt) const;

  std::vector<Vec3> last_change_;  ///< of velocities in the last step, by node slot [m/s]
};

}  // namespace brisance::sim
