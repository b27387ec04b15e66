/// Contact pairs and friction at the end of an implicit step: Newton's method with a line search.
#include "brisance/contact/fields.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/dynamics/corotational.hpp"

#include "trial_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr int kMostIterations = 30;   ///< largest number of iterations with one set of friction limits
constexpr int kMostForFriction = 8;   ///< after so many, unsettled friction is accepted
constexpr int kMostForPairs = 4;      ///< the same for deformable bodies, whose friction converges slowly
constexpr double kTurnsSettled = 10;  ///< residual left by rotations of elements, over the solver's tolerance [–]
constexpr int kMostForTurns = 8;      ///< iterations; rounding may prevent convergence
constexpr double kAgrees = 1e-3;      ///< error of linearised contact forces up to which no line search is needed [–]
constexpr double kOvershoot = 0.5;    ///< slope upwards accepted at the end of an update, over that down at its start
constexpr int kMostSearches = 12;     ///< steps of a line search
constexpr double kStiff = 30;         ///< dt·c/h above which the lattice solver is faster

using Pair = std::pair<std::int32_t, std::int32_t>;
Pair pair_of(const contact::EndContact& contact) { return {contact.node, contact.body}; }

}  // namespace

ImplicitDynamics::Trial::Disagreement ImplicitDynamics::Trial::disagreement(
    const core::Comm& comm, const dynamics::StepEquation& equation) const {
  Sums sums;
  add_of_colliders(equation, sums);
  add_of_overlaps(comm, equation, sums);
  core::ExactSum::reduce(comm, sums);
  return {sums[kNormal].value(), sums[kFriction].value(), sums[kForces].value(), sums[kPower].value()};
}

void ImplicitDynamics::Trial::add_of_colliders(const dynamics::StepEquation& equation, Sums& sums) const {
  std::map<Pair, Vec3> expected, normal;
  for (const contact::EndContact& c : contacts_before) {
    expected[pair_of(c)] = c.force() - c.resistance(equation.position_per_velocity) * (share * change[c.node]);
    normal[pair_of(c)] = c.normal;
  }
  const auto add = [&](std::int32_t node, const Vec3& difference, const Vec3& n, double size) {
    sums[kPower].add(difference.dot(change[node]));
    const double along = difference.dot(n);
    sums[kNormal].add(std::abs(along));
    sums[kFriction].add((difference - along * n).norm());
    sums[kForces].add(size);
  };
  for (const contact::EndContact& c : contacts) {
    const auto found = expected.find(pair_of(c));
    const Vec3 was = found == expected.end() ? Vec3(Vec3::Zero()) : found->second;
    add(c.node, c.force() - was, c.normal, c.force().norm());
    if (found != expected.end()) expected.erase(found);
  }
  for (const auto& [pair, force] : expected) add(pair.first, -force, normal[pair], 0);
}

void ImplicitDynamics::find_end_forces(const dynamics::StepEquation& equation, Trial& trial) const {
  mesh_.halo().update_ghosts(trial.motion.span());
  trial.elastic = {};
  dynamics::corotational_forces(mesh_, trial.motion.span(), scene_.time.strain, trial.forces.span(),
                                keeps_account() && trial.wants_account ? &trial.elastic : nullptr);
  if (keeps_account() || equation.needs_start_forces()) trial.internal = trial.forces;
  // Loads and contacts act over the whole step with their value at its end, whatever the weight of other forces there.
  const double weight = equation.contact_weight() / equation.damping_weight();
  for (const LoadedNode& node : trial.loaded)
    for (int k = 0; k < 3; ++k) trial.forces[LocalNode(node.slot)].force[k] += weight * node.force[k];
  find_overlap_forces(equation, weight, trial);
  if (colliders_.size() == 0) return;
  contact::ContactNodes nodes = contact_nodes();
  nodes.motion = trial.motion.span();
  trial.contacts = colliders_.end_contacts(nodes, mesh_.motion.span(), equation.step_s,
                                           mesh_.field(contact::kContactOffset).span(), trial.limits);
  for (const contact::EndContact& c : trial.contacts)
    for (int k = 0; k < 3; ++k) trial.forces[LocalNode(c.node)].force[k] += weight * c.force()[k];
}

