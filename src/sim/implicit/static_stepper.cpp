#include "static_stepper.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/core/words.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/sim/fields.hpp"
#include "brisance/sim/setup/start_checks.hpp"

#include "load_attempt.hpp"
#include "sim/setup/mobility.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr int kMostIterations = 100;  ///< iterations of Newton's method at one load
constexpr int kFullUpdates = 10;      ///< iterations with full updates; later ones have a line search
constexpr int kMostSearches = 4;      ///< steps of a line search
constexpr double kOvershoot = 0.3;  ///< slope upwards accepted at the end of an update, over that down at its start [–]
constexpr double kBalanced = 10;    ///< residual over the largest forces, in units of the solver's tolerance
constexpr double kRounding = 1e-5;        ///< residual accepted if another iteration does not halve it [–]
constexpr double kNearlyBalanced = 1e-4;  ///< residual accepted if iterations stall: no follower stiffness [–]
constexpr double kEnoughSolved = 0.03;    ///< relative tolerance of linear systems that converge slowly [–]
constexpr double kNudge = 1e-5;       ///< displacement of prescribed nodes for finite differences, over an edge [–]
constexpr double kLargePiece = 0.01;  ///< share of the mass of a large piece [–]
constexpr double kLooseStiffness = 1e-5;  ///< artificial stiffness of loose pieces, over m (c_p/extent)² [–]
constexpr int kMostHalvings = 3;          ///< of a load step, before the body is followed until it comes to rest
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
  if (is_loose_.size() != mesh_.node_id.size()) find_loose_nodes();
  const Parts parts_before = parts_;
  Attempt attempt;
  for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i)
    Eigen::Map<Vec3>(mesh_.motion[LocalNode(i)].velocity).setZero();
  const double before = load_share_at(state_.time_s);
  bool rests = true;
  for (double dt_s = length(until_s);; dt_s = length(until_s)) {
    prescribe(dt_s, attempt);
    const double after = load_share_at(state_.time_s + dt_s);
    if (balance_forces(after, attempt)) {
      accept(before, after, attempt);
    } else if (state_.halvings < kMostHalvings) {
      halve(dt_s, attempt.failure);
      continue;
    } else {
      say_it_moves(after, attempt.failure);
      prescribe(dt_s, attempt);
      rests = come_to_rest(before, after, attempt);
    }
    finish(dt_s, until_s);
    break;
  }
  const double load_share = load_share_at(state_.time_s);
  if (rests) rests = crack_until_nothing_fails(load_share, attempt);
  report_parting(parts_before, load_share);
  if (!rests) give_up(load_share, attempt.failure);
  phases_.limits.check_finite();
  phases_.limits.refresh();
  warn_of_turns();
}

void StaticStepper::prescribe(double dt_s, Attempt& attempt) const {
  attempt.motion = mesh_.motion;
  phases_.motion.apply(dt_s, motion_of_prescribed(), attempt.motion.span());
  for (std::int32_t i : caches_.prescribed) Eigen::Map<Vec3>(attempt.motion[LocalNode(i)].velocity).setZero();
}

bool StaticStepper::cut_what_fails() {
  was_cut_ = false;
  flow_and_internal_forces();
  state_.fracture_clock_s += kFractureWait_s;
  crack_at(state_.fracture_clock_s);  // take_in_cuts sets was_cut_
  return was_cut_;
}

bool StaticStepper::crack_until_nothing_fails(double load_share, Attempt& attempt) {
  const std::int64_t cracks = mesh_.facts.num_cracks;
  int times = 0;
  bool rests = true;
  while (rests && cut_what_fails()) {
    attempt.motion = mesh_.motion;
    if (balance_forces(load_share, attempt)) {
      accept(load_share, load_share, attempt);
    } else {
      say_it_moves(load_share, attempt.failure);
      attempt.motion = mesh_.motion;
      rests = come_to_rest(load_share, load_share, attempt);
    }
    ++times;
  }
  if (comm_.is_root() && times > 0)
    spdlog::info("load step {}, {:.4g} of the load: {}, equilibrium restored {}", state_.num_steps, load_share,
                 core::counted(mesh_.facts.num_cracks - cracks, "crack"), core::counted(times, "time"));
  return rests;
}

void StaticStepper::report_parting(const Parts& before, double load_share) const {
  const bool any_let_go = parts_.num_loose > before.num_loose;
  const bool has_parted = parts_.large > before.large || parts_.loose_share - before.loose_share >= kLargePiece;
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
  is_loose_.clear();
  was_cut_ = true;
}

