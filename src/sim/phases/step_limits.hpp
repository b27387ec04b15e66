/// The stable step, the step classes of elements, and errors for useless steps and instability.
#pragma once

#include "brisance/dynamics/critical_step.hpp"
#include "brisance/dynamics/step_classes.hpp"
#include "brisance/sim/phases/model.hpp"

namespace brisance::sim {

class StepLimits : ModelView {
public:
  explicit StepLimits(Model& model) : ModelView(model) {}

  /// Evaluates the strains and stable steps of all elements, and chooses the step classes. Collective.
  void refresh();
  /// The arrays of StepArrays for strains, resized to the element slots. Local.
  [[nodiscard]] dynamics::Strains strains();
  /// Lowers `bound` to the shortest step of all ranks, and reduces its other values. Collective.
  void agree(const dynamics::CriticalStep& local, StepBound& bound) const;
  /// After cuts: updates the classes of these elements, whose steps were evaluated, for the present coarse step.
  /// Collective.
  void update_step_classes(std::span<const std::int32_t> elements);
  /// Number of elements of each step class, over all ranks. Collective.
  [[nodiscard]] std::array<std::int64_t, dynamics::kMostStepClasses> elements_by_class() const;
  /// Shares of the coarse step by node slot; empty if the run cannot sub-cycle. Local.
  [[nodiscard]] core::StepSharesOf step_shares() const;

  /// Throws core::Error on all ranks if steps have become too short for the run to finish. Collective.
  /// @param of_elements_s  stable step without contact [s]
  void refuse_useless_step(double dt_s, double of_elements_s) const;
  /// Throws core::Error on all ranks if a velocity is not finite. Collective.
  void check_finite() const;

private:
  /// Histogram of all elements' stable steps, as evaluated last. Collective.
  [[nodiscard]] dynamics::StepHistogram step_histogram() const;
  /// Chooses the coarse step and the class of every element from their stable steps. Collective.
  void choose_step_classes(const dynamics::StepHistogram& steps);
  /// Cost of contact in a coarse step, in element updates. Collective.
  [[nodiscard]] double contact_updates() const;
  void use_one_step();
  void set_step_classes(const auto& elements);  ///< slots, any range
  [[nodiscard]] int most_step_classes() const;
  [[nodiscard]] bool may_subcycle() const;
  [[nodiscard]] bool one_step_suffices() const;
  [[nodiscard]] double longest_coarse_step() const;
  [[noreturn]] void refuse_stiff_contact(double step_s, double least_s) const;  ///< the same on all ranks
};

}  // namespace brisance::sim
