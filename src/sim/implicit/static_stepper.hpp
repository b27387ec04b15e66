/// Statics: loads and prescribed motion grow in load steps. At each, forces are balanced, the criterion is evaluated,
/// and forces are balanced again after cuts, until nothing fails at this load.
#pragma once

#include "implicit_stepper.hpp"

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
  struct Attempt;
  struct Descent;
  [[nodiscard]] double usual_step_s() const override { return scene_.duration_s / scene_.time.load_steps; }
  [[nodiscard]] double load_share_at(double time_s) const { return std::min(1.0, time_s / scene_.duration_s); }
  /// Sets `attempt.motion` to the mesh, with prescribed nodes at their positions after this time. Local.
  void prescribe(double dt_s, Attempt& attempt) const;
  [[nodiscard]] std::string advice() const override;
  /// Newton's method from `attempt.motion`, whose prescribed nodes have their positions at this load. On failure the
  /// reason is in `attempt.failure`. Collective.
  [[nodiscard]] bool balance_forces(double load_share, Attempt& attempt);
  /// If prescribed nodes move: displaces the other nodes in `attempt.motion` by the solution for linear forces, so that
  /// no single layer of elements takes the whole displacement. Returns the norm of the residual of the prescribed
  /// displacement, 0 if nothing moves [N]. Collective.
  double follow_prescribed(double load_share, Attempt& attempt);
  /// Adds the residual that the displacement of prescribed nodes causes at the others, if forces were linear [N].
  /// Collective.
  void add_pull_of(const AlignedNodeField<dist::NodeMotion>& prescribed, double nudge, Attempt& attempt);
  /// Solves one Newton update, with the whole geometric stiffness if that is positive definite. On failure the reason
  /// is in `attempt.failure`. Collective.
  [[nodiscard]] bool find_way(double load_share, Descent& descent, Attempt& attempt);
  [[nodiscard]] dynamics::SolveReport solve(dynamics::TurnStiffness turns, double floor, Attempt& attempt);
  /// Bound of the residual by rounding: the norm over all nodes [N]. Collective.
  [[nodiscard]] double find_rounding(const Attempt& attempt) const;
  void go_along(double share, Attempt& attempt) const;
  /// Applies the full update, or, with a line search, the part to about the minimum along it. Collective.
  void go_down(double load_share, bool no_farther_than_lowest, Attempt& attempt);
  /// Work of the residual along the update; positive: a descent [J]. Collective.
  [[nodiscard]] double slope(const Attempt& attempt) const;
  /// Norms of the residual, of the reactions of constrained nodes, and of weight and pressures on loose pieces [N].
  struct Norms {
    double free, held, let_go;
    [[nodiscard]] double largest() const { return std::max({free, held, let_go}); }
  };
  /// Computes the residual, 0 where constrained [N]. Collective.
  Norms find_right_side(double load_share, Attempt& attempt);
  [[nodiscard]] Vec3 weight(LocalNode n, double load_share) const;
  /// Pressures for nodes at `motion`, ghosts included; loose pieces have neither pressure nor contact.
  /// @return squared pressure forces on loose pieces, summed over this rank's nodes [N²]
  core::ExactSum find_pressures(double load_share, std::span<const dist::NodeMotion> motion,
                                std::vector<LoadedNode>& loaded);
  [[nodiscard]] std::vector<contact::EndContact> find_contacts(std::span<const dist::NodeMotion> motion) const;
  void find_loose_nodes();
  [[nodiscard]] bool is_loose(std::int32_t slot) const { return is_loose_[static_cast<std::size_t>(slot)] != 0; }
  /// Evaluates the criterion once, with the forces of the mesh, and cuts; was something cut? Collective.
  bool cut_what_fails();
  /// Cuts and balances until nothing fails at this load; false if the body does not come to rest. Collective.
  [[nodiscard]] bool crack_until_nothing_fails(double load_share, Attempt& attempt);
  // load_rest.cpp: if Newton's method finds no equilibrium
  /// Follows the body in damped motion from `attempt.motion` until it comes to rest, with cracks meanwhile: a part that
  /// hangs by a ligament rotates until the ligament bears it or breaks. False if it does not come to rest. Collective.
  [[nodiscard]] bool come_to_rest(double load_share_before, double load_share, Attempt& attempt);
  /// One damped step: balances forces and damping; on failure returns false and restores `attempt.motion`. Collective.
  [[nodiscard]] bool move_on(double load_share, double damping, Attempt& attempt);
  /// Norm of the damping forces over the largest forces, over all free nodes [–]. Collective.
  [[nodiscard]] double share_of_damping(const Attempt& attempt) const;
  void say_it_moves(double load_share, const std::string& failure) const;
  /// Ends the run at this load: a cracked body that does not come to rest is no error. Collective; throws core::Error
  /// if nothing has cracked.
  void give_up(double load_share, const std::string& failure);
  /// Sets `attempt.damping_of`, for nodes of loose pieces and, in a damped step, for all. Collective.
  void find_damping(Attempt& attempt) const;
  void accept(double load_share_before, double load_share, Attempt& attempt);
  void book(double load_share_before, double load_share, Attempt& attempt);

  /// The pieces of the body, without dust.
  struct Parts {
    int large = 0;           ///< pieces with a hundredth of the mass or more
    int num_loose = 0;       ///< pieces of any size that can move as a whole
    double loose_share = 0;  ///< their mass over all [–]
  };
  /// Logs if the body has parted since. Local.
  void report_parting(const Parts& before, double load_share) const;

  std::vector<LoadParameters> loads_;   ///< of the scene, with pressures that grow with the load
  std::vector<std::uint8_t> is_loose_;  ///< by node slot: in a piece that can move as a whole; empty: not known
  Parts parts_;                         ///< of the same time as is_loose_
  bool was_cut_ = false, has_ended_ = false;
};

}  // namespace brisance::sim
