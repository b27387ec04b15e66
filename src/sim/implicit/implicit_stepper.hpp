/// Base of the steppers that solve equations, ImplicitDynamics and StaticStepper, over a ModelView. The length of their
/// steps is given instead of bounded by waves.
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
  /// Plastic flow to the present positions, as in an explicit step, and the forces for the criterion. Local.
  void flow_and_internal_forces();
  /// Evaluates the criterion if it is due, and cuts. Collective; throws as refuse_turns().
  void crack();
  /// The same now, with `clock_s` as the time for the speed limit of cracks. Collective.
  void crack_at(double clock_s);
  [[nodiscard]] virtual double usual_step_s() const { return scene_.time.step_s; }
  /// Null without contact by overlaps.
  [[nodiscard]] contact::OverlapContact* overlaps() const { return overlaps_.get(); }
  /// Stores the accelerations by rigid contact at the end of a step (fracture::kContactAcceleration). Local.
  void note_contact_forces(std::span<const contact::EndContact> contacts);
  /// Σ a·b over the nodes of all ranks, for vectors by node slot; of a residual along an update: positive in a descent.
  /// Collective.
  [[nodiscard]] double dot_of_owned(std::span<const Vec3> a, std::span<const Vec3> b) const;
  /// The components of nodes' motion that regions prescribe now, by node slot, ghosts included. Collective.
  [[nodiscard]] std::vector<dynamics::ConstrainedAxes> constrained_axes() const;
  [[nodiscard]] std::vector<dist::NodeMotion> motion_of_prescribed() const;
  /// Forces of pressures and blasts in a step for nodes at `motion`, whose ghosts it updates. Collective.
  void find_loads(double dt_s, std::span<dist::NodeMotion> motion, std::vector<LoadedNode>& loaded);
  void add_load_work(LocalNode n, double work) { phases_.loads.add_impulse(n, Vec3::Zero(), work); }
  /// Books momentum and work of loads in a step that ends at `motion`. Local.
  void book_loads(double dt_s, std::span<const dist::NodeMotion> motion, std::span<const LoadedNode> loaded);
  /// Length of the next step, with the present halvings, ending at `until_s` or the run's end at the latest [s].
  [[nodiscard]] double length(double until_s) const;
  /// Advice to the user for failed steps.
  [[nodiscard]] virtual std::string advice() const;
  /// Halves the next steps, or throws core::Error if that was done too often. The same on all ranks.
  void halve(double dt_s, const std::string& failure);
  /// Advances clock and counts after a solved step.
  void finish(double dt_s, double until_s);
  /// Warns once if a rotation causes strain in time.strain = "linear". Collective.
  void warn_of_turns();
  /// Throws core::Error on all ranks if rotations cause so much stress in a linear strain that they could cause cracks.
  /// Collective.
  void refuse_turns() const;

  Phases& phases_;
  ImplicitEquations equations_;

private:
  bool has_warned_of_turns_ = false;
};

}  // namespace brisance::sim
