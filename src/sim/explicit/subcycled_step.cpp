/// Sub-steps of small elements in an explicit step, and the accounts of changes of step classes.
#include "brisance/core/timer.hpp"
#include "brisance/sim/fields.hpp"

#include "explicit_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace brisance::sim {

namespace {

/// Indices at which two arrays of equal length differ; compares chunks, since differences are rare.
std::vector<std::int32_t> differences(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  constexpr std::size_t kChunk = 64;
  std::vector<std::int32_t> where;
  for (std::size_t begin = 0; begin < a.size(); begin += kChunk) {
    const std::size_t end = std::min(a.size(), begin + kChunk);
    if (std::memcmp(&a[begin], &b[begin], end - begin) == 0) continue;
    for (std::size_t i = begin; i < end; ++i)
      if (a[i] != b[i]) where.push_back(static_cast<std::int32_t>(i));
  }
  return where;
}

}  // namespace

/// Forces on single nodes of fine elements: loads and deformable contact, constant over the coarse step, then rigid
/// contact, last because its friction depends on all other forces.
class ExplicitStepper::ShortForces final : public ForcesOnNodes {
public:
  explicit ShortForces(ExplicitStepper& run) : run_(run) {
    for (LoadedNode& node : run.scratch_.loaded)
      if (node.shares.are_short()) loaded_.push_back(&node);
    for (ContactLoad& node : run.scratch_.pressed)
      if (node.shares.are_short()) pressed_.push_back(&node);
  }

  [[nodiscard]] std::vector<Entry> entries() const {
    std::vector<Entry> entries;
    for (const LoadedNode* node : loaded_) entries.push_back({node->slot, node->shares.kick * node->force});
    for (const ContactLoad* node : pressed_) entries.push_back({node->slot, node->shares.kick * node->force});
    for (const contact::ShortContact& c : run_.colliders_.short_contacts())
      entries.push_back({c.pressing.node, c.pressing.shares.kick * c.pressing.force()});
    return entries;
  }

  Vec3 force(std::size_t entry, const Moment& m) override {
    const Vec3 velocity(m.motion.velocity);
    if (entry < loaded_.size()) {
      loaded_[entry]->velocity_before = velocity;
      return loaded_[entry]->force;
    }
    if (entry -= loaded_.size(); entry < pressed_.size()) {
      pressed_[entry]->velocity_before = velocity;
      return pressed_[entry]->force;
    }
    return run_.colliders_.press_again(entry - pressed_.size(), {.position = Vec3(m.motion.position),
                                                                 .velocity = velocity,
                                                                 .expected_velocity = m.expected_velocity,
                                                                 .elapsed = m.elapsed,
                                                                 .step_s = m.step_s});
  }

  void taken(std::size_t entry, const Vec3& velocity, double step_s) override {
    if (entry < loaded_.size()) {
      run_.phases_.loads.book(*loaded_[entry], velocity, step_s);
      return;
    }
    if (entry -= loaded_.size(); entry < pressed_.size())
      run_.phases_.contact.book(*pressed_[entry], velocity, step_s);
    else
      run_.colliders_.book_short_step(entry - pressed_.size(), velocity, step_s, run_.state_.contact_work);
  }

private:
  ExplicitStepper& run_;
  std::vector<LoadedNode*> loaded_;
  std::vector<ContactLoad*> pressed_;
};

void ExplicitStepper::gather_subcycled() {
  core::ScopedTimer timer(seconds_.subcycling);
  subcycling_.gather(mesh_, state_.bound.finest_class);
}

void ExplicitStepper::begin_subcycling(double dt_s) {
  core::ScopedTimer timer(seconds_.subcycling);
  note_changed_classes();
  if (subcycling_.any())
    subcycling_.begin(mesh_, dt_s, scratch_.forces.span(), subcycling_options(), ShortForces(*this).entries());
  kick_across_changes();
}

