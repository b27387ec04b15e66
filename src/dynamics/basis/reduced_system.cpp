#include "brisance/dynamics/basis/reduced_system.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/rounded_sums.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "assembly.hpp"
#include "dynamics/lattice_parts.hpp"
#include "function_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace brisance::dynamics {

namespace {

constexpr double kProjected = 1e-13;       ///< residual of projections [–]
constexpr double kProjectedEnough = 1e-9;  ///< that is accepted if rounding prevents the former [–]

/// Upper and lower part of a function's sum, for the rank that owns it.
struct Restricted {
  std::int32_t function, unused;
  std::array<double, 6> sums;
};

}  // namespace

/// The direct solution for the body at rest, and the weights of the equation it is for.
struct ReducedSystem::AtRest {
  std::array<double, 3> weights;
  CoarseSpace coarse;
};

ReducedSystem::ReducedSystem(const dist::Mesh& mesh, const BasisGrid& grid, std::span<const ConstrainedAxes> held)
    : functions_(mesh, grid, held), held_(held.begin(), held.end()) {
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) owned_.push_back(i);
  assembly_ = std::make_unique<Assembly>(mesh, grid, functions_, held_);
  may_turn_ = !mesh.comm().any(std::ranges::any_of(held_, [](ConstrainedAxes axes) { return axes % kHeld != 0; }));
}

ReducedSystem::~ReducedSystem() = default;

bool ReducedSystem::was_made_for(std::span<const ConstrainedAxes> held) const {
  return std::ranges::equal(held, held_);
}

double ReducedSystem::gathered_share() const { return assembly_->gathered_share(); }

std::int32_t ReducedSystem::num_dependent() const {
  std::int32_t count = 0;
  for (std::int32_t f = 0; f < functions_.num_lattice(); ++f) count += assembly_->dependent(f) != 0 ? 1 : 0;
  return count;
}

void ReducedSystem::fill(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, const Parameters& parameters,
                         const StepEquation& equation, std::span<const NodeBlock> blocks) {
  condition(mesh, motion, parameters, equation, blocks);
  assembly_->fill(mesh, motion, parameters, equation, blocks);
}

/// The factor follows from the functions and the equation alone, and never from earlier motion, so that restarted runs
/// have the same bits. Contact adds to the matrix what it does not know.
void ReducedSystem::condition(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion,
                              const Parameters& parameters, const StepEquation& equation,
                              std::span<const NodeBlock> blocks) {
  is_conditioned_ = may_turn_ && equation.damping_weight() > 0 && !mesh.comm().any(!blocks.empty());
  if (!is_conditioned_) return;
  const std::array weights{equation.stiffness_weight(), equation.inertia * equation.damping_weight(), equation.inertia};
  if (!at_rest_ || at_rest_->weights != weights) {
    at_rest_.reset();
    std::vector<dist::NodeMotion> rest(motion.size());
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      Eigen::Map<Vec3>(rest[static_cast<std::size_t>(i)].position) = mesh.rest[LocalNode(i)];
    assembly_->fill(mesh, rest, parameters, equation, {});
    at_rest_ = std::make_unique<AtRest>(
        AtRest{weights, FunctionSolver::coarse_space(mesh.comm(), assembly_->matrix(), functions_)});
  }
  if (parameters.strain != Strain::linear)
    at_rest_->coarse.turn(assembly_->rotations(mesh, motion, parameters.strain), assembly_->pieces());
}

