#include "load_steps.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/la/sums.hpp"
#include "brisance/sim/fields.hpp"

#include "mobility.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr int kMostIterations = 100;      ///< of Newton's method at one load
constexpr double kBalanced = 10;          ///< over the solver's tolerance: forces out of balance over those that hold
constexpr double kRounding = 1e-5;        ///< as much may be left where another iteration does not halve it [–]
constexpr double kLooseStiffness = 1e-5;  ///< that keeps a loose piece where it is, over (c_p/extent)² [–]
/// Between two looks at the criterion on the clock of fracture, where crack fronts wait [s]: as good as for ever.
constexpr double kFractureWait_s = 1e6;

}  // namespace

struct LoadSteps::Attempt {
  AlignedNodeField<dist::NodeMotion> motion;
  AlignedNodeField<dist::NodeForce> forces, forces_before;  ///< elastic [N]
  std::vector<dynamics::HeldAxes> held;
  std::vector<Vec3> right, change;  ///< by node slot [N], [m]
  std::string failure;
};

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
    spdlog::info("load step {}, {:.4g} of the load: {} cracks in {} looks", state_.num_steps, share,
                 mesh_.facts.num_cracks - cracks, looks);
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

LoadSteps::Norms LoadSteps::find_right_side(double load_share, Attempt& attempt) const {
  mesh_.halo().update_ghosts(attempt.motion.span());
  dynamics::corotational_forces(mesh_, attempt.motion.span(), scene_.time.strain, attempt.forces.span());
  std::array<double, 2> sums{};
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    Vec3& right = attempt.right[static_cast<std::size_t>(i)];
    right = Vec3(attempt.forces[n].force) + weight(n, load_share);
    for (int k = 0; k < 3; ++k) {
      const bool is_held = (attempt.held[static_cast<std::size_t>(i)] >> k & 1) != 0;
      sums[is_held ? 1 : 0] += right[k] * right[k];
      if (is_held) right[k] = 0;
    }
  }
  la::sum_over_ranks(comm_, sums);
  return {std::sqrt(sums[0]), std::sqrt(sums[1])};
}

bool LoadSteps::balance_forces(double load_share, Attempt& attempt) {
  core::ScopedTimer timer(seconds_.integration);
  const std::size_t slots = mesh_.node_id.size();
  attempt.held = held_axes();
  if (is_loose_.size() != slots) find_loose_nodes();
  attempt.forces.resize(slots);
  attempt.right.assign(slots, Vec3::Zero());
  attempt.change.assign(slots, Vec3::Zero());
  if (scene_.output.energy_ledger) {
    attempt.forces_before.resize(slots);
    dynamics::corotational_forces(mesh_, mesh_.motion.span(), scene_.time.strain, attempt.forces_before.span());
  }
  std::vector<dynamics::NodeBlock> blocks;
  const double extent = extent_of(comm_, mesh_).length;
  for (std::int32_t i : caches_.owned) {
    if (is_loose_[static_cast<std::size_t>(i)] == 0) continue;
    const LocalNode n(i);
    const double frequency = caches_.wave_frequency[n] * mesh_.field(dist::kUncutEdgeLength)[n] / extent;
    blocks.push_back({i, kLooseStiffness * mesh_.mass[n] * frequency * frequency * Mat3::Identity()});
  }
  const dynamics::StepEquation equation = dynamics::balance_of_forces();
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
    std::ranges::fill(attempt.change, Vec3::Zero());
    const dynamics::SolveReport report =
        equations_.solve(mesh_, scene_.time, equation, false,
                         {attempt.motion.span(), attempt.right, blocks, attempt.held, floor}, attempt.change);
    spdlog::debug("load {:.6g}: {:.3g} N out of balance, {} iterations, residual {:.2e}, {}", load_share, norms.free,
                  report.iterations, report.residual, report.preconditioner);
    if (!report.converged) {
      attempt.failure = fmt::format("its equations were not solved: {} after {} iterations ({}), residual {:.2g}",
                                    report.reason, report.iterations, report.preconditioner, report.residual);
      return false;
    }
    for (std::int32_t i : caches_.owned)
      Eigen::Map<Vec3>(attempt.motion[LocalNode(i)].position) += attempt.change[static_cast<std::size_t>(i)];
  }
  return false;
}

void LoadSteps::find_loose_nodes() {
  const dist::Pieces pieces = dist::find_pieces(mesh_);
  const Extent extent = extent_of(comm_, mesh_);
  std::vector<Mobility> of_piece(pieces.list.size());
  const std::vector<dynamics::HeldAxes> held = held_axes();
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const Vec3 place = (Vec3(mesh_.motion[n].position) - extent.centre) / extent.length;
    of_piece[static_cast<std::size_t>(pieces.of_node[n])].hold(place, held[static_cast<std::size_t>(i)]);
  }
  for (Mobility& mobility : of_piece)
    la::sum_over_ranks(comm_, std::span<double>(mobility.held.data(), static_cast<std::size_t>(mobility.held.size())));
  is_loose_.assign(mesh_.node_id.size(), 0);
  for (std::int32_t i : caches_.owned)
    is_loose_[static_cast<std::size_t>(i)] =
        of_piece[static_cast<std::size_t>(pieces.of_node[LocalNode(i)])].is_loose() ? 1 : 0;
  mesh_.halo().update_ghosts(std::span(is_loose_));
}

// Nothing has kinetic energy: what elastic forces release, grips and weight give beyond what is stored is lost.
void LoadSteps::accept(double load_share_before, double load_share, Attempt& attempt) {
  mesh_.halo().update_ghosts(attempt.motion.span());
  if (scene_.output.energy_ledger) {
    const auto energy = [&](const AlignedNodeField<dist::NodeMotion>& motion) {
      return dynamics::corotational_energy(mesh_, motion.span(), scene_.time.strain, dist::home_elements(mesh_));
    };
    auto& supplied = mesh_.field(kSuppliedWork);
    for (std::int32_t i : caches_.owned) {
      const LocalNode n(i);
      const Vec3 way = Vec3(attempt.motion[n].position) - Vec3(mesh_.motion[n].position);
      const Vec3 weight_on_average = 0.5 * (weight(n, load_share_before) + weight(n, load_share));
      const Vec3 elastic = 0.5 * (Vec3(attempt.forces_before[n].force) + Vec3(attempt.forces[n].force));
      double work = -(mesh_.mass[n] * scene_.gravity - weight_on_average).dot(way);  // a hand bears the rest
      for (int k = 0; k < 3; ++k)
        if ((attempt.held[static_cast<std::size_t>(i)] >> k & 1) != 0)
          work -= way[k] * (elastic[k] + weight_on_average[k]);
      supplied[n] += work;
      state_.numerical_loss.add(work + mesh_.mass[n] * scene_.gravity.dot(way));
    }
    state_.numerical_loss.add(energy(mesh_.motion));
    state_.numerical_loss.subtract(energy(attempt.motion));
  }
  std::swap(mesh_.motion, attempt.motion);
}

}  // namespace brisance::sim
