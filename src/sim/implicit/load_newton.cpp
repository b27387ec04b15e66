/// Statics: Newton's method for the equilibrium at one load.
#include "brisance/contact/fields.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/sim/setup/start_checks.hpp"

#include "load_trial.hpp"
#include "sim/setup/mobility.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr int kMostLoadIterations = 100;  ///< iterations of Newton's method at one load
constexpr int kFullUpdates = 10;          ///< iterations with full updates; later ones have a line search
constexpr int kMostLoadSearches = 4;      ///< steps of a line search
/// Slope upwards accepted at the end of an update, over that down at its start [–].
constexpr double kLoadOvershoot = 0.3;
constexpr double kBalanced = 10;            ///< residual over the largest forces, in units of the solver's tolerance
constexpr double kResidualRounding = 1e-5;  ///< residual accepted if another iteration does not halve it [–]
constexpr double kNearlyBalanced = 1e-4;    ///< residual accepted if iterations stall: no follower stiffness [–]
constexpr double kEnoughSolved = 0.03;      ///< relative tolerance of linear systems that converge slowly [–]
constexpr double kNudge = 1e-5;  ///< displacement of prescribed nodes for finite differences, over an edge [–]
constexpr double kLooseStiffness = 1e-5;  ///< artificial stiffness of loose pieces, over m (c_p/extent)² [–]

}  // namespace

Vec3 StaticStepper::weight(LocalNode n, double load_share) const {
  if (is_loose(n.value)) return Vec3::Zero();  // it would fall without end
  return load_share * mesh_.mass[n] * scene_.gravity;
}

core::ExactSum StaticStepper::find_pressures(double load_share, std::span<const dist::NodeMotion> motion,
                                             std::vector<LoadedNode>& loaded) {
  face_loads_.find(loads_, mesh_, motion, load_share * scene_.duration_s, 0, loaded);
  core::ExactSum let_go;
  for (const LoadedNode& node : loaded)
    if (is_loose(node.slot)) let_go.add(node.force.squaredNorm());
  std::erase_if(loaded, [&](const LoadedNode& node) { return is_loose(node.slot); });
  return let_go;
}

// Velocities are 0, so there is neither damping nor friction.
std::vector<contact::EndContact> StaticStepper::find_contacts(std::span<const dist::NodeMotion> motion) const {
  contact::ContactNodes nodes = contact_nodes();
  nodes.motion = motion;
  auto contacts =
      colliders_.end_contacts(nodes, mesh_.motion.span(), 1, mesh_.field(contact::kContactOffset).span(), {});
  std::erase_if(contacts, [&](const contact::EndContact& c) { return is_loose(c.node); });
  return contacts;
}

StaticStepper::Norms StaticStepper::find_right_side(double load_share, Trial& trial) {
  mesh_.halo().update_ghosts(trial.motion.span());
  dynamics::corotational_forces(mesh_, trial.motion.span(), scene_.time.strain, trial.forces.span());
  for (std::int32_t i : caches_.owned)
    trial.right[static_cast<std::size_t>(i)] =
        Vec3(trial.forces[LocalNode(i)].force) + weight(LocalNode(i), load_share);
  if (trial.damping > 0)
    for (std::int32_t i : caches_.owned)
      trial.right[static_cast<std::size_t>(i)] -=
          trial.damping_of[static_cast<std::size_t>(i)] *
          (Vec3(trial.motion[LocalNode(i)].position) - Vec3(mesh_.motion[LocalNode(i)].position));
  std::array<core::ExactSum, 3> sums;
  if (!loads_.empty()) sums[2] = find_pressures(load_share, trial.motion.span(), trial.loaded);
  for (const LoadedNode& node : trial.loaded) trial.right[static_cast<std::size_t>(node.slot)] += node.force;
  if (colliders_.size() > 0) trial.contacts = find_contacts(trial.motion.span());
  for (const contact::EndContact& c : trial.contacts) trial.right[static_cast<std::size_t>(c.node)] += c.spring;
  for (std::int32_t i : caches_.owned) {
    if (is_loose(i)) sums[2].add((load_share * mesh_.mass[LocalNode(i)] * scene_.gravity).squaredNorm());
    for (int k = 0; k < 3; ++k) {
      double& right = trial.right[static_cast<std::size_t>(i)][k];
      const bool is_held = (trial.held[static_cast<std::size_t>(i)] >> k & 1) != 0;
      sums[is_held ? 1 : 0].add(right * right);
      if (is_held) right = 0;
    }
  }
  core::ExactSum::reduce(comm_, sums);
  return {std::sqrt(sums[0].value()), std::sqrt(sums[1].value()), std::sqrt(sums[2].value())};
}

