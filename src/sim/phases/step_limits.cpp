/// The stable step, and errors for useless steps and instability.
#include "step_limits.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dynamics/critical_step.hpp"
#include "brisance/elements/rest_shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace brisance::sim {

namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

}  // namespace

dynamics::Strains StepLimits::strains() {
  scratch_.strain.resize(mesh_.blocks.size() * dist::kBatch);
  if (std::ranges::none_of(mesh_.materials, material::is_neo_hookean)) return {scratch_.strain, scratch_.strain};
  scratch_.stiffening.resize(scratch_.strain.size());
  return {scratch_.strain, scratch_.stiffening};
}

void StepLimits::refresh() {
  core::ScopedTimer timer(seconds_.step_bound);
  const dynamics::Strains found = strains();
  auto& added_stiffness = mesh_.field(dynamics::kAddedStiffness);
  dynamics::strains_and_stiffness(element_spans(), mesh_.materials, mesh_.motion.span(), found, added_stiffness.span());
  for (std::int32_t i : caches_.owned) added_stiffness[LocalNode(i)] *= mesh_.inverse_mass[LocalNode(i)];
  mesh_.halo().update_ghosts(added_stiffness.span());
  scratch_.steps.resize(scratch_.strain.size());
  const auto local =
      dynamics::critical_step(element_spans(), mesh_.materials, found, added_stiffness.span(), scratch_.steps);
  if (rounds_) rounds_->note_strain(mesh_, scratch_.strain);
  state_.bound.element_step_s = std::numeric_limits<double>::infinity();
  state_.bound.max_strain = 0;
  agree(local, state_.bound);
  const dynamics::StepHistogram steps = step_histogram();
  state_.bound.without_worst_s = steps.without_worst(kWorstShare);
  choose_step_classes(steps);
}

dynamics::StepHistogram StepLimits::step_histogram() const {
  dynamics::StepHistogram histogram;
  histogram.shortest_s = state_.bound.element_step_s;
  for (const std::int32_t e : dist::home_elements(mesh_)) histogram.add(scratch_.steps[static_cast<std::size_t>(e)]);
  histogram.count = comm_.sum(histogram.count);
  return histogram;
}

void StepLimits::agree(const dynamics::CriticalStep& local, StepBound& bound) const {
  // One reduction: minima, and maxima with their sign changed.
  const auto agreed = comm_.min(
      std::array<double, 4>{local.step_s, -local.max_strain, -bound.largest_wave_frequency, bound.smallest_mass});
  bound.largest_wave_frequency = -agreed[2];
  bound.smallest_mass = agreed[3];
  bound.max_strain = std::max(bound.max_strain, -agreed[1]);
  if (agreed[0] >= bound.element_step_s) return;
  bound.element_step_s = agreed[0];
  // Of several limiting elements the one with the lowest id is named.
  std::int64_t id = std::numeric_limits<std::int64_t>::max();
  if (local.step_s == agreed[0])
    for (std::int32_t i = 0; i < mesh_.num_element_slots(); ++i)
      if (scratch_.steps[static_cast<std::size_t>(i)] == agreed[0] && mesh_.is_held(LocalElement(i)))
        id = std::min(id, mesh_.element_id[LocalElement(i)].value);
  bound.limiting_element = comm_.min(id);
}

void StepLimits::refuse_useless_step(double dt_s, double of_elements_s) const {
  const double least = scene_.time.min_step_s > 0 ? scene_.time.min_step_s : scene_.duration_s / 5e7;
  const double finest_s = std::ldexp(dt_s, -state_.bound.finest_class);
  if (finest_s >= least) return;
  if (std::ldexp(of_elements_s, -state_.bound.finest_class) >= least) refuse_stiff_contact(finest_s, least);
  std::string blame = "element " + std::to_string(state_.bound.limiting_element);
  core::agree(comm_, [&] {
    const LocalElement e = mesh_.find(GlobalElement(state_.bound.limiting_element));
    if (!e.valid() || !mesh_.is_home(e)) return;
    Vec3 centre = Vec3::Zero();
    for (LocalNode n : mesh_.corners(e)) centre += mesh_.rest[n] / 4;
    const auto c = mesh_.corners(e);
    throw core::Error(
        "step " + std::to_string(state_.num_steps) + ", t = " + number(state_.time_s) + " s: the stable step fell to " +
        number(finest_s) + " s, below time.min_step_s = " + number(least) + " s. To blame is " + blame +
        " at rest position (" + number(centre.x()) + ", " + number(centre.y()) + ", " + number(centre.z()) +
        ") m with an altitude of " +
        number(elements::smallest_altitude(mesh_.rest[c[0]], mesh_.rest[c[1]], mesh_.rest[c[2]], mesh_.rest[c[3]])) +
        " m and a largest strain in the mesh of " + number(state_.bound.max_strain) +
        ". Mesh with better quality, raise fracture.altitude_floor, or lower the damping.");
  });
}

void StepLimits::refuse_stiff_contact(double step_s, double least_s) const {
  const std::size_t body =
      contact::stiffest(colliders_, state_.bound.largest_wave_frequency, state_.bound.smallest_mass);
  const contact::ColliderParameters& collider = colliders_.parameters(body);
  throw core::Error(
      "step " + std::to_string(state_.num_steps) + ", t = " + number(state_.time_s) + " s: the stable step is " +
      number(step_s) + " s, below time.min_step_s = " + number(least_s) + " s. To blame is contact with collider \"" +
      collider.name + "\", stiffer than the lightest node of " + number(state_.bound.smallest_mass) +
      " kg bears in a longer step. Lower its stiffness_n_per_m (now " + number(collider.stiffness_n_per_m) +
      "; 0 chooses) or stiffness_scale (now " + number(collider.stiffness_scale) + ").");
}

void StepLimits::check_finite() const {
  bool finite = true;
  for (std::int32_t i : caches_.owned)
    for (double v : mesh_.motion[LocalNode(i)].velocity) finite &= std::isfinite(v);
  if (comm_.any(!finite))
    throw core::Error("step " + std::to_string(state_.num_steps) + ", t = " + number(state_.time_s) +
                      " s: a node's velocity is no longer finite, so the run went unstable. Lower time.step_safety, or "
                      "choose time.integrator = \"symplectic_euler\".");
}

}  // namespace brisance::sim
