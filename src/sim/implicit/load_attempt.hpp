/// One try at balancing forces at a load.
#pragma once

#include "static_stepper.hpp"

#include <limits>
#include <string>
#include <vector>

namespace brisance::sim {

struct StaticStepper::Attempt {
  AlignedNodeField<dist::NodeMotion> motion;
  AlignedNodeField<dist::NodeMotion> motion_before;  ///< where the last iteration began, ghosts included; empty: none
  AlignedNodeField<dist::NodeForce> forces;          ///< elastic [N]
  std::vector<dynamics::ConstrainedAxes> held;
  std::vector<LoadedNode> loaded;             ///< by pressures
  std::vector<contact::EndContact> contacts;  ///< of nodes that are not loose
  std::vector<Vec3> right, change;            ///< by node slot [N], [m]
  double damping = 0;                         ///< against moving from where the mesh is, over m (c_p/extent)² [–]
  std::vector<double> damping_of;             ///< by node slot: the force over the way, also of what is loose [N/m]
  double scale = 0;                           ///< largest forces of the last balance [N]
  std::string failure;
};

/// What Newton's method remembers from one iteration to the next.
struct StaticStepper::Descent {
  static constexpr int kStalled = 20;   ///< iterations without a least residual: there is nothing to be found
  static constexpr double kLess = 0.9;  ///< of a residual, that counts as less [–]
  double start = 0;                     ///< largest forces where the descent began [N]
  double scale = 0;                     ///< largest forces there and now [N]
  double floor = 0;                     ///< of the solver's residual [N]
  double rounding = -1;                 ///< see find_rounding; −1: not found yet [N]
  double last = 0, before_last = std::numeric_limits<double>::infinity(),
         least = std::numeric_limits<double>::infinity();  ///< out of balance [N]
  int iteration = 0, least_at = 0;
  /// All that stress does to turns, until a matrix turns out indefinite: then what holds alone, which always leads
  /// down, until much less is out of balance or that is slow.
  dynamics::TurnStiffness turns = dynamics::TurnStiffness::whole;
  double indefinite_at = 0;  ///< out of balance when a matrix was indefinite [N]

  void take(double out_of_balance) {
    before_last = iteration == 0 ? std::numeric_limits<double>::infinity() : last;
    last = out_of_balance;
    if (out_of_balance > kLess * least) return;
    least = out_of_balance;
    least_at = iteration;
  }
  /// What holds alone leads down, but not fast: it is worth asking again whether the whole matrix is definite.
  [[nodiscard]] bool is_slow() const { return last > 0.5 * before_last; }
  [[nodiscard]] bool has_stalled() const { return iteration - least_at >= kStalled; }
};

}  // namespace brisance::sim
