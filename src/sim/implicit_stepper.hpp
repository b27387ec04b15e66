/// Steps whose length is given instead of bounded by waves, because they solve equations. Each way of taking them is a
/// room of its own; this is what it may see of the run.
#pragma once

#include "brisance/sim/implicit_equations.hpp"
#include "brisance/sim/simulation.hpp"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace brisance::sim {

class ImplicitStepper {
public:
  explicit ImplicitStepper(Simulation& run)
      : run_(run),
        comm_(run.comm_),
        scene_(run.scene_),
        mesh_(run.mesh_),
        colliders_(run.colliders_),
        state_(run.state_),
        caches_(run.caches_),
        seconds_(run.seconds_) {}
  virtual ~ImplicitStepper() = default;
  ImplicitStepper(const ImplicitStepper&) = delete;
  ImplicitStepper& operator=(const ImplicitStepper&) = delete;

  /// See Simulation::step. Collective; throws core::Error.
  virtual void step(double until_s) = 0;
  /// The mesh was cut. Collective.
  virtual void take_in_cuts() { equations_.forget(); }
  /// Nodes have changed owners: nothing that is kept by slot holds. Collective.
  virtual void forget() { equations_.forget(); }

  /// Is there nothing more to come, before the scene's duration?
  [[nodiscard]] virtual bool has_ended() const { return false; }

  [[nodiscard]] const ImplicitEquations& equations() const { return equations_; }

protected:
  /// Plastic flow to where the nodes are, as an explicit step has it, and the forces of the criterion.
  void flow_and_internal_forces();
  void crack();
  /// The same at once, by another clock than the run's.
  void crack_at(double clock_s);
  [[nodiscard]] virtual double usual_step_s() const { return scene_.time.step_s; }
  void check_finite() const { run_.check_finite(); }
  void refresh_step_bound() { run_.refresh_step_bound(); }
  /// Null where bodies do not touch.
  [[nodiscard]] contact::OverlapContact* overlaps() const { return run_.overlaps_.get(); }
  /// Of bodies, before and after the cuts of a step. Collective.
  void find_overlaps() { run_.find_overlaps(); }
  void find_overlaps_after_cuts() { run_.find_overlaps_after_cuts(); }
  /// What rigid bodies push nodes with at the end of a step. Local.
  void note_contact_forces(std::span<const contact::EndContact> contacts);
  [[nodiscard]] contact::ContactNodes contact_nodes() const { return run_.contact_nodes(); }
  [[nodiscard]] core::ExactSum contact_energy() const { return run_.contact_energy(); }
  void grip(double dt_s, const std::vector<dist::NodeMotion>& before, std::span<dist::NodeMotion> after) const {
    run_.grip(dt_s, before, after);
  }
  /// Which components of owned nodes' motion regions prescribe now, by node slot, ghosts included. Collective.
  [[nodiscard]] std::vector<dynamics::ConstrainedAxes> constrained_axes() const;
  [[nodiscard]] std::vector<dist::NodeMotion> motion_of_prescribed() const;
  /// What pressures and blasts do in a step where `motion` has the nodes, whose ghosts follow. Collective.
  void find_loads(double dt_s, std::span<dist::NodeMotion> motion, std::vector<LoadedNode>& loaded);
  [[nodiscard]] FaceLoads& face_loads() { return run_.face_loads_; }
  void add_load_work(LocalNode n, double work) { run_.add_load_impulse(n, Vec3::Zero(), work); }
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

  Simulation& run_;
  core::Comm& comm_;
  const Scene& scene_;
  dist::Mesh& mesh_;
  contact::RigidColliders& colliders_;
  RunState& state_;
  Simulation::Caches& caches_;
  PhaseSeconds& seconds_;
  ImplicitEquations equations_;

private:
  bool has_warned_of_turns_ = false;
};

/// Null where steps are explicit.
[[nodiscard]] std::unique_ptr<ImplicitStepper> make_implicit_stepper(Simulation& run);

}  // namespace brisance::sim
