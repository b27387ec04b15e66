/// Implicit dynamics: each step solves one StepEquation, with the contacts at its end.
#pragma once

#include "brisance/core/exact_sum.hpp"

#include "implicit_stepper.hpp"

#include <optional>
#include <vector>

namespace brisance::sim {

class ImplicitDynamics final : public ImplicitStepper {
public:
  using ImplicitStepper::ImplicitStepper;

  /// A step of time.step_s, shorter after cracks and where the equations were not solved.
  void step(double until_s) override;
  void take_in_cuts() override;
  void forget() override;

private:
  struct Trial;
  // implicit_step.cpp
  [[nodiscard]] double usual_step_s() const override;
  /// Evaluates the criterion, cuts, and chooses the length of steps accordingly. Collective.
  void crack_and_choose_length();
  /// Longest time until a crack front may advance, by its ready time [s]. Collective.
  [[nodiscard]] double longest_wait() const;
  /// Solves one step; on failure leaves the mesh as it was, with the reason in `trial.failure`. Collective.
  [[nodiscard]] bool try_step(double dt_s, Trial& trial);
  [[nodiscard]] dynamics::StepEquation equation_of(double dt_s) const;
  /// The terms at the start of the step, and the first iterate.
  void find_start_terms(const dynamics::StepEquation& equation, Trial& trial);
  void find_end(double dt_s, Trial& trial) const;
  /// Makes the trial step that of the run, with its accounts. Collective.
  void accept(double dt_s, Trial& trial);
  void hand_on_accelerations(const dynamics::StepEquation& equation, const Trial& trial);
  void take_in_contacts(double dt_s, const Trial& trial);
  void take_in_overlaps(const Trial& trial);
  /// These elastic and viscous forces plus weight and damping by mass [N].
  [[nodiscard]] Vec3 smooth_force(LocalNode n, const dist::NodeForce& internal, const Vec3& velocity) const {
    return Vec3(internal.force) + mesh_.mass[n] * (scene_.gravity - scene_.time.mass_damping_per_s * velocity);
  }
  // active_functions.cpp: the hierarchical basis
  [[nodiscard]] bool has_basis() const { return has_few_functions(scene_.time); }
  /// Every time.basis_renew_every steps chooses the active functions, and carries velocities and accelerations over to
  /// them. Collective; throws core::Error if the coarsest lattice alone has more functions than may be active.
  void renew_basis();
  /// Factors by which nodes are wanted in the basis; infinite near crack fronts and at the rims of regions. Collective.
  [[nodiscard]] std::vector<double> wanted_nodes(std::span<const dynamics::ConstrainedAxes> held) const;
  [[nodiscard]] bool is_similar(const NodeField<std::uint8_t>& before, std::span<const double> wanted,
                                std::int64_t num_nodes) const;
  void refuse_empty_basis(std::int64_t num_coarsest, std::int64_t num_nodes) const;
  void carry_over_velocities(std::span<const dynamics::ConstrainedAxes> held);
  /// Replaces values by the nearest combination of active functions. Collective.
  void keep_in_basis(std::span<Vec3> by_slot);
  void keep_in_basis(NodeField<std::array<double, 3>>& field);
  // implicit_ledger.cpp
  [[nodiscard]] bool keeps_account() const { return scene_.output.energy_ledger || scene_.time.watch_energy; }
  /// Computes the step's contribution to each account, without booking it. Local.
  void find_account(const dynamics::StepEquation& equation, Trial& trial) const;
  void book(const Trial& trial);
  /// Would the step gain more energy from nowhere than time.watch_energy tolerates? Collective.
  [[nodiscard]] bool gains_energy(Trial& trial) const;
  // implicit_contacts.cpp
  void find_end_forces(const dynamics::StepEquation& equation, Trial& trial) const;
  void find_right_side(const dynamics::StepEquation& equation, Trial& trial) const;
  void apply_update(double share, const dynamics::StepEquation& equation, Trial& trial) const;
  bool iterate(const dynamics::StepEquation& equation, double& floor, Trial& trial);
  [[nodiscard]] bool has_settled_turns(const dynamics::StepEquation& equation, double floor, const Trial& trial);
  bool settle_contacts(const dynamics::StepEquation& equation, double& floor, double tolerance, Trial& trial);
  double change_of_limits(Trial& trial) const;
  // implicit_overlaps.cpp: contact between deformable bodies
  [[nodiscard]] bool has_contacts() const { return colliders_.size() > 0 || overlaps() != nullptr; }
  /// Stores limits and depths of pairs at the start of the step. Collective.
  void begin_overlaps(Trial& trial) const;
  /// Forces of pairs at the Newton iterate, added to the other forces with `weight`. Collective.
  void find_overlap_forces(const dynamics::StepEquation& equation, double weight, Trial& trial) const;
  /// Rows of their derivative, for the solver. Collective.
  void couple_overlaps(const dynamics::StepEquation& equation, Trial& trial) const;
  /// Do surfaces pass through each other, or overlap too deep, on straight paths to the trial positions? The reason is
  /// then in `trial.failure`. Collective.
  [[nodiscard]] bool goes_too_deep(Trial& trial) const;

  bool was_cut_ = false;                   ///< in this step
  std::optional<core::ExactSum> elastic_;  ///< elastic energy as the last step left it, this rank's share [J]
  std::vector<Vec3> last_change_;          ///< of velocities in the last step, by node slot [m/s]
};

}  // namespace brisance::sim
