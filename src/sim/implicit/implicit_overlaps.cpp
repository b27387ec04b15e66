/// Contact by overlaps in an implicit step: forces of pairs of tets at its end, their derivative as rows, and the check
/// that surfaces do not pass through each other within the step.
#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/fields.hpp"

#include "trial_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace brisance::sim {

namespace {

constexpr double kTooDeep = 0.25;  ///< largest overlap over a tet's edge, unless 1.5 times that at the start is more
constexpr double kGraze = 0.05;    ///< overlap within the step, over an edge, that must not halve to its end: a passage
constexpr double kSampleShare = 0.25;  ///< relative displacement between two samples, over an edge [–]
constexpr double kMostSamples = 64;    ///< in one step

}  // namespace

void ImplicitDynamics::begin_overlaps(Trial& trial) const {
  if (overlaps() == nullptr) return;
  const contact::OverlapContact& pairs = *overlaps();
  trial.overlaps.stored_before = pairs.stored();
  trial.overlaps.deepest_before = comm_.max(pairs.report().deepest);
  // A damper that starts with a jump where tets touch would leave states without equilibrium, so a pair's damper is
  // that of the overlap at the start of the step.
  for (const auto& pair : pairs.end_forces(1, {}).pairs) {
    trial.overlaps.limits.damping[pair.tets] = pair.damping;
    trial.overlaps.friction_at_start[pair.tets] = scene_.contact.friction * pair.pressing;
  }
}

void ImplicitDynamics::find_overlap_forces(const dynamics::StepEquation& equation, double weight, Trial& trial) const {
  if (overlaps() == nullptr) return;
  overlaps()->find(mesh_, trial.motion.span());
  trial.overlaps.found = overlaps()->end_forces(equation.step_s, trial.overlaps.limits);
  trial.overlaps.normal.assign(mesh_.node_id.size(), Vec3::Zero());
  trial.overlaps.friction.assign(mesh_.node_id.size(), Vec3::Zero());
  for (const auto& node : trial.overlaps.found.nodes) {
    const auto slot = static_cast<std::size_t>(node.slot);
    trial.overlaps.normal[slot] = node.spring + node.damper;
    trial.overlaps.friction[slot] = node.friction;
    const Vec3 force = weight * (node.spring + node.damper + node.friction);
    for (int k = 0; k < 3; ++k) trial.forces[LocalNode(node.slot)].force[k] += force[k];
  }
}

// Rows are numbered over all ranks, each counted by one rank; a rank stores the rows that contain its own nodes.
void ImplicitDynamics::couple_overlaps(const dynamics::StepEquation& equation, Trial& trial) const {
  if (overlaps() == nullptr) return;
  using Key = contact::OverlapForces::Row::Key;
  const contact::OverlapForces& found = trial.overlaps.found;
  std::array<std::vector<Key>, 2> keys;
  for (const auto& row : found.rows)
    if (row.is_counted) keys[row.is_friction() ? 1 : 0].push_back(row.key);
  for (auto& list : keys) {
    list = comm_.all_gather(std::span<const Key>(list));
    std::ranges::sort(list);
  }
  std::array<std::vector<dynamics::Couplings::Term>, 2> terms;
  for (const auto& term : found.terms) {
    const auto& row = found.rows[static_cast<std::size_t>(term.row)];
    const std::size_t kind = row.is_friction() ? 1 : 0;
    const double weight = equation.contact_weight() * (equation.position_per_velocity * row.stiffness + row.resistance);
    Vec3 gradient = std::sqrt(weight) * term.gradient;
    for (int k = 0; k < 3; ++k)
      if ((trial.held[static_cast<std::size_t>(term.slot)] >> k & 1) != 0) gradient[k] = 0;
    const auto place = std::ranges::lower_bound(keys[kind], row.key) - keys[kind].begin();
    terms[kind].push_back({static_cast<std::int32_t>(place), term.slot, gradient});
  }
  for (std::size_t kind = 0; kind < 2; ++kind)
    trial.overlaps.couplings[kind] = {comm_, keys[kind].size(), std::move(terms[kind])};
}

