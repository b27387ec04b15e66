/// Statics: loads and prescribed motion grow in load steps. At each, forces are balanced, the criterion is evaluated,
/// and forces are balanced again after cuts, until nothing fails at this load.
#pragma once

#include "implicit_stepper.hpp"
#include "loose_parts.hpp"

#include <algorithm>

namespace brisance::sim {

class StaticStepper final : public ImplicitStepper {
public:
  StaticStepper(Model& model, Phases& phases);

  /// Takes the next load step, with all its cracks. Time stands for the load: gravity is scaled by the elapsed share of
  /// the run, and regions have their positions at that time. Velocities are 0. Collective; throws core::Error.
  void step(double until_s) override;
  void take_in_cuts() override;
  void forget() override;
  [[nodiscard]] bool has_ended() const override { return has_ended_; }

private:
  struct Trial;
  struct NewtonState;
  [[nodiscard]] double usual_step_s() const override { return scene_.duration_s / scene_.time.load_steps; }
  [[nodiscard]] double load_share_at(double time_s) const { return std::min(1.0, time_s / scene_.duration_s); }
  /// Sets `trial.motion` to the mesh, with prescribed nodes at their positions after this time. Local.
  void prescribe(double dt_s, Trial& trial) const;
  [[nodiscard]] std::string advice() const override;
  // load_newton.cpp
  /// Newton's method from `trial.motion`, whose prescribed nodes have their positions at this load. On failure the
  /// reason is in `trial.failure`. Collective.
  [[nodiscard]] bool balance_forces(double load_share, Trial& trial);
  /// If prescribed nodes move: displaces the other nodes in `trial.motion` by the solution for linear forces, so that
  /// no single layer of elements takes the whole displacement. Returns the norm of the residual of the prescribed
  /// displacement, 0 if nothing moves [N]. Collective.
  double follow_prescribed(double load_share, Trial& trial);
  /// Adds the residual that the displacement of prescribed nodes causes at the others, if forces were linear [N].
  /// Collective.
  void add_pull_of(const AlignedNodeField<dist::NodeMotion>& prescribed, double nudge, Trial& trial);
  /// Solves one Newton update, with the whole geometric stiffness if that is positive definite. On failure the reason
  /// is in `trial.failure`. Collective.
  [[nodiscard]] bool find_update(double load_share, NewtonState& newton, Trial& trial);
  [[nodiscard]] dynamics::SolveReport solve(dynamics::TurnStiffness turns, double floor, Trial& trial);
  /// Bound of the residual by rounding: the norm over all nodes [N]. Collective.
  [[nodiscard]] double find_rounding(const Trial& trial) const;
  void apply_update(double share, Trial& trial) const;
  /// Applies the full update, or, with a line search, the part to about the minimum along it. Collective.
  void descend(double load_share, bool no_farther_than_lowest, Trial& trial);
  /// Norms of the residual, of the reactions of constrained nodes, and of weight and pressures on loose pieces [N].
  struct Norms {
    double free, held, let_go;
    [[nodiscard]] double largest() const { return std::max({free, held, let_go}); }
  };
  /// Computes the residual, 0 where constrained [N]. Collective.
  Norms find_right_side(double load_share, Trial& trial);
  [[nodiscard]] Vec3 weight(LocalNode n, double load_share) const;
  /// Pressures for nodes at `motion`, ghosts included; loose pieces have neither pressure nor contact.
  /// @return squared pressure forces on loose pieces, summed over this rank's nodes [N²]
  core::ExactSum find_pressures(double load_share, std::span<const dist::NodeMotion> motion,
                                std::vector<LoadedNode>& loaded);
  [[nodiscard]] std::vector<contact::EndContact> find_contacts(std::span<const dist::NodeMotion> motion) const;
  [[nodiscard]] bool is_loose(std::int32_t slot) const { return parts_.is_loose[static_cast<std::size_t>(slot)] != 0; }
  /// Evaluates the criterion once, with the forces of the mesh, and cuts; was something cut? Collective.
  bool cut_what_fails();
  /// Cuts and balances until nothing fails at this load; false if the body does not come to rest. Collective.
  [[nodiscard]] bool crack_until_nothing_fails(double load_share, Trial& trial);
  // load_rest.cpp: if Newton's method finds no equilibrium
  /// Follows the body in damped motion from `trial.motion` until it comes to rest, with cracks meanwhile: a part that
  /// hangs by a ligament rotates until the ligament bears it or breaks. False if it does not come to rest. Collective.
  [[nodiscard]] bool come_to_rest(double load_share_before, double load_share, Trial& trial);
  /// One damped step: balances forces and damping; on failure returns false and restores `trial.motion`. Collective.
  [[nodiscard]] bool move_on(double load_share, double damping, Trial& trial);
  /// Norm of the damping forces over the largest forces, over all free nodes [–]. Collective.
  [[nodiscard]] double share_of_damping(const Trial& trial) const;
  void log_no_equilibrium(double load_share, const std::string& failure) const;
  /// Ends the run at this load: a cracked body that does not come to rest is no error. Collective; throws core::Error
  /// if nothing has cracked.
  void give_up(double load_share, const std::string& failure);
  /// Sets `trial.damping_of`, for nodes of loose pieces and, in a damped step, for all. Collective.
  void find_damping(Trial& trial) const;
  void accept(double load_share_before, double load_share, Trial& trial);
  void book(double load_share_before, double load_share, Trial& trial);

  /// Logs if the body has parted since. Local.
  void report_parting(const LooseParts& before, double load_share) const;

  std::vector<LoadParameters> loads_;  ///< of the scene, with pressures that grow with the load
  LooseParts parts_;
  bool was_cut_ = false, has_ended_ = false;
};

}  // namespace brisance::sim