/// Pᵀ r in the own rows; an entry for each known function.
std::vector<Vec3> ReducedSystem::restricted(const core::Comm& comm, std::span<const Vec3> by_slot) const {
  double largest = 0;
  for (const std::int32_t slot : owned_) {
    const double here = by_slot[static_cast<std::size_t>(slot)].cwiseAbs().maxCoeff();
    largest = here <= largest ? largest : here;  // propagates NaN
  }
  if (std::isnan(largest)) largest = INFINITY;  // MPI's maximum does not propagate NaN
  largest = comm.max(largest);
  const FunctionMatrix& matrix = assembly_->matrix();
  const auto terms = static_cast<double>(functions_.num_nodes());
  const core::Quantum high(largest * terms), low(high.size() * terms);
  std::vector<std::array<double, 6>> sums(matrix.num_entries(), std::array<double, 6>{});
  for (const std::int32_t slot : owned_)
    for (const Functions::Link& link : functions_.of(static_cast<std::size_t>(slot))) {
      std::array<double, 6>& to = sums[static_cast<std::size_t>(matrix.entry(link.function))];
      for (int a = 0; a < 3; ++a) {
        if (is_held(held_[static_cast<std::size_t>(slot)], a)) continue;
        const double term = link.weight * by_slot[static_cast<std::size_t>(slot)][a], upper = high.rounded(term);
        to[static_cast<std::size_t>(a)] += upper;
        to[static_cast<std::size_t>(a) + 3] += low.rounded(term - upper);
      }
    }
  std::map<int, std::vector<Restricted>> outgoing;
  for (std::size_t i = matrix.num_rows(); i < sums.size(); ++i) {
    const std::int32_t f = matrix.function(i);
    if (sums[i] != std::array<double, 6>{})
      outgoing[functions_.owners()[static_cast<std::size_t>(f)]].push_back({f, 0, sums[i]});
  }
  if (comm.size() > 1)
    for (const auto& [rank, list] : la::exchange_arrays(comm, outgoing))
      for (const Restricted& part : list)
        for (std::size_t v = 0; v < 6; ++v)
          sums[static_cast<std::size_t>(matrix.entry(part.function))][v] += part.sums[v];
  std::vector<Vec3> values(matrix.num_entries(), Vec3::Zero());
  for (std::size_t row = 0; row < matrix.num_rows(); ++row)
    for (std::size_t a = 0; a < 3; ++a)
      if (!is_held(assembly_->dependent(matrix.function(row)), static_cast<int>(a)))
        values[row][static_cast<int>(a)] = sums[row][a] + sums[row][a + 3];
  return values;
}

double ReducedSystem::norm_of(const core::Comm& comm, std::span<const Vec3> by_entry) const {
  return std::sqrt(FunctionSolver::dot(comm, assembly_->matrix(), by_entry, by_entry));
}

/// Components with prescribed motion stay.
void ReducedSystem::prolong(std::span<Vec3> coefficients, std::span<Vec3> by_slot) const {
  const FunctionMatrix& matrix = assembly_->matrix();
  matrix.update_others(coefficients);
  for (const std::int32_t slot : owned_) {
    const auto s = static_cast<std::size_t>(slot);
    Vec3 sum = Vec3::Zero();
    for (const Functions::Link& link : functions_.of(s))
      sum += link.weight * coefficients[static_cast<std::size_t>(matrix.entry(link.function))];
    for (int a = 0; a < 3; ++a)
      if (!is_held(held_[s], a)) by_slot[s][a] = sum[a];
  }
}

SolveReport ReducedSystem::solve(const dist::Mesh& mesh, std::span<const Vec3> right, const Target& target,
                                 double tolerance, std::span<Vec3> unknown) const {
  const core::Comm& comm = mesh.comm();
  const std::vector<Vec3> reduced = restricted(comm, right);
  std::vector<Vec3> coefficients(reduced.size(), Vec3::Zero());
  FunctionSolver solver(comm, assembly_->matrix(), functions_, FunctionSolver::Kind::step,
                        is_conditioned_ ? &at_rest_->coarse : nullptr);
  SolveReport report = solver.solve(reduced, std::max(target.floor, tolerance * norm_of(comm, reduced)), coefficients);
  if (report.converged) prolong(coefficients, unknown);
  return report;
}

double ReducedSystem::norm(const dist::Mesh& mesh, std::span<const Vec3> right) const {
  return norm_of(mesh.comm(), restricted(mesh.comm(), right));
}

void ReducedSystem::project(const dist::Mesh& mesh, std::span<Vec3> values) {
  const core::Comm& comm = mesh.comm();
  fill(mesh, mesh.motion.span(), {}, implicit_euler(0), {});
  std::vector<Vec3> weighted(values.size(), Vec3::Zero());
  for (const std::int32_t slot : owned_)
    weighted[static_cast<std::size_t>(slot)] = mesh.mass[LocalNode(slot)] * values[static_cast<std::size_t>(slot)];
  const std::vector<Vec3> reduced = restricted(comm, weighted);
  std::vector<Vec3> coefficients(reduced.size(), Vec3::Zero());
  FunctionSolver solver(comm, assembly_->matrix(), functions_, FunctionSolver::Kind::masses);
  const SolveReport report = solver.solve(reduced, kProjected * norm_of(comm, reduced), coefficients);
  if (!report.converged && !(report.residual <= kProjectedEnough))
    throw core::Error(fmt::format(
        "Velocities could not be carried over to the new functions of time.basis = \"hierarchical\": {} after {} "
        "iterations, residual {:.2g}. Take another time.basis_cell_m, or time.basis = \"nodal\".",
        report.reason, report.iterations, report.residual));
  prolong(coefficients, values);
}

}  // namespace brisance::dynamics
