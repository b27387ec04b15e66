#include "brisance/dynamics/lattice_solver.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/rounded_sums.hpp"
#include "brisance/core/timer.hpp"

#include "lattice_preconditioner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace brisance::dynamics {

namespace {

using la::check;

constexpr const char* kPrefix = "dyn_";
constexpr int kWindow = 400;  ///< iterations in which the least residual has to halve
constexpr const char* kIndefinite = "DIVERGED_INDEFINITE_PC";

LatticeOptions options_given(double tolerance) {
  LatticeOptions options;
  options.tolerance = tolerance;
  PetscInt sweeps = options.sweeps, most = options.most_iterations;
  check(PetscOptionsGetReal(nullptr, kPrefix, "-pc_lattice_spacing", &options.spacing, nullptr), "PetscOptionsGetReal");
  check(PetscOptionsGetInt(nullptr, kPrefix, "-pc_lattice_sweeps", &sweeps, nullptr), "PetscOptionsGetInt");
  check(PetscOptionsGetInt(nullptr, kPrefix, "-ksp_max_it", &most, nullptr), "PetscOptionsGetInt");
  check(PetscOptionsGetReal(nullptr, kPrefix, "-ksp_rtol", &options.tolerance, nullptr), "PetscOptionsGetReal");
  options.sweeps = static_cast<int>(sweeps);
  options.most_iterations = static_cast<int>(most);
  return options;
}

LatticeOptions checked(const core::Comm& comm, const LatticeOptions& options) {
  core::agree(comm, [&] {
    if (options.sweeps < 1 || options.sweeps > 20)
      throw core::Error(fmt::format("-dyn_pc_lattice_sweeps {}: take 1 to 20; 2 is usual.", options.sweeps));
  });
  return options;
}

/// Tracks whether residuals still fall.
class Progress {
public:
  explicit Progress(double residual) : least_(residual), least_before_(residual) {}
  /// Did kWindow iterations not halve the least residual?
  [[nodiscard]] bool has_stopped(int iteration, double residual) {
    least_ = std::min(least_, residual);
    if (iteration == 0 || iteration % kWindow != 0) return false;
    if (least_ > 0.5 * least_before_) return true;
    least_before_ = least_;
    return false;
  }

private:
  double least_, least_before_;
};

}  // namespace

bool lattice_was_asked_for() {
  std::array<char, 64> type{};
  PetscBool given = PETSC_FALSE;
  check(PetscOptionsGetString(nullptr, kPrefix, "-pc_type", type.data(), type.size(), &given), "PetscOptionsGetString");
  return given == PETSC_TRUE && std::string_view(type.data()) == "lattice";
}

LatticeSolver::LatticeSolver(const dist::Mesh& mesh, const StepMatrix& matrix, double tolerance)
    : options_(checked(mesh.comm(), options_given(tolerance))), rows_(mesh, matrix), num_nodes_(matrix.num_nodes()) {
  const double start_s = core::wall_seconds();
  preconditioner_ = std::make_unique<LatticePreconditioner>(mesh, rows_, options_.spacing, options_.sweeps);
  set_up_seconds_ = core::wall_seconds() - start_s;
  for (auto* const vector : {&x_, &r_, &z_, &p_, &product_})
    vector->assign(static_cast<std::size_t>(mesh.num_node_slots()), Vec3::Zero());
}

LatticeSolver::~LatticeSolver() = default;

LatticeFacts LatticeSolver::facts() const {
  const auto levels = preconditioner_->lattice().levels();
  return {static_cast<int>(levels.size()), levels[0].num_points, preconditioner_->memory_bytes()};
}

double LatticeSolver::dot(const core::Comm& comm, std::span<const Vec3> a, std::span<const Vec3> b) const {
  return core::rounded_sum(comm, rows_.num_rows(), num_nodes_, [&](std::size_t i) {
    const std::size_t slot = rows_.slot(i);
    return a[slot][0] * b[slot][0] + a[slot][1] * b[slot][1] + a[slot][2] * b[slot][2];
  });
}

SolveReport LatticeSolver::iterate(const dist::Mesh& mesh, std::span<const Vec3> right, const Target& target,
                                   std::span<const Couplings> couplings) {
  const core::Comm& comm = mesh.comm();
  const auto for_each_row = [&](const auto& action) {
    for (std::size_t i = 0; i < rows_.num_rows(); ++i) action(rows_.slot(i));
  };
  SolveReport report;
  report.preconditioner = "lattice";
  for_each_row([&](std::size_t s) {
    x_[s].setZero();
    r_[s] = right[s];
  });
  const double norm = std::sqrt(dot(comm, r_, r_));
  const double enough = std::max(target.floor, options_.tolerance * norm);
  const double enough_when_slow = std::max(enough, target.when_slow * norm);
  Progress progress(norm);
  double left = norm, rho = 0;
  for (; left > enough && report.iterations < options_.most_iterations; ++report.iterations) {
    if (report.iterations >= kPatience && left <= enough_when_slow) break;
    if (progress.has_stopped(report.iterations, left)) break;
    preconditioner_->apply(mesh, r_, z_);
    const double rho_before = rho;
    rho = dot(comm, r_, z_);
    const double keep = report.iterations == 0 ? 0 : rho / rho_before;
    for_each_row([&](std::size_t s) { p_[s] = report.iterations == 0 ? z_[s] : Vec3(z_[s] + keep * p_[s]); });
    rows_.multiply(mesh, p_, product_);
    for (const Couplings& more : couplings) more.add_product(comm, Couplings::Part::off_diagonal, p_, product_);
    const double curvature = dot(comm, p_, product_);
    if (!(curvature > 0 && rho > 0)) {
      report.reason = std::isfinite(curvature) && std::isfinite(rho) ? kIndefinite : "DIVERGED_NANORINF";
      report.residual = left / norm;
      return report;
    }
    const double length = rho / curvature;
    for_each_row([&](std::size_t s) {
      x_[s] += length * p_[s];
      r_[s] -= length * product_[s];
    });
    left = std::sqrt(dot(comm, r_, r_));
  }
  report.converged = left <= enough_when_slow;
  report.residual = norm > 0 ? left / norm : 0;
  report.reason = report.converged       ? (report.iterations == 0 ? "nothing to solve" : "CONVERGED_RTOL")
                  : !std::isfinite(left) ? "right-hand side not finite"
                  : report.iterations < options_.most_iterations ? "DIVERGED_STAGNATION"
                                                                 : "DIVERGED_ITS";
  return report;
}

SolveReport LatticeSolver::solve(const dist::Mesh& mesh, const StepMatrix& matrix,
                                 std::span<const ConstrainedAxes> held, std::span<const Vec3> right,
                                 const Target& target, std::span<Vec3> unknown, std::span<const Couplings> couplings) {
  rows_.find_values(matrix);
  const double start_s = core::wall_seconds();
  preconditioner_->set_up(mesh, held);
  const double set_up_s = core::wall_seconds();
  set_up_seconds_ = set_up_s - start_s;
  SolveReport report = iterate(mesh, right, target, couplings);
  if (!report.converged && report.reason == kIndefinite) {
    preconditioner_->smooth_with_care();
    const int spent = report.iterations;
    report = iterate(mesh, right, target, couplings);
    report.iterations += spent;
  }
  solve_seconds_ = core::wall_seconds() - set_up_s;
  if (report.converged)
    for (std::size_t i = 0; i < rows_.num_rows(); ++i) unknown[rows_.slot(i)] = x_[rows_.slot(i)];
  return report;
}

}  // namespace brisance::dynamics
