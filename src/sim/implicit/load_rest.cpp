/// Statics without an equilibrium near: pseudo-transient continuation follows the body until it comes to rest.
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"

#include "load_trial.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

/// Damping over m (c_p/extent)²: at 1 an unconstrained part moves about as far as it would stretch [–].
constexpr double kFirstDamping = 1, kLeastDamping = 1e-12, kMostDamping = 1e3;
constexpr double kFaster = 0.5,
                 kSlower = 4;       ///< factors of the damping after a solved move, and after a failed one [–]
constexpr int kMostMoves = 80;      ///< without a crack
constexpr int kMostOfAll = 3000;    ///< at one load
constexpr double kNearRest = 0.03;  ///< damping force over the largest forces, below which plain Newton is tried [–]

}  // namespace

void StaticStepper::log_no_equilibrium(double load_share, const std::string& failure) const {
  if (!comm_.is_root()) return;
  spdlog::info(
      "load factor {:.4g}, t = {:.6g} s: there is no equilibrium near ({}). The body is followed in damped motion "
      "until it comes to rest.",
      load_share, state_.time_s, failure);
}

void StaticStepper::give_up(double load_share, const std::string& failure) {
  const std::string where =
      fmt::format("load step {}, load factor {:.4g}, t = {:.6g} s", state_.num_steps, load_share, state_.time_s);
  if (mesh_.facts.num_cracks == 0)
    throw core::Error(fmt::format("{}: the body does not come to rest: {}. {}", where, failure, advice()));
  has_ended_ = true;
  if (comm_.is_root())
    spdlog::warn(
        "{}: after {}, the body no longer comes to rest under its load: {}. The run ends here, with the results so "
        "far. To see where the body goes, take time.integrator = \"implicit_euler\".",
        where, core::counted(mesh_.facts.num_cracks, "crack"), failure);
}

double StaticStepper::share_of_damping(const Trial& trial) const {
  std::vector<Vec3> damping(mesh_.node_id.size(), Vec3::Zero());
  for (std::int32_t i : caches_.owned) {
    const auto s = static_cast<std::size_t>(i);
    if (trial.held[s] != 0 || is_loose(i)) continue;
    damping[s] =
        trial.damping_of[s] * (Vec3(trial.motion[LocalNode(i)].position) - Vec3(mesh_.motion[LocalNode(i)].position));
  }
  return norm_over_ranks(mesh_, damping) / trial.scale;
}

bool StaticStepper::move_on(double load_share, double damping, Trial& trial) {
  const AlignedNodeField<dist::NodeMotion> start = trial.motion;
  trial.damping = damping;
  const bool solved = balance_forces(load_share, trial);
  trial.damping = 0;
  if (!solved) trial.motion = start;
  return solved;
}

// Pseudo-transient continuation (Kelley and Keyes 1998): backward Euler steps of C ẋ = f(x) that grow longer. The
// criterion is evaluated after each, before loosened parts rotate far.
bool StaticStepper::come_to_rest(double load_share_before, double load_share, Trial& trial) {
  double damping = kFirstDamping, tried_at = 1;
  for (int moves = 0, all = 0; moves < kMostMoves && all < kMostOfAll && damping < kMostDamping; ++moves, ++all) {
    if (!move_on(load_share, damping, trial)) {
      damping *= kSlower;
      continue;
    }
    const double left = share_of_damping(trial);
    accept(load_share_before, load_share, trial);
    load_share_before = load_share;
    spdlog::debug("load {:.6g}, move {}: damping {:.2g}, {:.2g} of the forces", load_share, moves, damping, left);
    if (cut_what_fails()) {
      moves = 0;
      tried_at = 1;
      damping = std::min(kSlower * damping, kFirstDamping);
    } else {
      damping = std::max(kFaster * damping, kLeastDamping);
    }
    trial.motion = mesh_.motion;
    if (left > std::min(kNearRest, 0.5 * tried_at)) continue;
    tried_at = left;
    if (move_on(load_share, 0, trial)) {
      accept(load_share, load_share, trial);
      return true;
    }
  }
  return false;
}

}  // namespace brisance::sim
