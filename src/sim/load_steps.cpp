#include "load_steps.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/sim/fields.hpp"

#include "mobility.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr int kMostIterations = 100;      ///< of Newton's method at one load
constexpr int kWholeWays = 10;            ///< iterations that go all of their way; later ones not past the lowest place
constexpr double kOvershoot = 0.3;        ///< of the slope down which one went, that may lead up at its end [–]
constexpr double kBalanced = 10;          ///< over the solver's tolerance: forces out of balance over those that hold
constexpr double kRounding = 1e-5;        ///< as much may be left where another iteration does not halve it [–]
constexpr double kLooseStiffness = 1e-5;  ///< that keeps a loose piece where it is, over (c_p/extent)² [–]
/// Between two looks at the criterion on the clock of fracture, where crack fronts wait [s]: as good as for ever.
constexpr double kFractureWait_s = 1e6;

}  // namespace

struct LoadSteps::Attempt {
  AlignedNodeField<dist::NodeMotion> motion;
  AlignedNodeField<dist::NodeForce> forces;  ///< elastic [N]
  std::vector<dynamics::HeldAxes> held;
  std::vector<LoadedNode> loaded;             ///< by pressures
  std::vector<contact::EndContact> contacts;  ///< of nodes that are not loose
  std::vector<Vec3> right, change;            ///< by node slot [N], [m]
  std::string failure;
};

// A pressure without a profile is one that grows from 0.
LoadSteps::LoadSteps(Simulation& run) : LargeSteps(run), loads_(scene_.loads) {
  for (LoadParameters& load : loads_)
    if (load.kind == LoadKind::pressure && load.profile.empty())
      load.profile = {{0, 0}, {scene_.duration_s, load.pressure_pa}};
}

void LoadSteps::step(double until_s) {
  const auto share_at = [&](double time_s) { return std::min(1.0, time_s / scene_.duration_s); };
  Attempt attempt;
  for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i)
    Eigen::Map<Vec3>(mesh_.motion[LocalNode(i)].velocity).setZero();
  for (double dt_s = length(until_s);; dt_s = length(until_s)) {
    attempt.motion = mesh_.motion;
    grip(dt_s, motion_of_prescribed(), attempt.motion.span());
    for (std::int32_t i : caches_.prescribed) Eigen::Map<Vec3>(attempt.motion[LocalNode(i)].velocity).setZero();
    const double before = share_at(state_.time_s), after = share_at(state_.time_s + dt_s);
    if (!balance_forces(after, attempt)) {
      halve(dt_s, attempt.failure);
      continue;
    }
    accept(before, after, attempt);
    finish(dt_s, until_s);
    break;
  }
  const double share = share_at(state_.time_s);
  const std::int64_t cracks = mesh_.facts.num_cracks;
  int looks = 0;
  do {
    was_cut_ = false;
    flow_and_internal_forces();
    state_.fracture_clock_s += kFractureWait_s;
    crack_at(state_.fracture_clock_s);  // take_in_cuts says whether
    if (!was_cut_) break;
    attempt.motion = mesh_.motion;
    if (!balance_forces(share, attempt))
      throw core::Error(fmt::format(
          "load step {}, {:.4g} of the load: after {} looks at cracks {}. Try more time.load_steps, a larger "
          "time.solver_tolerance, or integrator = \"implicit_euler\", in which pieces that come loose move.",
          state_.num_steps, share, looks + 1, attempt.failure));
    accept(share, share, attempt);
    ++looks;
  } while (true);
  if (comm_.is_root() && looks > 0)
    spdlog::info("load step {}, {:.4g} of the load: {} cracks, equilibrium restored {} time(s)", state_.num_steps,
                 share, mesh_.facts.num_cracks - cracks, looks);
  check_finite();
  refresh_step_bound();
  warn_of_turns();
}

void LoadSteps::take_in_cuts() {
  LargeSteps::take_in_cuts();
  is_loose_.clear();
  was_cut_ = true;
}

void LoadSteps::forget() {
  LargeSteps::forget();
  is_loose_.clear();
}

Vec3 LoadSteps::weight(LocalNode n, double load_share) const {
  if (is_loose_[static_cast<std::size_t>(n.value)] != 0) return Vec3::Zero();  // it would fall for ever
  return load_share * mesh_.mass[n] * scene_.gravity;
}

void LoadSteps::find_pressures(double load_share, std::span<const dist::NodeMotion> motion,
                               std::vector<LoadedNode>& loaded) {
  face_loads().find(loads_, mesh_, motion, load_share * scene_.duration_s, 0, loaded);
  std::erase_if(loaded, [&](const LoadedNode& node) { return is_loose_[static_cast<std::size_t>(node.slot)] != 0; });
}