dynamics::SolveReport StaticStepper::solve(dynamics::TurnStiffness turns, double floor, Trial& trial) {
  std::vector<dynamics::NodeBlock> blocks;
  for (std::int32_t i : caches_.owned)
    if (const double slow = trial.damping_of[static_cast<std::size_t>(i)]; slow > 0)
      blocks.push_back({i, slow * Mat3::Identity()});
  for (const contact::EndContact& c : trial.contacts)
    blocks.push_back({c.node, c.stiffness * c.normal * c.normal.transpose()});
  std::ranges::fill(trial.change, Vec3::Zero());
  return equations_.solve(
      mesh_, scene_.time, dynamics::balance_of_forces(turns, trial.motion_before.span()), false,
      {trial.motion.span(), trial.right, blocks, trial.held, {.floor = floor, .when_slow = kEnoughSolved}},
      trial.change);
}

bool StaticStepper::find_update(double load_share, NewtonState& newton, Trial& trial) {
  if (newton.last < 0.1 * newton.indefinite_at || newton.is_slow()) newton.turns = dynamics::TurnStiffness::whole;
  dynamics::SolveReport report = solve(newton.turns, newton.floor, trial);
  if (!report.converged && newton.turns == dynamics::TurnStiffness::whole) {
    newton.turns = dynamics::TurnStiffness::tension;
    newton.indefinite_at = newton.last;
    report = solve(newton.turns, newton.floor, trial);
  }
  spdlog::debug("load {:.6g}: {:.3g} N out of balance, {} iterations, residual {:.2e}, {}{}", load_share, newton.last,
                report.iterations, report.residual, report.preconditioner,
                newton.turns == dynamics::TurnStiffness::whole ? "" : ", tension alone");
  if (report.converged) return true;
  trial.failure = fmt::format("its equations were not solved: {} after {} iterations ({}), residual {:.2g}",
                              report.reason, report.iterations, report.preconditioner, report.residual);
  return false;
}

double StaticStepper::find_rounding(const Trial& trial) const {
  std::vector<double> bound(mesh_.node_id.size());
  dynamics::rounding_of_forces(mesh_, trial.motion.span(), bound);
  for (const contact::EndContact& c : trial.contacts)
    bound[static_cast<std::size_t>(c.node)] +=
        std::numeric_limits<double>::epsilon() * c.stiffness * Vec3(trial.motion[LocalNode(c.node)].position).norm();
  core::ExactSum sum;
  for (const std::int32_t i : caches_.owned)
    sum.add(bound[static_cast<std::size_t>(i)] * bound[static_cast<std::size_t>(i)]);
  sum.reduce(comm_);
  return std::sqrt(sum.value());
}

void StaticStepper::add_pull_of(const AlignedNodeField<dist::NodeMotion>& prescribed, double nudge, Trial& trial) {
  for (const double side : {nudge, -nudge}) {
    AlignedNodeField<dist::NodeMotion> nudged = mesh_.motion;
    for (const std::int32_t i : caches_.prescribed)
      for (int k = 0; k < 3; ++k) {
        double& x = nudged[LocalNode(i)].position[k];
        x += side * (prescribed[LocalNode(i)].position[k] - x);
      }
    mesh_.halo().update_ghosts(nudged.span());
    dynamics::corotational_forces(mesh_, nudged.span(), scene_.time.strain, trial.forces.span());
    for (const std::int32_t i : caches_.owned)
      for (int k = 0; k < 3; ++k)
        if ((trial.held[static_cast<std::size_t>(i)] >> k & 1) == 0)
          trial.right[static_cast<std::size_t>(i)][k] += trial.forces[LocalNode(i)].force[k] / (2 * side);
  }
}

