#include "static_stepper.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"
#include "brisance/sim/setup/start_checks.hpp"

#include "load_trial.hpp"

#include <string>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr int kMostHalvings = 3;  ///< of a load step, before the body is followed until it comes to rest
/// Advance of the clock of fracture between two evaluations of the criterion, beyond any waiting time of fronts [s].
constexpr double kFractureWait_s = 1e6;

}  // namespace

// A pressure without a profile grows linearly from 0.
StaticStepper::StaticStepper(Model& model, Phases& phases) : ImplicitStepper(model, phases), loads_(scene_.loads) {
  for (LoadParameters& load : loads_)
    if (load.kind == LoadKind::pressure && load.profile.empty())
      load.profile = {{0, 0}, {scene_.duration_s, load.pressure_pa}};
}

void StaticStepper::step(double until_s) {
  if (!parts_.is_of(mesh_.node_id.size())) parts_ = find_loose_parts(mesh_, constrained_axes());
  const LooseParts parts_before = parts_;
  Trial trial;
  for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i)
    Eigen::Map<Vec3>(mesh_.motion[LocalNode(i)].velocity).setZero();
  const double before = load_share_at(state_.time_s);
  bool rests = true;
  for (double dt_s = length(until_s);; dt_s = length(until_s)) {
    prescribe(dt_s, trial);
    const double after = load_share_at(state_.time_s + dt_s);
    if (balance_forces(after, trial)) {
      accept(before, after, trial);
    } else if (state_.halvings < kMostHalvings) {
      halve(dt_s, trial.failure);
      continue;
    } else {
      log_no_equilibrium(after, trial.failure);
      prescribe(dt_s, trial);
      rests = come_to_rest(before, after, trial);
    }
    finish(dt_s, until_s);
    break;
  }
  const double load_share = load_share_at(state_.time_s);
  if (rests) rests = crack_until_nothing_fails(load_share, trial);
  report_parting(parts_before, load_share);
  if (!rests) give_up(load_share, trial.failure);
  phases_.limits.check_finite();
  phases_.limits.refresh();
  warn_of_turns();
}

void StaticStepper::prescribe(double dt_s, Trial& trial) const {
  trial.motion = mesh_.motion;
  phases_.motion.apply(dt_s, motion_of_prescribed(), trial.motion.span());
  for (std::int32_t i : caches_.prescribed) Eigen::Map<Vec3>(trial.motion[LocalNode(i)].velocity).setZero();
}

bool StaticStepper::cut_what_fails() {
  was_cut_ = false;
  flow_and_internal_forces();
  state_.fracture_clock_s += kFractureWait_s;
  crack_at(state_.fracture_clock_s);  // take_in_cuts sets was_cut_
  return was_cut_;
}

bool StaticStepper::crack_until_nothing_fails(double load_share, Trial& trial) {
  const std::int64_t cracks = mesh_.facts.num_cracks;
  int times = 0;
  bool rests = true;
  while (rests && cut_what_fails()) {
    trial.motion = mesh_.motion;
    if (balance_forces(load_share, trial)) {
      accept(load_share, load_share, trial);
    } else {
      log_no_equilibrium(load_share, trial.failure);
      trial.motion = mesh_.motion;
      rests = come_to_rest(load_share, load_share, trial);
    }
    ++times;
  }
  if (comm_.is_root() && times > 0)
    spdlog::info("load step {}, {:.4g} of the load: {}, equilibrium restored {}", state_.num_steps, load_share,
                 core::counted(mesh_.facts.num_cracks - cracks, "crack"), core::counted(times, "time"));
  return rests;
}

void StaticStepper::report_parting(const LooseParts& before, double load_share) const {
  const bool any_let_go = parts_.num_loose > before.num_loose;
  const bool has_parted = parts_.num_large > before.num_large || parts_.loose_share - before.loose_share >= kLargePiece;
  if (!comm_.is_root() || (!has_parted && !any_let_go)) return;
  std::string text = fmt::format("{} load factor {:.4g}, t = {:.6g} s.", has_parted ? "the body has parted at" : "at",
                                 load_share, state_.time_s);
  if (any_let_go)
    text += fmt::format(
        " Unconstrained parts ({}, {:.3g} % of the mass) are released: they stay in place, without weight, pressure "
        "and contact. The run continues with the rest.",
        core::counted(parts_.num_loose, "piece"), 100 * parts_.loose_share);
  spdlog::info(text);
}

std::string StaticStepper::advice() const {
  return "Try more time.load_steps, a larger time.solver_tolerance, or, for a body that loses its support or its "
         "stability, time.integrator = \"implicit_euler\", in which it keeps moving." +
         advice_on_locking(scene_);
}

void StaticStepper::take_in_cuts() {
  ImplicitStepper::take_in_cuts();
  parts_.is_loose.clear();
  was_cut_ = true;
}

void StaticStepper::forget() {
  ImplicitStepper::forget();
  parts_.is_loose.clear();
}

void StaticStepper::accept(double load_share_before, double load_share, Trial& trial) {
  mesh_.halo().update_ghosts(trial.motion.span());
  book(load_share_before, load_share, trial);
  std::swap(mesh_.motion, trial.motion);
  if (colliders_.size() > 0)  // velocities are 0, so it only stores which nodes are in contact
    (void)colliders_.finish_implicit_step(contact_nodes(), trial.contacts, 1,
                                          mesh_.field(contact::kContactOffset).span(), state_.contact_work);
  note_contact_forces(trial.contacts);
}

}  // namespace brisance::sim