// Nothing moves, so that no damper acts and nothing slips.
std::vector<contact::EndContact> LoadSteps::find_contacts(std::span<const dist::NodeMotion> motion) const {
  contact::ContactNodes nodes = contact_nodes();
  nodes.motion = motion;
  auto contacts =
      colliders_.end_contacts(nodes, mesh_.motion.span(), 1, mesh_.field(contact::kForgivenDepth).span(), {});
  std::erase_if(contacts,
                [&](const contact::EndContact& c) { return is_loose_[static_cast<std::size_t>(c.node)] != 0; });
  return contacts;
}

LoadSteps::Norms LoadSteps::find_right_side(double load_share, Attempt& attempt) {
  mesh_.halo().update_ghosts(attempt.motion.span());
  dynamics::corotational_forces(mesh_, attempt.motion.span(), scene_.time.strain, attempt.forces.span());
  for (std::int32_t i : caches_.owned)
    attempt.right[static_cast<std::size_t>(i)] =
        Vec3(attempt.forces[LocalNode(i)].force) + weight(LocalNode(i), load_share);
  if (!loads_.empty()) find_pressures(load_share, attempt.motion.span(), attempt.loaded);
  for (const LoadedNode& node : attempt.loaded) attempt.right[static_cast<std::size_t>(node.slot)] += node.force;
  if (colliders_.size() > 0) attempt.contacts = find_contacts(attempt.motion.span());
  for (const contact::EndContact& c : attempt.contacts) attempt.right[static_cast<std::size_t>(c.node)] += c.spring;
  std::array<core::ExactSum, 2> sums;
  for (std::int32_t i : caches_.owned)
    for (int k = 0; k < 3; ++k) {
      double& right = attempt.right[static_cast<std::size_t>(i)][k];
      const bool is_held = (attempt.held[static_cast<std::size_t>(i)] >> k & 1) != 0;
      sums[is_held ? 1 : 0].add(right * right);
      if (is_held) right = 0;
    }
  core::ExactSum::reduce(comm_, sums);
  return {std::sqrt(sums[0].value()), std::sqrt(sums[1].value())};
}

dynamics::SolveReport LoadSteps::find_way(const dynamics::StepEquation& equation, double floor, Attempt& attempt) {
  std::vector<dynamics::NodeBlock> blocks;
  const double extent = extent_of(comm_, mesh_).length;
  for (std::int32_t i : caches_.owned) {
    if (is_loose_[static_cast<std::size_t>(i)] == 0) continue;
    const LocalNode n(i);
    const double frequency = caches_.wave_frequency[n] * mesh_.field(dist::kUncutEdgeLength)[n] / extent;
    blocks.push_back({i, kLooseStiffness * mesh_.mass[n] * frequency * frequency * Mat3::Identity()});
  }
  for (const contact::EndContact& c : attempt.contacts)
    blocks.push_back({c.node, c.stiffness * c.normal * c.normal.transpose()});
  std::ranges::fill(attempt.change, Vec3::Zero());
  return equations_.solve(mesh_, scene_.time, equation, false,
                          {attempt.motion.span(), attempt.right, blocks, attempt.held, floor}, attempt.change);
}

bool LoadSteps::balance_forces(double load_share, Attempt& attempt) {
  core::ScopedTimer timer(seconds_.integration);
  const std::size_t slots = mesh_.node_id.size();
  attempt.held = held_axes();
  if (is_loose_.size() != slots) find_loose_nodes();
  attempt.forces.resize(slots);
  attempt.right.assign(slots, Vec3::Zero());
  attempt.change.assign(slots, Vec3::Zero());
  // All that stress does to turns, until a matrix turns out indefinite: then what holds alone, which always leads down.
  dynamics::TurnStiffness turns = dynamics::TurnStiffness::whole;
  double scale = 0, last = 0, floor = 0;
  for (int iteration = 0; iteration <= kMostIterations; ++iteration) {
    const Norms norms = find_right_side(load_share, attempt);
    if (iteration == 0) floor = scene_.time.solver_tolerance * norms.free;
    scale = std::max({scale, norms.free, norms.held});
    const bool stagnates = iteration > 1 && norms.free > 0.5 * last && norms.free <= kRounding * scale;
    if (norms.free <= kBalanced * scene_.time.solver_tolerance * scale || stagnates) return true;
    attempt.failure = fmt::format("forces did not balance in {} iterations: {:.3g} of {:.3g} N are left", iteration,
                                  norms.free, scale);
    if (!std::isfinite(norms.free)) return false;
    last = norms.free;
    dynamics::SolveReport report = find_way(dynamics::balance_of_forces(turns), floor, attempt);
    if (!report.converged && turns == dynamics::TurnStiffness::whole) {
      turns = dynamics::TurnStiffness::tension;
      report = find_way(dynamics::balance_of_forces(turns), floor, attempt);
    }
    spdlog::trace("load {:.6g}: {:.3g} N out of balance, {} iterations, residual {:.2e}, {}", load_share, norms.free,
                  report.iterations, report.residual, report.preconditioner);
    if (!report.converged) {
      attempt.failure = fmt::format("its equations were not solved: {} after {} iterations ({}), residual {:.2g}",
                                    report.reason, report.iterations, report.preconditioner, report.residual);
      return false;
    }
    const double down = slope(attempt);
    go_along(1, attempt);
    if (iteration < kWholeWays) continue;
    (void)find_right_side(load_share, attempt);
    if (const double there = slope(attempt); there < -kOvershoot * down) go_along(down / (down - there) - 1, attempt);
  }
  return false;
}