void StaticStepper::forget() {
  ImplicitStepper::forget();
  is_loose_.clear();
}

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

StaticStepper::Norms StaticStepper::find_right_side(double load_share, Attempt& attempt) {
  mesh_.halo().update_ghosts(attempt.motion.span());
  dynamics::corotational_forces(mesh_, attempt.motion.span(), scene_.time.strain, attempt.forces.span());
  for (std::int32_t i : caches_.owned)
    attempt.right[static_cast<std::size_t>(i)] =
        Vec3(attempt.forces[LocalNode(i)].force) + weight(LocalNode(i), load_share);
  if (attempt.damping > 0)
    for (std::int32_t i : caches_.owned)
      attempt.right[static_cast<std::size_t>(i)] -=
          attempt.damping_of[static_cast<std::size_t>(i)] *
          (Vec3(attempt.motion[LocalNode(i)].position) - Vec3(mesh_.motion[LocalNode(i)].position));
  std::array<core::ExactSum, 3> sums;
  if (!loads_.empty()) sums[2] = find_pressures(load_share, attempt.motion.span(), attempt.loaded);
  for (const LoadedNode& node : attempt.loaded) attempt.right[static_cast<std::size_t>(node.slot)] += node.force;
  if (colliders_.size() > 0) attempt.contacts = find_contacts(attempt.motion.span());
  for (const contact::EndContact& c : attempt.contacts) attempt.right[static_cast<std::size_t>(c.node)] += c.spring;
  for (std::int32_t i : caches_.owned) {
    if (is_loose(i)) sums[2].add((load_share * mesh_.mass[LocalNode(i)] * scene_.gravity).squaredNorm());
    for (int k = 0; k < 3; ++k) {
      double& right = attempt.right[static_cast<std::size_t>(i)][k];
      const bool is_held = (attempt.held[static_cast<std::size_t>(i)] >> k & 1) != 0;
      sums[is_held ? 1 : 0].add(right * right);
      if (is_held) right = 0;
    }
  }
  core::ExactSum::reduce(comm_, sums);
  return {std::sqrt(sums[0].value()), std::sqrt(sums[1].value()), std::sqrt(sums[2].value())};
}

dynamics::SolveReport StaticStepper::solve(dynamics::TurnStiffness turns, double floor, Attempt& attempt) {
  std::vector<dynamics::NodeBlock> blocks;
  for (std::int32_t i : caches_.owned)
    if (const double slow = attempt.damping_of[static_cast<std::size_t>(i)]; slow > 0)
      blocks.push_back({i, slow * Mat3::Identity()});
  for (const contact::EndContact& c : attempt.contacts)
    blocks.push_back({c.node, c.stiffness * c.normal * c.normal.transpose()});
  std::ranges::fill(attempt.change, Vec3::Zero());
  return equations_.solve(
      mesh_, scene_.time, dynamics::balance_of_forces(turns, attempt.motion_before.span()), false,
      {attempt.motion.span(), attempt.right, blocks, attempt.held, {.floor = floor, .when_slow = kEnoughSolved}},
      attempt.change);
}

bool StaticStepper::find_way(double load_share, Descent& descent, Attempt& attempt) {
  if (descent.last < 0.1 * descent.indefinite_at || descent.is_slow()) descent.turns = dynamics::TurnStiffness::whole;
  dynamics::SolveReport report = solve(descent.turns, descent.floor, attempt);
  if (!report.converged && descent.turns == dynamics::TurnStiffness::whole) {
    descent.turns = dynamics::TurnStiffness::tension;
    descent.indefinite_at = descent.last;
    report = solve(descent.turns, descent.floor, attempt);
  }
  spdlog::debug("load {:.6g}: {:.3g} N out of balance, {} iterations, residual {:.2e}, {}{}", load_share, descent.last,
                report.iterations, report.residual, report.preconditioner,
                descent.turns == dynamics::TurnStiffness::whole ? "" : ", tension alone");
  if (report.converged) return true;
  attempt.failure = fmt::format("its equations were not solved: {} after {} iterations ({}), residual {:.2g}",
                                report.reason, report.iterations, report.preconditioner, report.residual);
  return false;
}

