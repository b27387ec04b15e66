/// Choice of the coarse step and of the elements that are sub-cycled.
#include "brisance/contact/edge_points.hpp"
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/dist/home_elements.hpp"

#include "step_limits.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace brisance::sim {

namespace {

constexpr int kRefreshesBetweenChoices = 8;  ///< evaluations of strains between two choices of the coarse step

/// Cost of a point in contact in a coarse step, with its detection, in element updates.
constexpr double kUpdatesOfContact = 1000;

constexpr double kLeastRatio = 1.1;  ///< least ratio of the coarse step to the shortest stable one, for sub-cycling [–]

}  // namespace

int StepLimits::most_step_classes() const {
  if (!dynamics::kind_of(scene_.time.integrator).is_leap_frog) return 1;
  return scene_.time.step_classes > 0 ? scene_.time.step_classes : dynamics::kMostStepClasses;
}

double StepLimits::longest_coarse_step() const {
  double longest_s = scene_.time.max_step_s / scene_.time.step_safety;
  if (scene_.time.step_classes > 0) return longest_s;
  for (const auto& m : mesh_.materials)
    longest_s = std::min(longest_s, material::damping_time(m) / dynamics::kLeastDampingShare);
  return longest_s;
}

bool StepLimits::may_subcycle() const {
  return most_step_classes() > 1 && longest_coarse_step() > state_.bound.element_step_s;
}

bool StepLimits::one_step_suffices() const {
  return !may_subcycle() || state_.bound.coarse_step_s < kLeastRatio * state_.bound.element_step_s;
}

std::array<std::int64_t, dynamics::kMostStepClasses> StepLimits::elements_by_class() const {
  std::array<std::int64_t, dynamics::kMostStepClasses> count{};
  for (const std::int32_t e : dist::home_elements(mesh_)) ++count[mesh_.field(dynamics::kStepClass)[LocalElement(e)]];
  return comm_.sum(count);
}

// Counts a field of nodes, which checkpoints have: a resumed run chooses the same steps.
double StepLimits::contact_updates() const {
  if (!surface_) return 0;
  std::int64_t contacts = 0;
  const auto& springs = mesh_.field(contact::kContactSpring);
  for (const std::int32_t i : caches_.owned)
    if (springs[LocalNode(i)].exists()) ++contacts;
  if (const auto* edges = mesh_.find_field(contact::kEdgePoints); edges != nullptr)
    for (const std::int32_t i : caches_.owned)
      contacts += std::ranges::count_if((*edges)[LocalNode(i)].state,
                                        [](const contact::EdgePointState& point) { return point.spring.exists(); });
  return kUpdatesOfContact * static_cast<double>(comm_.sum(contacts));
}

void StepLimits::choose_step_classes(const dynamics::StepHistogram& steps) {
  StepBound& bound = state_.bound;
  const int most = most_step_classes();
  const std::int64_t between = static_cast<std::int64_t>(scene_.time.strain_refresh_steps) * kRefreshesBetweenChoices;
  const bool is_due = state_.num_steps % between == 0 || bound.coarse_step_s < bound.element_step_s ||
                      bound.coarse_step_s > std::ldexp(bound.element_step_s, most - 1);
  if (may_subcycle() && is_due)
    bound.coarse_step_s = dynamics::choose_coarse_step(steps, {.longest_s = longest_coarse_step(),
                                                               .current_s = bound.coarse_step_s,
                                                               .most_classes = most,
                                                               .step_work = contact_updates()});
  if (one_step_suffices())
    use_one_step();
  else
    set_step_classes(std::views::iota(0, mesh_.num_element_slots()));
}

void StepLimits::update_step_classes(std::span<const std::int32_t> elements) {
  if (one_step_suffices())
    use_one_step();
  else if (state_.bound.coarse_step_s > std::ldexp(state_.bound.element_step_s, most_step_classes() - 1))
    refresh();  // the shortest step needs a finer class than there is
  else
    set_step_classes(elements);
}

void StepLimits::use_one_step() {
  StepBound& bound = state_.bound;
  bound.coarse_step_s = bound.element_step_s;
  if (bound.finest_class == 0) return;
  std::ranges::fill(mesh_.field(dynamics::kStepClass).span(), 0);
  bound.finest_class = 0;
  subcycling_.forget();
}

void StepLimits::set_step_classes(const auto& elements) {
  StepBound& bound = state_.bound;
  auto& step_class = mesh_.field(dynamics::kStepClass);
  for (const std::int32_t e : elements)
    step_class[LocalElement(e)] =
        static_cast<std::uint8_t>(dynamics::step_class(scratch_.steps[e], bound.coarse_step_s));
  bound.finest_class = dynamics::step_class(bound.element_step_s, bound.coarse_step_s);
  subcycling_.forget();
}

// Forces on single nodes act with the finest step of the node's star, like an element of that class.
core::StepSharesOf StepLimits::step_shares() const {
  if (most_step_classes() == 1) return {};
  const auto &class_now = mesh_.field(dynamics::kStepClass), &class_before = mesh_.field(dynamics::kLastStepClass);
  return [this, &class_now, &class_before](std::int32_t slot) -> core::StepShares {
    int now = 0, before = 0;
    for (const std::int32_t e : mesh_.star(LocalNode(slot))) {
      now = std::max<int>(now, class_now[LocalElement(e)]);
      before = std::max<int>(before, class_before[LocalElement(e)]);
    }
    if (state_.num_steps == 0) before = now;
    const double share = std::ldexp(1.0, -now);
    return {.now = share,
            .before = std::ldexp(1.0, -before),
            .kick = 0.5 * (share + std::ldexp(1.0, -std::max(before, now - 1)))};
  };
}

}  // namespace brisance::sim
