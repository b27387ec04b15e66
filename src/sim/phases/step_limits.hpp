/// How long a step may be, which elements take sub-steps, and when to give up.
#pragma once

#include "brisance/dynamics/critical_step.hpp"
#include "brisance/dynamics/step_classes.hpp"
#include "brisance/sim/phases/model.hpp"

namespace brisance::sim {

class StepLimits : ModelView {
public:
  explicit StepLimits(Model& model) : ModelView(model) {}

  /// Strains of all elements, their stable steps, and the classes that follow. Collective.
  void refresh();
  /// Room in StepArrays for what is found of every element slot.
  [[nodiscard]] dynamics::Strains strains();
  /// Takes the shortest step of all ranks into the bound where it is shorter. Collective.
  void agree(const dynamics::CriticalStep& local, StepBound& bound) const;
  /// After cuts: the classes of elements whose steps were evaluated, in the coarse step as it is. Collective.
  void update_step_classes(std::span<const std::int32_t> elements);
  /// How many elements have which class of step, all ranks. Collective.
  [[nodiscard]] std::array<std::int64_t, dynamics::kMostStepClasses> elements_by_class() const;
  /// Empty where all nodes take the run's step at all times.
  [[nodiscard]] core::StepSharesOf step_shares() const;

  /// Throws core::Error on all ranks where steps have become too short to go on.
  /// @param of_elements_s  the step without contact [s]
  void refuse_useless_step(double dt_s, double of_elements_s) const;
  /// Throws core::Error on all ranks where a velocity is no longer finite. Collective.
  void check_finite() const;

private:
  /// All elements' steps as they were just evaluated. Collective.
  [[nodiscard]] dynamics::StepHistogram step_histogram() const;
  /// The coarse step and the class of every element, after all elements' steps were evaluated. Collective.
  void choose_step_classes(const dynamics::StepHistogram& steps);
  /// Of contact in a coarse step, in updates of an element. Collective.
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