double StaticStepper::follow_prescribed(double load_share, Trial& trial) {
  // Other materials converge without this, in fewer solves.
  if (advice_on_locking(scene_).empty()) return 0;
  double nudge = std::numeric_limits<double>::infinity();
  for (const std::int32_t i : caches_.prescribed) {
    const LocalNode n(i);
    const double displacement = (Vec3(trial.motion[n].position) - Vec3(mesh_.motion[n].position)).norm();
    if (displacement > 0) nudge = std::min(nudge, kNudge * mesh_.field(dist::kUncutEdgeLength)[n] / displacement);
  }
  nudge = comm_.min(nudge);
  if (!std::isfinite(nudge)) return 0;
  AlignedNodeField<dist::NodeMotion> prescribed = std::move(trial.motion);
  trial.motion = mesh_.motion;
  NewtonState newton;
  newton.scale = find_right_side(load_share, trial).largest();
  add_pull_of(prescribed, nudge, trial);
  newton.last = norm_over_ranks(mesh_, trial.right);
  newton.floor = scene_.time.solver_tolerance * newton.last;
  const bool found = std::isfinite(newton.last) && find_update(load_share, newton, trial);
  trial.motion = std::move(prescribed);
  if (found) {
    apply_update(1, trial);
    trial.motion_before = mesh_.motion;
  }
  return found ? newton.last : 0;
}

void StaticStepper::find_damping(Trial& trial) const {
  const double extent = extent_of(comm_, mesh_).length;
  trial.damping_of.assign(mesh_.node_id.size(), 0);
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const double frequency = caches_.wave_frequency[n] * mesh_.field(dist::kUncutEdgeLength)[n] / extent;
    trial.damping_of[static_cast<std::size_t>(i)] =
        (is_loose(i) ? kLooseStiffness : trial.damping) * mesh_.mass[n] * frequency * frequency;
  }
}

bool StaticStepper::balance_forces(double load_share, Trial& trial) {
  core::ScopedTimer timer(seconds_.integration);
  const std::size_t slots = mesh_.node_id.size();
  trial.held = constrained_axes();
  if (!parts_.is_of(slots)) parts_ = find_loose_parts(mesh_, trial.held);
  find_damping(trial);
  trial.forces.resize(slots);
  trial.right.assign(slots, Vec3::Zero());
  trial.change.assign(slots, Vec3::Zero());
  trial.motion_before.resize(0);
  NewtonState newton;
  const double first = trial.damping > 0 ? 0 : follow_prescribed(load_share, trial);
  for (newton.iteration = 0; newton.iteration <= kMostLoadIterations; ++newton.iteration) {
    const Norms norms = find_right_side(load_share, trial);
    if (newton.iteration == 0) newton.floor = scene_.time.solver_tolerance * std::max(first, norms.free);
    if (newton.iteration == 0) newton.start = norms.largest();
    // Without the iterations between: if one diverges, its large forces would make any residual small.
    trial.scale = newton.scale = std::max(newton.start, norms.largest());
    const bool stagnates =
        newton.iteration > 1 && norms.free > 0.5 * newton.last && norms.free <= kResidualRounding * newton.scale;
    if (norms.free <= kBalanced * scene_.time.solver_tolerance * newton.scale || stagnates) return true;
    if (newton.rounding < 0) newton.rounding = find_rounding(trial);
    if (norms.free <= newton.rounding) return true;
    trial.failure = fmt::format("forces did not balance in {} iterations: {:.3g} of {:.3g} N are left",
                                newton.iteration, norms.free, newton.scale);
    newton.take(norms.free);
    const bool gains_no_more = newton.has_stalled() || newton.iteration == kMostLoadIterations;
    if (gains_no_more && norms.free <= kNearlyBalanced * newton.scale) return true;
    if (!std::isfinite(norms.free) || newton.has_stalled() || !find_update(load_share, newton, trial)) return false;
    descend(load_share, newton.iteration >= kFullUpdates, trial);
  }
  return false;
}

void StaticStepper::descend(double load_share, bool no_farther_than_lowest, Trial& trial) {
  const double down = dot_of_owned(trial.right, trial.change);
  trial.motion_before = trial.motion;
  apply_update(1, trial);
  double share = 1;
  for (int i = 0; no_farther_than_lowest && i < kMostLoadSearches; ++i) {
    (void)find_right_side(load_share, trial);
    const double there = dot_of_owned(trial.right, trial.change);
    if (!(there < -kLoadOvershoot * down)) return;
    const double lowest = share * down / (down - there);
    apply_update(lowest - share, trial);
    share = lowest;
  }
}

void StaticStepper::apply_update(double share, Trial& trial) const {
  for (std::int32_t i : caches_.owned)
    Eigen::Map<Vec3>(trial.motion[LocalNode(i)].position) += share * trial.change[static_cast<std::size_t>(i)];
}

}  // namespace brisance::sim