void ExplicitStepper::note_changed_classes() {
  scratch_.changed.clear();
  const auto &now = mesh_.field(dynamics::kStepClass), &last = mesh_.field(dynamics::kLastStepClass);
  if (state_.num_steps == 0) return;
  std::vector<std::int32_t> nodes;
  for (const std::int32_t i : differences(now.span(), last.span())) {
    if (i >= mesh_.num_element_slots() || !mesh_.is_held(LocalElement(i))) continue;
    for (LocalNode n : mesh_.corners(LocalElement(i)))
      if (mesh_.is_owned(n)) nodes.push_back(n.value);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  // Elements around them, by the class in the last step and by that class as limited to twice the present step.
  std::map<std::pair<int, int>, std::vector<std::int32_t>> around;
  for (const std::int32_t n : nodes) {
    const dist::NodeForce& force = scratch_.forces[LocalNode(n)];
    scratch_.changed.push_back({n, force, force, {}});
    for (const std::int32_t i : mesh_.star(LocalNode(n)))
      if (const LocalElement e(i); last[e] > 0 || now[e] > 1)
        around[{last[e], std::max<int>(last[e], now[e] - 1)}].push_back(i);
  }
  scratch_.partial_forces.resize(mesh_.node_id.size());
  for (auto& [classes, elements] : around) {
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    for (const std::int32_t n : nodes) scratch_.partial_forces[LocalNode(n)] = {};
    dynamics::internal_forces_of(element_spans(), mesh_.materials, mesh_.motion.span(), elements,
                                 scratch_.partial_forces.span(), subcycling_options());
    for (auto& node : scratch_.changed) {
      const dist::NodeForce& part = scratch_.partial_forces[LocalNode(node.slot)];
      dist::add_scaled(std::ldexp(1.0, -classes.first) - 1, part, node.before);
      dist::add_scaled(std::ldexp(1.0, -classes.second) - 1, part, node.not_far_before);
    }
  }
}

// Velocities lag half a step behind positions, by half of each element's own step. If that changes from h to h', a kick
// of (h + h')/2 adapts the lag, and the motion and the conserved energy continue undisturbed; without it, elements that
// change class with their strain would pump energy into a vibration. A kick is at most one and a half steps long; for
// slivers fresh from a cut the missing part of the mean is booked (EnergyLedger::book_change_of_step).
void ExplicitStepper::kick_across_changes() {
  for (auto& node : scratch_.changed) {
    dist::NodeForce& force = scratch_.forces[LocalNode(node.slot)];
    node.now = force;
    for (int a = 0; a < 3; ++a) {
      force.force[a] = 0.5 * (force.force[a] + node.not_far_before.force[a]);
      force.viscous[a] = 0.5 * (force.viscous[a] + node.not_far_before.viscous[a]);
    }
  }
  // Forces on single nodes were added with the weight of this kick already.
  const auto weigh = [&](std::int32_t slot, const core::StepShares& shares, const Vec3& force) {
    if (shares.before == shares.now) return;
    const auto node = std::ranges::lower_bound(scratch_.changed, slot, {}, &ChangedNode::slot);
    if (node == scratch_.changed.end() || node->slot != slot) return;
    for (int a = 0; a < 3; ++a) {
      node->before.force[a] += (shares.before - shares.kick) * force[a];
      node->now.force[a] += (shares.now - shares.kick) * force[a];
    }
  };
  for (const LoadedNode& node : scratch_.loaded) weigh(node.slot, node.shares, node.force);
  for (const ContactLoad& node : scratch_.pressed) weigh(node.slot, node.shares, node.force);
  for (const contact::NodeContact& c : colliders_.contacts()) weigh(c.node, c.shares, c.force());
  for (const contact::ShortContact& c : colliders_.short_contacts())
    weigh(c.pressing.node, c.pressing.shares, c.pressing.force());
}

void ExplicitStepper::finish_coarse_step() {
  auto& last = mesh_.field(dynamics::kLastStepClass);
  std::ranges::copy(mesh_.field(dynamics::kStepClass).span(), last.span().begin());
  for (const auto& node : scratch_.changed) scratch_.forces[LocalNode(node.slot)] = node.now;
  if (subcycling_.any()) run_subcycles();
}

void ExplicitStepper::run_subcycles() {
  core::ScopedTimer timer(seconds_.subcycling);
  std::vector<Subcycling::ConstrainedNode> held;
  for (std::int32_t i : caches_.prescribed)
    if (const LocalNode n(i); subcycling_.moves(n)) held.push_back({i, phases_.motion.constrained_axes(n)});
  ShortForces others(*this);
  subcycling_.run(mesh_, scratch_.forces.span(), held,
                  {scene_.output.energy_ledger ? mesh_.field(kViscousWork).span() : std::span<double>(),
                   mesh_.field(kSuppliedWork).span()},
                  others);
  colliders_.finish_short_steps(comm_);
}

}  // namespace brisance::sim
