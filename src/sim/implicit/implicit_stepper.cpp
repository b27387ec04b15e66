#include "implicit_stepper.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/dynamics/energies.hpp"
#include "brisance/fracture/criteria/strength.hpp"
#include "brisance/sim/setup/start_checks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr int kMostHalvings = 8;
constexpr int kSolvedStepsToLengthen = 4;  ///< after which a halved step is doubled again
constexpr double kFalseStrain = 1e-3;      ///< strain by rotation under linear strain that is worth a warning [–]
constexpr double kFalseStress = 0.1;  ///< stress by rotation over the strength, beyond which cracks are refused [–]

double largest_of(std::span<const double> values) {
  const auto found = std::ranges::max_element(values);
  return found == values.end() ? 0 : *found;
}

double degrees_of(double false_strain) { return std::acos(1 - false_strain) * 180 / std::numbers::pi; }

}  // namespace

// Plastic flow books its work by the law of explicit runs. The elastic energy of implicit steps falls by the same to
// first order in the strain; the difference is numerical loss.
void ImplicitStepper::flow_and_internal_forces() {
  if (!scene_.output.energy_ledger || mesh_.field(dynamics::kPlasticState).empty())
    return ModelView::flow_and_internal_forces();
  const auto home = dist::home_elements(mesh_);
  const auto elastic = [&] {
    return dynamics::corotational_energy(mesh_, mesh_.motion.span(), scene_.time.strain, home);
  };
  const auto plastic = [&] {
    return dynamics::element_energies(element_spans(), mesh_.materials, mesh_.motion.span(), home).plastic_work;
  };
  state_.numerical_loss.add(elastic());
  state_.numerical_loss.add(plastic());
  ModelView::flow_and_internal_forces();
  state_.numerical_loss.subtract(elastic());
  state_.numerical_loss.subtract(plastic());
}

std::vector<dynamics::ConstrainedAxes> ImplicitStepper::constrained_axes() const {
  std::vector<dynamics::ConstrainedAxes> held(mesh_.node_id.size(), 0);
  for (std::int32_t i : caches_.prescribed) {
    const auto axes = phases_.motion.constrained_axes(LocalNode(i));
    held[static_cast<std::size_t>(i)] =
        static_cast<dynamics::ConstrainedAxes>((axes[0] ? 1 : 0) | (axes[1] ? 2 : 0) | (axes[2] ? 4 : 0));
  }
  mesh_.halo().update_ghosts(std::span(held));
  return held;
}

std::vector<dist::NodeMotion> ImplicitStepper::motion_of_prescribed() const {
  std::vector<dist::NodeMotion> motion;
  for (std::int32_t i : caches_.prescribed) motion.push_back(mesh_.motion[LocalNode(i)]);
  return motion;
}

void ImplicitStepper::find_loads(double dt_s, std::span<dist::NodeMotion> motion, std::vector<LoadedNode>& loaded) {
  if (scene_.loads.empty()) return;
  mesh_.halo().update_ghosts(motion);
  face_loads_.find(scene_.loads, mesh_, motion, state_.time_s, dt_s, loaded);
}

void ImplicitStepper::note_contact_forces(std::span<const contact::EndContact> contacts) {
  if (!phases_.contact.begin_accelerations()) return;
  for (const contact::EndContact& c : contacts) phases_.contact.add_acceleration(c.node, c.force());
}

double ImplicitStepper::dot_of_owned(std::span<const Vec3> a, std::span<const Vec3> b) const {
  core::ExactSum sum;
  for (const std::int32_t i : caches_.owned)
    sum.add(a[static_cast<std::size_t>(i)].dot(b[static_cast<std::size_t>(i)]));
  sum.reduce(comm_);
  return sum.value();
}

void ImplicitStepper::book_loads(double dt_s, std::span<const dist::NodeMotion> motion,
                                 std::span<const LoadedNode> loaded) {
  for (const LoadedNode& node : loaded) {
    const LocalNode n(node.slot);
    const Vec3 way = Vec3(motion[static_cast<std::size_t>(node.slot)].position) - Vec3(mesh_.motion[n].position);
    phases_.loads.add_impulse(n, dt_s * node.force, node.force.dot(way));
  }
}

double ImplicitStepper::length(double until_s) const {
  const double usual_s = std::ldexp(std::min(usual_step_s(), scene_.time.max_step_s), -state_.halvings);
  double left_s = until_s - state_.time_s;
  if (state_.time_s < scene_.duration_s) left_s = std::min(left_s, scene_.duration_s - state_.time_s);
  constexpr double kRemainder = 1e-6;  ///< share of a step by which rounding of times may miss the end [–]
  return left_s < (1 + kRemainder) * usual_s ? left_s : usual_s;
}

