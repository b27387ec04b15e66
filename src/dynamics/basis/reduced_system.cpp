#include "brisance/dynamics/basis/reduced_system.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/rounded_sums.hpp"

#include "assembly.hpp"
#include "dynamics/lattice_parts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace brisance::dynamics {

namespace {

constexpr double kProjected = 1e-13;       ///< residual of projections [–]
constexpr double kProjectedEnough = 1e-9;  ///< that is accepted if rounding prevents the former [–]

double norm_of(std::span<const Vec3> values) {
  double sum = 0;
  for (const Vec3& v : values) sum += v.squaredNorm();
  return std::sqrt(sum);
}

}  // namespace

ReducedSystem::ReducedSystem(const dist::Mesh& mesh, const BasisGrid& grid, std::span<const ConstrainedAxes> held)
    : functions_(mesh, grid), held_(held.begin(), held.end()) {
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) owned_.push_back(i);
  assembly_ = std::make_unique<Assembly>(mesh, grid, functions_, held_);
}

ReducedSystem::~ReducedSystem() = default;

bool ReducedSystem::was_made_for(std::span<const ConstrainedAxes> held) const {
  return std::ranges::equal(held, held_);
}

double ReducedSystem::gathered_share() const { return assembly_->gathered_share(); }

void ReducedSystem::fill(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, const Parameters& parameters,
                         const StepEquation& equation, std::span<const NodeBlock> blocks) {
  assembly_->fill(mesh, motion, parameters, equation, blocks);
}

std::vector<Vec3> ReducedSystem::restricted(const core::Comm& comm, std::span<const Vec3> by_slot) const {
  double largest = 0;
  for (const std::int32_t slot : owned_) {
    const double here = by_slot[static_cast<std::size_t>(slot)].cwiseAbs().maxCoeff();
    largest = here <= largest ? largest : here;  // propagates NaN
  }
  if (std::isnan(largest)) largest = INFINITY;  // MPI's maximum does not propagate NaN
  largest = comm.max(largest);
  const auto count = static_cast<std::size_t>(functions_.count());
  const auto terms = static_cast<double>(functions_.num_nodes());
  const core::Quantum high(largest * terms), low(high.size() * terms);
  std::vector<double> sums(6 * count, 0);  // upper and lower parts
  for (const std::int32_t slot : owned_)
    for (const Functions::Link& link : functions_.of(static_cast<std::size_t>(slot)))
      for (int a = 0; a < 3; ++a) {
        if (is_held(held_[static_cast<std::size_t>(slot)], a)) continue;
        const double term = link.weight * by_slot[static_cast<std::size_t>(slot)][a], upper = high.rounded(term);
        double* const to = &sums[6 * static_cast<std::size_t>(link.function)];
        to[a] += upper;
        to[3 + a] += low.rounded(term - upper);
      }
  core::sum_rounded(comm, sums);
  std::vector<Vec3> values(count);
  for (std::size_t f = 0; f < count; ++f)
    for (int a = 0; a < 3; ++a) {
      const auto at = 6 * f + static_cast<std::size_t>(a);
      values[f][a] = sums[at] + sums[at + 3];
    }
  return values;
}

/// Components with prescribed motion stay.
void ReducedSystem::prolong(const dist::Mesh&, std::span<const Vec3> coefficients, std::span<Vec3> by_slot) const {
  for (const std::int32_t slot : owned_) {
    const auto s = static_cast<std::size_t>(slot);
    Vec3 sum = Vec3::Zero();
    for (const Functions::Link& link : functions_.of(s))
      sum += link.weight * coefficients[static_cast<std::size_t>(link.function)];
    for (int a = 0; a < 3; ++a)
      if (!is_held(held_[s], a)) by_slot[s][a] = sum[a];
  }
}

SolveReport ReducedSystem::solve(const dist::Mesh& mesh, std::span<const Vec3> right, const Target& target,
                                 double tolerance, std::span<Vec3> unknown) const {
  const std::vector<Vec3> reduced = restricted(mesh.comm(), right);
  std::vector<Vec3> coefficients(reduced.size());
  SolveReport report =
      assembly_->matrix().solve(reduced, std::max(target.floor, tolerance * norm_of(reduced)), coefficients);
  if (report.converged) prolong(mesh, coefficients, unknown);
  return report;
}

double ReducedSystem::norm(const dist::Mesh& mesh, std::span<const Vec3> right) const {
  return norm_of(restricted(mesh.comm(), right));
}

void ReducedSystem::project(const dist::Mesh& mesh, std::span<Vec3> values) {
  fill(mesh, mesh.motion.span(), {}, implicit_euler(0), {});
  std::vector<Vec3> weighted(values.size(), Vec3::Zero());
  for (const std::int32_t slot : owned_)
    weighted[static_cast<std::size_t>(slot)] = mesh.mass[LocalNode(slot)] * values[static_cast<std::size_t>(slot)];
  const std::vector<Vec3> reduced = restricted(mesh.comm(), weighted);
  std::vector<Vec3> coefficients(reduced.size());
  const SolveReport report = assembly_->matrix().solve(reduced, kProjected * norm_of(reduced), coefficients);
  if (!report.converged && !(report.residual <= kProjectedEnough))
    throw core::Error(fmt::format(
        "Velocities could not be carried over to the new functions of time.basis = \"hierarchical\": {} after {} "
        "iterations, residual {:.2g}. Take another time.basis_cell_m, or time.basis = \"nodal\".",
        report.reason, report.iterations, report.residual));
  prolong(mesh, coefficients, values);
}

}  // namespace brisance::dynamics