void ImplicitDynamics::find_right_side(const dynamics::StepEquation& equation, Trial& trial) const {
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const double mass = mesh_.mass[n];
    const Vec3 v(trial.motion[n].velocity), change = v - Vec3(mesh_.motion[n].velocity);
    Vec3& right = trial.right[static_cast<std::size_t>(i)] =
        equation.damping_weight() * smooth_force(n, trial.forces[n], v) - mass * change;
    if (!trial.start_impulse.empty()) right += trial.start_impulse[static_cast<std::size_t>(i)];
    for (int k = 0; k < 3; ++k)
      if ((trial.held[static_cast<std::size_t>(i)] >> k & 1) != 0) right[k] = 0;
  }
}

void ImplicitDynamics::apply_update(double share, const dynamics::StepEquation& equation, Trial& trial) const {
  trial.wants_account = true;
  for (std::int32_t i : caches_.owned)
    for (int k = 0; k < 3; ++k) {
      dist::NodeMotion& m = trial.motion[LocalNode(i)];
      const double y = share * trial.change[static_cast<std::size_t>(i)][k];
      m.velocity[k] += y;
      m.position[k] += equation.position_per_velocity * y;
    }
  find_end_forces(equation, trial);
  find_right_side(equation, trial);
}

// The right-hand side is minus the gradient of the functional that the step minimises, so its product with the update
// is the descent along it. Contacts that open and close can make a full update overshoot.
bool ImplicitDynamics::iterate(const dynamics::StepEquation& equation, double& floor, Trial& trial) {
  std::vector<dynamics::NodeBlock> blocks;
  for (const contact::EndContact& c : trial.contacts)
    blocks.push_back({c.node, equation.contact_weight() * c.resistance(equation.position_per_velocity)});
  couple_overlaps(equation, trial);
  std::span<const dynamics::Couplings> couplings;
  if (overlaps() != nullptr) couplings = trial.overlaps.couplings;
  for (const dynamics::Couplings& more : couplings) more.append_blocks(blocks);
  const bool stiff = equation.step_s * state_.bound.largest_wave_frequency > kStiff;
  const double norm = floor == 0 ? equations_.norm(mesh_, scene_.time, trial.held, trial.right) : 0;
  trial.report = equations_.solve(mesh_, scene_.time, equation, stiff,
                                  {trial.motion.span(), trial.right, blocks, trial.held, {.floor = floor}, couplings},
                                  trial.change);
  const dynamics::SolveReport& r = trial.report;
  spdlog::trace("step {}, t = {:.6g} s, dt {:.4g} s: {} iterations, residual {:.2e}, {} of age {}, {} contacts",
                state_.num_steps, state_.time_s, equation.step_s, r.iterations, r.residual, r.preconditioner,
                r.preconditioner_age, trial.contacts.size());
  if (!r.converged) {
    trial.failure = fmt::format("its equations were not solved: {} after {} iterations ({}), residual {:.2g}", r.reason,
                                r.iterations, r.preconditioner, r.residual);
    return false;
  }
  if (floor == 0) floor = scene_.time.solver_tolerance * norm;
  trial.contacts_before = trial.contacts;
  trial.overlaps.normal_before = trial.overlaps.normal;
  trial.overlaps.friction_before = trial.overlaps.friction;
  const double down = has_contacts() ? dot_of_owned(trial.right, trial.change) : 0;
  apply_update(1, equation, trial);
  trial.share = 1;
  if (!has_contacts()) return true;
  // Without contact the minimum along the update is at its end.
  const auto slope_there = [&](const Trial::Disagreement& off) {
    return (1 - trial.share) * down + equation.contact_weight() * off.power;
  };
  const auto at_end = trial.disagreement(comm_, equation);
  if (at_end.is_settled(kAgrees)) return true;
  const auto go_to = [&](double share) {
    apply_update(share - trial.share, equation, trial);
    trial.share = share;
  };
  // The result is beyond the minimum, where the contacts that are closed there enter the next equations.
  double low = 0, high = 1, slope_low = down, slope_high = slope_there(at_end);
  for (int i = 0; i < kMostSearches && slope_high < -kOvershoot * down; ++i) {
    const double between = std::clamp(slope_low / (slope_low - slope_high), 0.1, 0.9);
    go_to(low + between * (high - low));
    const double found = slope_there(trial.disagreement(comm_, equation));
    (found > 0 ? low : high) = trial.share;
    (found > 0 ? slope_low : slope_high) = found;
  }
  if (trial.share != high) go_to(high);
  return true;
}

