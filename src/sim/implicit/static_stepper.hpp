/// Statics: what is prescribed grows in load steps, and at each of them forces balance. Cracks are looked for there,
/// and forces balanced again at the same load, until nothing more fails.
#pragma once

#include "implicit_stepper.hpp"

#include <algorithm>

namespace brisance::sim {

class StaticStepper final : public ImplicitStepper {
public:
  StaticStepper(Model& model, Phases& phases);

  /// To the next load, with all the cracks there. Time says how far the load has grown: gravity is its share of the
  /// run, and regions are where they would be then. Velocities are 0.
  void step(double until_s) override;
  void take_in_cuts() override;
  void forget() override;
  [[nodiscard]] bool has_ended() const override { return has_ended_; }

private:
  struct Attempt;
  struct Descent;
  [[nodiscard]] double usual_step_s() const override { return scene_.duration_s / scene_.time.load_steps; }
  [[nodiscard]] double load_share_at(double time_s) const { return std::min(1.0, time_s / scene_.duration_s); }
  /// Nodes of the mesh, the prescribed ones where regions have them after this time.
  void prescribe(double dt_s, Attempt& attempt) const;
  [[nodiscard]] std::string advice() const override;
  /// Newton's method from `attempt.motion`, whose prescribed nodes are where the load has them. Says why if it does not
  /// get there. Collective.
  [[nodiscard]] bool balance_forces(double load_share, Attempt& attempt);
  /// Where nodes are prescribed other places than the mesh has: takes the others along in `attempt.motion`, as they
  /// would go if forces were linear, so that no element has to take all of the way. Returns the norm of what is out of
  /// balance by it, 0 where nothing moves [N]. Collective.
  double follow_prescribed(double load_share, Attempt& attempt);
  /// How far out of balance the prescribed nodes' way brings the others, if forces were linear [N]. Collective.
  void add_pull_of(const AlignedNodeField<dist::NodeMotion>& prescribed, double nudge, Attempt& attempt);
  /// One iteration of Newton's method: the way to where forces would balance if they were linear, all that stress does
  /// to turns taken in where that has a lowest place. Says why if there is no such way. Collective.
  [[nodiscard]] bool find_way(double load_share, Descent& descent, Attempt& attempt);
  [[nodiscard]] dynamics::SolveReport solve(dynamics::TurnStiffness turns, double floor, Attempt& attempt);
  /// As much may be out of balance by rounding alone: the norm over all nodes [N]. Collective.
  [[nodiscard]] double find_rounding(const Attempt& attempt) const;
  void go_along(double share, Attempt& attempt) const;
  /// All of the way that was found, or back to about where it begins to lead up. Collective.
  void go_down(double load_share, bool no_farther_than_lowest, Attempt& attempt);
  /// What is out of balance does this along the way: positive where it leads down. Collective.
  [[nodiscard]] double slope(const Attempt& attempt) const;
  /// Out of balance, 0 where held [N]. Returns the norms of this, of what holds the held, and of what weight and
  /// pressures would do to what is loose [N]. Collective.
  struct Norms {
    double free, held, let_go;
    [[nodiscard]] double largest() const { return std::max({free, held, let_go}); }
  };
  Norms find_right_side(double load_share, Attempt& attempt);
  [[nodiscard]] Vec3 weight(LocalNode n, double load_share) const;
  /// Pressures and contacts where `motion`, whose ghosts follow, has the nodes. What is loose feels neither.
  /// @return what pressures would do there, squared and summed over this rank's nodes [N²]
  core::ExactSum find_pressures(double load_share, std::span<const dist::NodeMotion> motion,
                                std::vector<LoadedNode>& loaded);
  [[nodiscard]] std::vector<contact::EndContact> find_contacts(std::span<const dist::NodeMotion> motion) const;
  void find_loose_nodes();
  [[nodiscard]] bool is_loose(std::int32_t slot) const { return is_loose_[static_cast<std::size_t>(slot)] != 0; }
  /// One evaluation of the criterion, by the forces where the mesh is; was something cut? Collective.
  bool cut_what_fails();
  /// All cracks of a load; false where the body comes to no rest any more. Collective.
  [[nodiscard]] bool crack_until_nothing_fails(double load_share, Attempt& attempt);
  // load_rest.cpp: where Newton's method finds no balance
  /// Follows the body from `attempt.motion`, slowed down, to where it comes to rest, with cracks on the way: a part
  /// that hangs by a ligament turns until the ligament bears it or breaks. False if it comes to no rest. Collective.
  [[nodiscard]] bool come_to_rest(double load_share_before, double load_share, Attempt& attempt);
  /// A piece of the way: forces and damping balance; false, with the mesh as it was, where they do not. Collective.
  [[nodiscard]] bool move_on(double load_share, double damping, Attempt& attempt);
  /// Of the largest forces, over all nodes that are free to move. Collective.
  [[nodiscard]] double share_of_damping(const Attempt& attempt) const;
  void say_it_moves(double load_share, const std::string& failure) const;
  /// What has cracked and comes to no rest is no failure: the run ends here, with what was reached. Collective; throws
  /// core::Error where nothing has cracked.
  void give_up(double load_share, const std::string& failure);
  /// What holds nodes back from moving: those of loose pieces, and all where the attempt is damped. Collective.
  void find_damping(Attempt& attempt) const;
  void accept(double load_share_before, double load_share, Attempt& attempt);
  void book(double load_share_before, double load_share, Attempt& attempt);

  /// What a body is in, dust left out.
  struct Parts {
    int large = 0;           ///< pieces with a hundredth of the mass or more
    int num_loose = 0;       ///< pieces of any size that can move as a whole
    double loose_share = 0;  ///< their mass over all [–]
  };
  /// Says so where the body has come apart since. Local.
  void report_parting(const Parts& before, double load_share) const;

  std::vector<LoadParameters> loads_;   ///< of the scene, growing as they do here
  std::vector<std::uint8_t> is_loose_;  ///< by node slot: of a piece that can move as a whole; empty: to be found
  Parts parts_;                         ///< as is_loose_
  bool was_cut_ = false, has_ended_ = false;
};

}  // namespace brisance::sim