void LoadSteps::go_along(double share, Attempt& attempt) const {
  for (std::int32_t i : caches_.owned)
    Eigen::Map<Vec3>(attempt.motion[LocalNode(i)].position) += share * attempt.change[static_cast<std::size_t>(i)];
}

double LoadSteps::slope(const Attempt& attempt) const {
  core::ExactSum sum;
  for (std::int32_t i : caches_.owned)
    sum.add(attempt.right[static_cast<std::size_t>(i)].dot(attempt.change[static_cast<std::size_t>(i)]));
  sum.reduce(comm_);
  return sum.value();
}

void LoadSteps::find_loose_nodes() {
  const dist::Pieces pieces = dist::find_pieces(mesh_);
  const Extent extent = extent_of(comm_, mesh_);
  constexpr std::size_t kEntries = 36;
  std::vector<core::ExactSum> entries(kEntries * pieces.list.size());  // what is loose must not hang on the ranks
  const std::vector<dynamics::HeldAxes> held = held_axes();
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
  is_loose_.assign(mesh_.node_id.size(), 0);
  for (std::int32_t i : caches_.owned)
    is_loose_[static_cast<std::size_t>(i)] =
        of_piece[static_cast<std::size_t>(pieces.of_node[LocalNode(i)])].is_loose() ? 1 : 0;
  mesh_.halo().update_ghosts(std::span(is_loose_));
}

void LoadSteps::accept(double load_share_before, double load_share, Attempt& attempt) {
  mesh_.halo().update_ghosts(attempt.motion.span());
  book(load_share_before, load_share, attempt);
  std::swap(mesh_.motion, attempt.motion);
  if (colliders_.size() > 0)  // velocities are 0: it takes note of who touches, and of nothing else
    (void)colliders_.finish_implicit_step(contact_nodes(), attempt.contacts, 1,
                                          mesh_.field(contact::kForgivenDepth).span(), state_.contact_work);
}

// Nothing has kinetic energy: what elastic forces and springs of contact release, grips, loads and weight give beyond
// what is stored is lost. Forces between two loads are taken for the mean of both.
void LoadSteps::book(double load_share_before, double load_share, Attempt& attempt) {
  std::vector<LoadedNode> loaded_before;
  if (!loads_.empty()) find_pressures(load_share_before, mesh_.motion.span(), loaded_before);
  std::vector<Vec3> pressing(loads_.empty() ? 0 : mesh_.node_id.size(), Vec3::Zero());
  for (const auto* nodes : {&loaded_before, &attempt.loaded})
    for (const LoadedNode& node : *nodes) pressing[static_cast<std::size_t>(node.slot)] += 0.5 * node.force;
  const auto way_of = [&](LocalNode n) -> Vec3 {
    return Vec3(attempt.motion[n].position) - Vec3(mesh_.motion[n].position);
  };
  for (std::size_t i = 0; i < pressing.size(); ++i)
    if (const LocalNode n(static_cast<std::int32_t>(i)); pressing[i] != Vec3::Zero()) {
      const double work = pressing[i].dot(way_of(n));
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
    const Vec3 way = way_of(n);
    const Vec3 weight_on_average = 0.5 * (weight(n, load_share_before) + weight(n, load_share));
    Vec3 others = 0.5 * (Vec3(forces_before[n].force) + Vec3(attempt.forces[n].force)) + weight_on_average;
    if (!pressing.empty()) others += pressing[static_cast<std::size_t>(i)];
    if (!springs.empty()) others += springs[static_cast<std::size_t>(i)];
    double work = -(mesh_.mass[n] * scene_.gravity - weight_on_average).dot(way);  // a hand bears the rest
    for (int k = 0; k < 3; ++k)
      if ((attempt.held[static_cast<std::size_t>(i)] >> k & 1) != 0) work -= way[k] * others[k];
    supplied[n] += work;
    state_.numerical_loss.add(work + mesh_.mass[n] * scene_.gravity.dot(way));
  }
  state_.numerical_loss.add(energy(mesh_.motion));
  state_.numerical_loss.subtract(energy(attempt.motion));
  state_.numerical_loss.add(spring_energy(contacts_before));
  state_.numerical_loss.subtract(spring_energy(attempt.contacts));
}

}  // namespace brisance::sim