double StaticStepper::find_rounding(const Attempt& attempt) const {
  std::vector<double> bound(mesh_.node_id.size());
  dynamics::rounding_of_forces(mesh_, attempt.motion.span(), bound);
  for (const contact::EndContact& c : attempt.contacts)
    bound[static_cast<std::size_t>(c.node)] +=
        std::numeric_limits<double>::epsilon() * c.stiffness * Vec3(attempt.motion[LocalNode(c.node)].position).norm();
  core::ExactSum sum;
  for (const std::int32_t i : caches_.owned)
    sum.add(bound[static_cast<std::size_t>(i)] * bound[static_cast<std::size_t>(i)]);
  sum.reduce(comm_);
  return std::sqrt(sum.value());
}

void StaticStepper::add_pull_of(const AlignedNodeField<dist::NodeMotion>& prescribed, double nudge, Attempt& attempt) {
  for (const double side : {nudge, -nudge}) {
    AlignedNodeField<dist::NodeMotion> nudged = mesh_.motion;
    for (const std::int32_t i : caches_.prescribed)
      for (int k = 0; k < 3; ++k) {
        double& x = nudged[LocalNode(i)].position[k];
        x += side * (prescribed[LocalNode(i)].position[k] - x);
      }
    mesh_.halo().update_ghosts(nudged.span());
    dynamics::corotational_forces(mesh_, nudged.span(), scene_.time.strain, attempt.forces.span());
    for (const std::int32_t i : caches_.owned)
      for (int k = 0; k < 3; ++k)
        if ((attempt.held[static_cast<std::size_t>(i)] >> k & 1) == 0)
          attempt.right[static_cast<std::size_t>(i)][k] += attempt.forces[LocalNode(i)].force[k] / (2 * side);
  }
}

double StaticStepper::follow_prescribed(double load_share, Attempt& attempt) {
  // Other materials converge without this, in fewer solves.
  if (advice_on_locking(scene_).empty()) return 0;
  double nudge = std::numeric_limits<double>::infinity();
  for (const std::int32_t i : caches_.prescribed) {
    const LocalNode n(i);
    const double displacement = (Vec3(attempt.motion[n].position) - Vec3(mesh_.motion[n].position)).norm();
    if (displacement > 0) nudge = std::min(nudge, kNudge * mesh_.field(dist::kUncutEdgeLength)[n] / displacement);
  }
  nudge = comm_.min(nudge);
  if (!std::isfinite(nudge)) return 0;
  AlignedNodeField<dist::NodeMotion> prescribed = std::move(attempt.motion);
  attempt.motion = mesh_.motion;
  Descent descent;
  descent.scale = find_right_side(load_share, attempt).largest();
  add_pull_of(prescribed, nudge, attempt);
  descent.last = norm_over_ranks(mesh_, attempt.right);
  descent.floor = scene_.time.solver_tolerance * descent.last;
  const bool found = std::isfinite(descent.last) && find_way(load_share, descent, attempt);
  attempt.motion = std::move(prescribed);
  if (found) {
    go_along(1, attempt);
    attempt.motion_before = mesh_.motion;
  }
  return found ? descent.last : 0;
}

void StaticStepper::find_damping(Attempt& attempt) const {
  const double extent = extent_of(comm_, mesh_).length;
  attempt.damping_of.assign(mesh_.node_id.size(), 0);
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const double frequency = caches_.wave_frequency[n] * mesh_.field(dist::kUncutEdgeLength)[n] / extent;
    attempt.damping_of[static_cast<std::size_t>(i)] =
        (is_loose(i) ? kLooseStiffness : attempt.damping) * mesh_.mass[n] * frequency * frequency;
  }
}