// An iteration keeps the rotations of elements fixed. The residual that this leaves does not harm implicit Euler, which
// damps it as a force of the next step; a step that hands on accelerations would ring.
bool ImplicitDynamics::has_settled_turns(const dynamics::StepEquation& equation, double floor, const Trial& trial) {
  if (!equation.needs_start_forces()) return true;
  return equations_.norm(mesh_, scene_.time, trial.held, trial.right) <= kTurnsSettled * floor;
}

bool ImplicitDynamics::settle_contacts(const dynamics::StepEquation& equation, double& floor, double tolerance,
                                       Trial& trial) {
  const int most_for_friction = overlaps() != nullptr ? kMostForPairs : kMostForFriction;
  for (int iteration = 1; iteration <= kMostIterations; ++iteration) {
    if (!iterate(equation, floor, trial)) return false;
    const bool is_solved = iteration >= kMostForTurns || has_settled_turns(equation, floor, trial);
    if (!has_contacts() && is_solved) return true;
    const auto off = trial.disagreement(comm_, equation);
    spdlog::trace("iteration {}: {:.3g} of the update, contact forces off by {:.2e} of {:.3g} N, friction by {:.2e}",
                  iteration, trial.share, off.normal, off.forces, off.friction);
    std::ranges::fill(trial.change, Vec3::Zero());
    const bool is_settled = is_solved && trial.share == 1 && off.is_settled(tolerance);
    if (is_settled && (off.friction <= tolerance * off.forces || iteration >= most_for_friction)) return true;
    trial.failure =
        fmt::format("its contacts did not converge in {} iterations: forces still change by {:.2g} of {:.3g} N",
                    iteration, off.normal, off.forces);
  }
  return false;
}

double ImplicitDynamics::change_of_limits(Trial& trial) const {
  std::array<core::ExactSum, 2> sums;  // of changes, and of limits
  const auto count = [&](const auto& limits_before, const auto& pair, double limit) {
    const auto before = limits_before.find(pair);
    sums[0].add(std::abs(limit - (before == limits_before.end() ? 0 : before->second)));
    sums[1].add(limit);
  };
  contact::FrictionLimits limits;
  for (const contact::EndContact& c : trial.contacts) {
    limits[pair_of(c)] = c.friction_coefficient * c.pressing();
    count(trial.limits, pair_of(c), limits[pair_of(c)]);
  }
  std::swap(trial.limits, limits);
  std::map<contact::TetPair, double> of_pairs;
  for (const auto& pair : trial.overlaps.found.pairs) {
    of_pairs[pair.tets] = scene_.contact.friction * pair.pressing;
    if (pair.is_counted) count(trial.overlaps.limits.friction, pair.tets, of_pairs[pair.tets]);
  }
  std::swap(trial.overlaps.limits.friction, of_pairs);
  core::ExactSum::reduce(comm_, sums);
  const double pressing = sums[1].value();
  return pressing > 0 ? sums[0].value() / pressing : 0;
}

}  // namespace brisance::sim
