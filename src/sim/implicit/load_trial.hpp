/// One trial of balancing forces at a load.
#pragma once

#include "static_stepper.hpp"

#include <limits>
#include <string>
#include <vector>

namespace brisance::sim {

struct StaticStepper::Trial {
  AlignedNodeField<dist::NodeMotion> motion;
  AlignedNodeField<dist::NodeMotion> motion_before;  ///< start of the last iteration, ghosts included; empty: none
  AlignedNodeField<dist::NodeForce> forces;          ///< elastic [N]
  std::vector<dynamics::ConstrainedAxes> held;
  std::vector<LoadedNode> loaded;             ///< forces of pressures
  std::vector<contact::EndContact> contacts;  ///< without nodes of loose pieces
  std::vector<Vec3> right, change;            ///< by node slot [N], [m]
  double damping = 0;              ///< stiffness against leaving the mesh's positions, over m (c_p/extent)² [–]
  std::vector<double> damping_of;  ///< by node slot: that stiffness, also of loose pieces [N/m]
  double scale = 0;                ///< largest forces of the last balance [N]
  std::string failure;
};

/// State of Newton's method between iterations.
struct StaticStepper::NewtonState {
  static constexpr int kStalled = 20;   ///< iterations without a new least residual, after which the method gives up
  static constexpr double kLess = 0.9;  ///< ratio of residuals that counts as a decrease [–]
  double start = 0;                     ///< largest forces at the first iterate [N]
  double scale = 0;                     ///< largest forces, there and at this iterate [N]
  double floor = 0;                     ///< absolute tolerance of the linear solver [N]
  double rounding = -1;                 ///< bound from find_rounding; −1: not computed yet [N]
  double last = 0, before_last = std::numeric_limits<double>::infinity(),
         least = std::numeric_limits<double>::infinity();  ///< residuals [N]
  int iteration = 0, least_at = 0;
  /// The whole geometric stiffness, until a matrix is indefinite; then that of tension alone, which is always a
  /// descent, until the residual is much smaller or convergence is slow.
  dynamics::TurnStiffness turns = dynamics::TurnStiffness::whole;
  double indefinite_at = 0;  ///< residual when a matrix was indefinite [N]

  void take(double out_of_balance) {
    before_last = iteration == 0 ? std::numeric_limits<double>::infinity() : last;
    last = out_of_balance;
    if (out_of_balance > kLess * least) return;
    least = out_of_balance;
    least_at = iteration;
  }
  /// Tension alone converges slowly: it is then worth trying again whether the whole matrix is definite.
  [[nodiscard]] bool is_slow() const { return last > 0.5 * before_last; }
  [[nodiscard]] bool has_stalled() const { return iteration - least_at >= kStalled; }
};

}  // namespace brisance::sim