bool StaticStepper::balance_forces(double load_share, Attempt& attempt) {
  core::ScopedTimer timer(seconds_.integration);
  const std::size_t slots = mesh_.node_id.size();
  attempt.held = constrained_axes();
  if (is_loose_.size() != slots) find_loose_nodes();
  find_damping(attempt);
  attempt.forces.resize(slots);
  attempt.right.assign(slots, Vec3::Zero());
  attempt.change.assign(slots, Vec3::Zero());
  attempt.motion_before.resize(0);
  Descent descent;
  const double first = attempt.damping > 0 ? 0 : follow_prescribed(load_share, attempt);
  for (descent.iteration = 0; descent.iteration <= kMostIterations; ++descent.iteration) {
    const Norms norms = find_right_side(load_share, attempt);
    if (descent.iteration == 0) descent.floor = scene_.time.solver_tolerance * std::max(first, norms.free);
    if (descent.iteration == 0) descent.start = norms.largest();
    // Without the iterations between: if one diverges, its large forces would make any residual small.
    attempt.scale = descent.scale = std::max(descent.start, norms.largest());
    const bool stagnates =
        descent.iteration > 1 && norms.free > 0.5 * descent.last && norms.free <= kRounding * descent.scale;
    if (norms.free <= kBalanced * scene_.time.solver_tolerance * descent.scale || stagnates) return true;
    if (descent.rounding < 0) descent.rounding = find_rounding(attempt);
    if (norms.free <= descent.rounding) return true;
    attempt.failure = fmt::format("forces did not balance in {} iterations: {:.3g} of {:.3g} N are left",
                                  descent.iteration, norms.free, descent.scale);
    descent.take(norms.free);
    const bool gains_no_more = descent.has_stalled() || descent.iteration == kMostIterations;
    if (gains_no_more && norms.free <= kNearlyBalanced * descent.scale) return true;
    if (!std::isfinite(norms.free) || descent.has_stalled() || !find_way(load_share, descent, attempt)) return false;
    go_down(load_share, descent.iteration >= kFullUpdates, attempt);
  }
  return false;
}

void StaticStepper::go_down(double load_share, bool no_farther_than_lowest, Attempt& attempt) {
  const double down = slope(attempt);
  attempt.motion_before = attempt.motion;
  go_along(1, attempt);
  double share = 1;
  for (int i = 0; no_farther_than_lowest && i < kMostSearches; ++i) {
    (void)find_right_side(load_share, attempt);
    const double there = slope(attempt);
    if (!(there < -kOvershoot * down)) return;
    const double lowest = share * down / (down - there);
    go_along(lowest - share, attempt);
    share = lowest;
  }
}

void StaticStepper::go_along(double share, Attempt& attempt) const {
  for (std::int32_t i : caches_.owned)
    Eigen::Map<Vec3>(attempt.motion[LocalNode(i)].position) += share * attempt.change[static_cast<std::size_t>(i)];
}

double StaticStepper::slope(const Attempt& attempt) const {
  core::ExactSum sum;
  for (std::int32_t i : caches_.owned)
    sum.add(attempt.right[static_cast<std::size_t>(i)].dot(attempt.change[static_cast<std::size_t>(i)]));
  sum.reduce(comm_);
  return sum.value();
}

void StaticStepper::find_loose_nodes() {
  const dist::Pieces pieces = dist::find_pieces(mesh_);
  const Extent extent = extent_of(comm_, mesh_);
  constexpr std::size_t kEntries = 36;
  // Exact sums, so that the choice of loose pieces does not depend on ranks.
  std::vector<core::ExactSum> entries(kEntries * pieces.list.size());
  const std::vector<dynamics::ConstrainedAxes> held = constrained_axes();
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    if (held[static_cast<std::size_t>(i)] == 0) continue;
    Mobility of_node;
    of_node.hold((Vec3(mesh_.motion[n].position) - extent.centre) / extent.length, held[static_cast<std::size_t>(i)]);
    const std::size_t first = kEntries * static_cast<std::size_t>(pieces.of_node[n]);
    for (std::size_t k = 0; k < kEntries; ++k) entries[first + k].add(of_node.held.data()[k]);
  }
  core::ExactSum::reduce(comm_, entries);
  std::vector<Mobility> of_piece(pieces.list.size());
  for (std::size_t k = 0; k < entries.size(); ++k)
    of_piece[k / kEntries].held.data()[k % kEntries] = entries[k].value();
  double mass = 0;
  for (const dist::Piece& piece : pieces.list) mass += piece.mass;
  std::vector<std::uint8_t> loose_piece;
  parts_ = {};
  for (std::size_t p = 0; p < of_piece.size(); ++p) {
    const double share = pieces.list[p].mass / mass;
    loose_piece.push_back(of_piece[p].is_loose() ? 1 : 0);
    parts_.num_loose += loose_piece.back();
    parts_.loose_share += loose_piece.back() * share;
    parts_.large += share >= kLargePiece ? 1 : 0;
  }
  is_loose_.assign(mesh_.node_id.size(), 0);
  for (std::int32_t i : caches_.owned)
    is_loose_[static_cast<std::size_t>(i)] = loose_piece[static_cast<std::size_t>(pieces.of_node[LocalNode(i)])];
  mesh_.halo().update_ghosts(std::span(is_loose_));
}

