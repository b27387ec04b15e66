/// Steps whose length is given instead of bounded by waves, because they solve equations. Each way of taking them is a
/// room of its own; this is what it may see of the run.
#pragma once

#include "brisance/sim/implicit/implicit_equations.hpp"

#include "sim/phases/phases.hpp"
#include "sim/phases/time_stepper.hpp"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace brisance::sim {

class ImplicitStepper : public TimeStepper, protected ModelView {
public:
  ImplicitStepper(Model& model, Phases& phases) : ModelView(model), phases_(phases) {}

  void take_in_cuts() override { equations_.forget(); }
  void forget() override { equations_.forget(); }
  [[nodiscard]] const ImplicitEquations& equations() const override { return equations_; }

protected:
  /// Plastic flow to where the nodes are, as an explicit step has it, and the forces of the criterion.
  void flow_and_internal_forces();
  void crack();
  /// The same at once, by another clock than the run's.
  void crack_at(double clock_s);
  [[nodiscard]] virtual double usual_step_s() const { return scene_.time.step_s; }
  /// Null where bodies do not touch.
  [[nodiscard]] contact::OverlapContact* overlaps() const { return overlaps_.get(); }
  /// What rigid bodies push nodes with at the end of a step. Local.
  void note_contact_forces(std::span<const contact::EndContact> contacts);
  /// Which components of owned nodes' motion regions prescribe now, by node slot, ghosts included. Collective.
  [[nodiscard]] std::vector<dynamics::ConstrainedAxes> constrained_axes() const;
  [[nodiscard]] std::vector<dist::NodeMotion> motion_of_prescribed() const;
  /// What pressures and blasts do in a step where `motion` has the nodes, whose ghosts follow. Collective.
  void find_loads(double dt_s, std::span<dist::NodeMotion> motion, std::vector<LoadedNode>& loaded);
  void add_load_work(LocalNode n, double work) { phases_.loads.add_impulse(n, Vec3::Zero(), work); }
  /// Their momentum and work in a step whose end `motion` is. Local.
  void book_loads(double dt_s, std::span<const dist::NodeMotion> motion, std::span<const LoadedNode> loaded);
  /// How long a step may be that ends at `until_s` or the run's end at the latest, halved as often as it has to be [s].
  [[nodiscard]] double length(double until_s) const;
  /// What to try where steps fail.
  [[nodiscard]] virtual std::string advice() const;
  /// Halves the next steps, or throws core::Error where that was done too often. The same on all ranks.
  void halve(double dt_s, const std::string& failure);
  /// Clock and counts after a step that was solved.
  void finish(double dt_s, double until_s);
  /// Says once where a linear strain takes a turn for a strain. Collective.
  void warn_of_turns();
  /// Throws core::Error on all ranks where a linear strain takes a turn for so much stress that it would count in what
  /// cracks. Collective.
  void refuse_turns() const;

  Phases& phases_;
  ImplicitEquations equations_;

private:
  bool has_warned_of_turns_ = false;
};

}  // namespace brisance::sim