std::string ImplicitStepper::advice() const {
  return "Try a smaller time.step_s, a larger time.solver_tolerance, or another -dyn_pc_type (gamg, bjacobi)." +
         advice_on_locking(scene_);
}

void ImplicitStepper::halve(double dt_s, const std::string& failure) {
  if (state_.halvings == kMostHalvings)
    throw core::Error(fmt::format("step {}, t = {:.6g} s: a step of {:.3g} s failed, and so did longer ones: {}. {}",
                                  state_.num_steps, state_.time_s, dt_s, failure, advice()));
  ++state_.halvings;
  state_.solved_steps = 0;
  if (comm_.is_root())
    spdlog::warn("step {}, t = {:.6g} s: a step of {:.3g} s failed: {}. Halved.", state_.num_steps, state_.time_s, dt_s,
                 failure);
}

void ImplicitStepper::finish(double dt_s, double until_s) {
  if (state_.halvings > 0 && ++state_.solved_steps == kSolvedStepsToLengthen) {
    --state_.halvings;
    state_.solved_steps = 0;
  }
  const double start_s = state_.time_s;
  state_.time_s = start_s + dt_s;
  for (const double end_s : {until_s, scene_.duration_s})
    if (dt_s == end_s - start_s) state_.time_s = end_s;
  state_.last_step_s = state_.usual_step_s = dt_s;
  ++state_.num_steps;
}

void ImplicitStepper::warn_of_turns() {
  if (scene_.time.strain != dynamics::Strain::linear || has_warned_of_turns_) return;
  const double false_strain = comm_.max(largest_of(dynamics::false_strains(mesh_)));
  if (false_strain < kFalseStrain) return;
  has_warned_of_turns_ = true;
  if (comm_.is_root())
    spdlog::warn(
        "t = {:.6g} s: something has turned by {:.2g} degrees, which time.strain = \"linear\" takes for a strain of "
        "−{:.2g}. \"corotational\" does not.",
        state_.time_s, degrees_of(false_strain), false_strain);
}

void ImplicitStepper::crack() {
  refuse_turns();
  phases_.cracks.crack();
}

void ImplicitStepper::crack_at(double clock_s) {
  refuse_turns();
  phases_.cracks.crack_at(clock_s);
}

// A rotation by θ has a linear strain of −(1 − cos θ) along both axes of its plane, a stress of 2 (λ + μ) (1 − cos θ).
void ImplicitStepper::refuse_turns() const {
  if (scene_.time.strain != dynamics::Strain::linear || !rounds_) return;
  const std::vector<double> false_strain = dynamics::false_strains(mesh_);
  double largest = 0;
  LocalElement worst(0);
  for (const std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const double strength = fracture::weakest_strength(mesh_, n, scene_.fracture);
    if (!std::isfinite(strength)) continue;
    for (const std::int32_t slot : mesh_.star(n)) {
      const material::Material& m = mesh_.material(LocalElement(slot));
      const double share = 2 * (m.lame_lambda + m.lame_mu) * false_strain[static_cast<std::size_t>(slot)] / strength;
      if (!(share > largest)) continue;
      largest = share;
      worst = LocalElement(slot);
    }
  }
  const double largest_of_all = comm_.max(largest);
  if (largest_of_all <= kFalseStress) return;
  core::agree(comm_, [&] {
    if (largest < largest_of_all) return;
    Vec3 at = Vec3::Zero();
    for (const LocalNode n : mesh_.corners(worst)) at += 0.25 * mesh_.rest[n];
    const double strain = false_strain[static_cast<std::size_t>(worst.value)];
    throw core::Error(fmt::format(
        "step {}, t = {:.6g} s: tet {} of \"{}\", at rest around ({:.4g}, {:.4g}, {:.4g}) m, has turned by {:.3g} "
        "degrees. time.strain = \"linear\" takes that for a strain of −{:.2g}, {:.3g} of the strength, so further "
        "cracks might come from the rotation alone. Take time.strain = \"corotational\", or, to continue without "
        "cracks, fracture.enabled = false.",
        state_.num_steps, state_.time_s, mesh_.element_id[worst].value, mesh_.material(worst).name, at.x(), at.y(),
        at.z(), degrees_of(strain), strain, largest_of_all));
  });
}

}  // namespace brisance::sim