void StaticStepper::accept(double load_share_before, double load_share, Attempt& attempt) {
  mesh_.halo().update_ghosts(attempt.motion.span());
  book(load_share_before, load_share, attempt);
  std::swap(mesh_.motion, attempt.motion);
  if (colliders_.size() > 0)  // velocities are 0, so it only stores which nodes are in contact
    (void)colliders_.finish_implicit_step(contact_nodes(), attempt.contacts, 1,
                                          mesh_.field(contact::kContactOffset).span(), state_.contact_work);
  note_contact_forces(attempt.contacts);
}

// There is no kinetic energy: the energy released by elastic forces and contact springs, and the work of Dirichlet
// conditions, loads and weight, less the stored energy, is lost. Forces between two loads are the mean of both.
void StaticStepper::book(double load_share_before, double load_share, Attempt& attempt) {
  std::vector<LoadedNode> loaded_before;
  if (!loads_.empty()) (void)find_pressures(load_share_before, mesh_.motion.span(), loaded_before);
  std::vector<Vec3> pressing(loads_.empty() ? 0 : mesh_.node_id.size(), Vec3::Zero());
  for (const auto* nodes : {&loaded_before, &attempt.loaded})
    for (const LoadedNode& node : *nodes) pressing[static_cast<std::size_t>(node.slot)] += 0.5 * node.force;
  const auto displacement_of = [&](LocalNode n) -> Vec3 {
    return Vec3(attempt.motion[n].position) - Vec3(mesh_.motion[n].position);
  };
  for (std::size_t i = 0; i < pressing.size(); ++i)
    if (const LocalNode n(static_cast<std::int32_t>(i)); pressing[i] != Vec3::Zero()) {
      const double work = pressing[i].dot(displacement_of(n));
      add_load_work(n, work);
      state_.numerical_loss.add(work);
    }
  if (!scene_.output.energy_ledger) return;
  AlignedNodeField<dist::NodeForce> forces_before(mesh_.node_id.size());
  dynamics::corotational_forces(mesh_, mesh_.motion.span(), scene_.time.strain, forces_before.span());
  const auto energy = [&](const AlignedNodeField<dist::NodeMotion>& motion) {
    return dynamics::corotational_energy(mesh_, motion.span(), scene_.time.strain, dist::home_elements(mesh_));
  };
  const auto spring_energy = [&](std::span<const contact::EndContact> contacts) {
    core::ExactSum sum;
    for (const contact::EndContact& c : contacts) sum.add(0.5 * c.spring.squaredNorm() / c.stiffness);
    return sum;
  };
  std::vector<contact::EndContact> contacts_before;
  if (colliders_.size() > 0) contacts_before = find_contacts(mesh_.motion.span());
  std::vector<Vec3> springs(colliders_.size() > 0 ? mesh_.node_id.size() : 0, Vec3::Zero());
  for (const auto* contacts : {&contacts_before, &attempt.contacts})
    for (const contact::EndContact& c : *contacts) springs[static_cast<std::size_t>(c.node)] += 0.5 * c.spring;
  auto& supplied = mesh_.field(kSuppliedWork);
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const Vec3 displacement = displacement_of(n);
    const Vec3 weight_on_average = 0.5 * (weight(n, load_share_before) + weight(n, load_share));
    Vec3 others = 0.5 * (Vec3(forces_before[n].force) + Vec3(attempt.forces[n].force)) + weight_on_average;
    if (!pressing.empty()) others += pressing[static_cast<std::size_t>(i)];
    if (!springs.empty()) others += springs[static_cast<std::size_t>(i)];
    // The rest of the weight is borne from outside.
    double work = -(mesh_.mass[n] * scene_.gravity - weight_on_average).dot(displacement);
    for (int k = 0; k < 3; ++k)
      if ((attempt.held[static_cast<std::size_t>(i)] >> k & 1) != 0) work -= displacement[k] * others[k];
    supplied[n] += work;
    state_.numerical_loss.add(work + mesh_.mass[n] * scene_.gravity.dot(displacement));
  }
  state_.numerical_loss.add(energy(mesh_.motion));
  state_.numerical_loss.subtract(energy(attempt.motion));
  state_.numerical_loss.add(spring_energy(contacts_before));
  state_.numerical_loss.subtract(spring_energy(attempt.contacts));
}

}  // namespace brisance::sim