void ImplicitDynamics::Trial::add_of_overlaps(const core::Comm& comm, const dynamics::StepEquation& equation,
                                              Sums& sums) const {
  if (overlaps.normal.empty()) return;
  std::vector<Vec3> displacement(change.size());
  for (std::size_t i = 0; i < change.size(); ++i) displacement[i] = share * change[i];
  const auto add = [&](Sums::size_type sum, const dynamics::Couplings& couplings, const std::vector<Vec3>& now,
                       const std::vector<Vec3>& before) {
    std::vector<Vec3> lost(change.size(), Vec3::Zero());  // over the step [N s]
    couplings.add_product(comm, dynamics::Couplings::Part::whole, displacement, lost);
    for (std::size_t i = 0; i < now.size(); ++i) {
      Vec3 difference = now[i] - before[i] + lost[i] / equation.contact_weight();
      for (int k = 0; k < 3; ++k)
        if ((held[i] >> k & 1) != 0) difference[k] = 0;
      if (difference != Vec3::Zero()) sums[sum].add(difference.norm());
      if (difference != Vec3::Zero()) sums[kPower].add(difference.dot(change[i]));
      if (now[i] != Vec3::Zero()) sums[kForces].add(now[i].norm());
    }
  };
  add(kNormal, overlaps.couplings[0], overlaps.normal, overlaps.normal_before);
  add(kFriction, overlaps.couplings[1], overlaps.friction, overlaps.friction_before);
}

// Samples overlaps along straight paths, a quarter of an edge of relative displacement apart. Edges are those of the
// uncut mesh, since slivers are no measure of the surface that they belong to.
bool ImplicitDynamics::goes_too_deep(Trial& trial) const {
  if (overlaps() == nullptr) return false;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::array<double, 7> least;  // displacement by axis, minus displacement by axis, edge
  least.fill(kInfinity);
  for (const std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    for (std::size_t k = 0; k < 3; ++k) {
      const double displacement = trial.motion[n].position[k] - mesh_.motion[n].position[k];
      least[k] = std::min(least[k], displacement);
      least[3 + k] = std::min(least[3 + k], -displacement);
    }
    least[6] = std::min(least[6], mesh_.field(dist::kUncutEdgeLength)[n]);
  }
  least = comm_.min(least);
  const double edge = least[6];
  const double apart = Vec3(least[0] + least[3], least[1] + least[4], least[2] + least[5]).norm();
  const double num_samples = std::max(1.0, std::ceil(apart / (kSampleShare * edge)));
  if (!(num_samples <= kMostSamples)) {
    trial.failure =
        fmt::format("nodes would move by {:.3g} m relative to each other, {:.3g} tet edges", apart, apart / edge);
    return true;
  }
  const double before = trial.overlaps.deepest_before, most = std::max(kTooDeep, 1.5 * before);
  AlignedNodeField<dist::NodeMotion> between = mesh_.motion;
  mesh_.halo().update_ghosts(trial.motion.span());
  double deepest_before_end = 0;
  for (double sample = 1; sample <= num_samples; ++sample) {
    const double share = sample / num_samples;
    if (sample == num_samples)
      between = trial.motion;
    else
      for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i)
        for (int k = 0; k < 3; ++k) {
          const double from = mesh_.motion[LocalNode(i)].position[k];
          between[LocalNode(i)].position[k] = from + share * (trial.motion[LocalNode(i)].position[k] - from);
        }
    overlaps()->find(mesh_, between.span());
    const double deepest = comm_.max(overlaps()->report().deepest);
    if (deepest > most) {
      trial.failure = fmt::format("surfaces would overlap by {:.2g} of a tet's edge", deepest);
      return true;
    }
    if (sample == num_samples && deepest_before_end > std::max(kGraze, 2 * before) &&
        deepest < 0.5 * deepest_before_end) {
      trial.failure = fmt::format("surfaces would pass through each other, with overlaps up to {:.2g} of a tet's edge",
                                  deepest_before_end);
      return true;
    }
    deepest_before_end = std::max(deepest_before_end, deepest);
  }
  return false;
}

}  // namespace brisance::sim
