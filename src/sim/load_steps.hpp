/// Statics: what is prescribed grows in load steps, and at each of them forces balance. Cracks are looked for there,
/// and forces balanced again at the same load, until nothing more fails.
#pragma once

#include "large_steps.hpp"

namespace brisance::sim {

class LoadSteps final : public LargeSteps {
public:
  explicit LoadSteps(Simulation& run);

  /// To the next load, with all the cracks there. Time says how far the load has grown: gravity is its share of the
  /// run, and regions are where they would be then. Velocities are 0.
  void step(double until_s) override;
  void take_in_cuts() override;
  void forget() override;

private:
  struct Attempt;
  [[nodiscard]] double usual_step_s() const override { return scene_.duration_s / scene_.time.load_steps; }
  /// Newton's method from `attempt.motion`, whose prescribed nodes are where the load has them. Says why if it does not
  /// get there. Collective.
  [[nodiscard]] bool balance_forces(double load_share, Attempt& attempt);
  /// One iteration of it: the way to where forces would balance if they were linear. Collective.
  [[nodiscard]] dynamics::SolveReport find_way(const dynamics::StepEquation& equation, double floor, Attempt& attempt);
  void go_along(double share, Attempt& attempt) const;
  /// What is out of balance does this along the way: positive where it leads down. Collective.
  [[nodiscard]] double slope(const Attempt& attempt) const;
  /// Out of balance, 0 where held [N]. Returns the norms of this and of what holds the held [N]. Collective.
  struct Norms {
    double free, held;
  };
  Norms find_right_side(double load_share, Attempt& attempt);
  [[nodiscard]] Vec3 weight(LocalNode n, double load_share) const;
  /// Pressures and contacts where `motion`, whose ghosts follow, has the nodes. What is loose feels neither.
  void find_pressures(double load_share, std::span<const dist::NodeMotion> motion, std::vector<LoadedNode>& loaded);
  [[nodiscard]] std::vector<contact::EndContact> find_contacts(std::span<const dist::NodeMotion> motion) const;
  void find_loose_nodes();
  void accept(double load_share_before, double load_share, Attempt& attempt);
  void book(double load_share_before, double load_share, Attempt& attempt);

  std::vector<LoadParameters> loads_;   ///< of the scene, growing as they do here
  std::vector<std::uint8_t> is_loose_;  ///< by node slot: of a piece that can move as a whole; empty: to be found
  bool was_cut_ = false;
};

}  // namespace brisance::sim
