#include "function_solver.hpp"

#include "brisance/core/random.hpp"
#include "brisance/core/rounded_sums.hpp"

#include "dynamics/chebyshev.hpp"
#include "dynamics/lattice_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace brisance::dynamics {

namespace {

constexpr int kSweeps = 2;            ///< degree of smoothing
constexpr int kPowerSteps = 10;       ///< power iterations for the largest eigenvalue
constexpr double kMargin = 1.15;      ///< factor on the estimate
constexpr double kMoreMargin = 2;     ///< further factor where an estimate was too small
constexpr double kRegular = 1e-10;    ///< share of the diagonal that is added where a matrix is factorised [–]
constexpr double kMoreRegular = 100;  ///< factor on it where that is not enough
constexpr int kMostAttempts = 4;
constexpr int kMostOfSolve = 2000;   ///< iterations
constexpr int kMostOfKept = 100;     ///< the same with a coarse space of another matrix
constexpr int kHalvingWindow = 400;  ///< iterations in which the least residual has to halve
constexpr const char* kNotPositive = "DIVERGED_INDEFINITE_PC";

}  // namespace

/// The matrix of the rows beyond the direct solution, as smooth() (chebyshev.hpp) needs it.
class FunctionSolver::Rest {
public:
  explicit Rest(const FunctionSolver& all) : all_(all) {}
  [[nodiscard]] std::size_t size() const { return all_.matrix_.num_rows() - all_.matrix_.rest(); }
  [[nodiscard]] std::size_t at(std::size_t i) const { return all_.matrix_.rest() + i; }
  [[nodiscard]] const Mat3& inverse(std::size_t i) const { return all_.inverse_[at(i)]; }
  void multiply(std::span<Vec3> x, std::span<Vec3> y) const { all_.matrix_.multiply_rest(x, y); }

private:
  const FunctionSolver& all_;
};

double FunctionSolver::dot(const core::Comm& comm, const FunctionMatrix& matrix, std::span<const Vec3> a,
                           std::span<const Vec3> b) {
  return core::rounded_sum(comm, matrix.num_rows(), static_cast<std::int64_t>(matrix.num_functions()),
                           [&](std::size_t i) { return a[i][0] * b[i][0] + a[i][1] * b[i][1] + a[i][2] * b[i][2]; });
}

FunctionSolver::FunctionSolver(const core::Comm& comm, const FunctionMatrix& matrix, const Functions& functions,
                               Kind kind, const CoarseSpace* kept)
    : comm_(comm),
      matrix_(matrix),
      functions_(functions),
      kind_(kind),
      has_rest_(functions.num_direct() < functions.count()),
      regular_(kRegular),
      coarse_(kept) {
  inverse_.reserve(matrix.num_rows());
  for (std::size_t row = 0; row < matrix.num_rows(); ++row)
    inverse_.push_back(inverse_of_block(matrix.block(matrix.diagonal(row))));
  for (auto* const vector : {&x_, &r_, &step_, &product_}) vector->assign(matrix.num_entries(), Vec3::Zero());
  if (kept == nullptr) make_coarse_space();
  if (kind == Kind::step && has_rest_) estimate();
}

CoarseSpace FunctionSolver::coarse_space(const core::Comm& comm, const FunctionMatrix& matrix,
                                         const Functions& functions) {
  return {comm, matrix, functions, true, kRegular};
}

void FunctionSolver::make_coarse_space() {
  made_ = std::make_unique<CoarseSpace>(comm_, matrix_, functions_, kind_ == Kind::step, regular_);
  coarse_ = made_.get();
}

/// Power iterations from values of about the same energy everywhere; the last Rayleigh quotient.
void FunctionSolver::estimate() {
  const std::size_t begin = matrix_.rest(), end = matrix_.num_rows();
  std::ranges::fill(x_, Vec3::Zero());
  for (std::size_t i = begin; i < end; ++i) {
    const auto id = static_cast<std::uint64_t>(matrix_.function(i));
    for (int axis = 0; axis < 3; ++axis)
      x_[i][axis] = core::hash_uniform(0x1A78, id, static_cast<std::uint64_t>(axis)) - 0.5;
    x_[i] *= std::sqrt(std::max(0.0, inverse_[i].trace()));
  }
  const auto sum = [&](const auto& term) {
    return core::rounded_sum(comm_, end - begin, functions_.count() - functions_.num_direct(),
                             [&](std::size_t i) { return term(begin + i); });
  };
  double above = 0, below = 0;
  for (int power = 0; power < kPowerSteps; ++power) {
    matrix_.multiply_rest(x_, product_);
    for (std::size_t i = begin; i < end; ++i) step_[i] = inverse_[i] * product_[i];
    if (power + 1 == kPowerSteps) {
      below = sum([&](std::size_t i) { return x_[i].dot(product_[i]); });
      above = sum([&](std::size_t i) { return product_[i].dot(step_[i]); });
    }
    std::copy(step_.begin() + static_cast<std::ptrdiff_t>(begin), step_.begin() + static_cast<std::ptrdiff_t>(end),
              x_.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  upper_ = below > 0 ? kMargin * above / below : 1;
}

void FunctionSolver::precondition(std::span<const Vec3> r, std::span<Vec3> z) {
  const std::size_t rest = matrix_.rest();
  if (kind_ == Kind::masses || !has_rest_) {
    for (std::size_t i = rest; i < r.size(); ++i) z[i] = inverse_[i] * r[i];
    coarse_->correct(r, z);
    return;
  }
  const Rest space(*this);
  const SmoothingScratch scratch{step_, product_};
  std::fill_n(x_.begin(), z.size(), Vec3::Zero());
  std::ranges::copy(r, r_.begin());
  smooth(space, kSweeps, upper_, x_, r_, scratch, false);
  matrix_.multiply(x_, product_);
  for (std::size_t i = 0; i < r.size(); ++i) r_[i] = r[i] - product_[i];
  coarse_->correct(r_, step_);
  matrix_.multiply(step_, product_, rest);
  for (std::size_t i = 0; i < r.size(); ++i) x_[i] += step_[i];
  for (std::size_t i = rest; i < r.size(); ++i) r_[i] -= product_[i];
  smooth(space, kSweeps, upper_, x_, r_, scratch, false);
  std::copy_n(x_.begin(), z.size(), z.begin());
}

SolveReport FunctionSolver::iterate(std::span<const Vec3> right, double enough, std::span<Vec3> unknown) {
  const std::size_t n = matrix_.num_rows();
  std::vector<Vec3> r(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(n)), z(n),
      p(matrix_.num_entries(), Vec3::Zero()), product(n);
  std::fill_n(unknown.begin(), n, Vec3::Zero());
  const auto product_of = [&](std::span<const Vec3> a, std::span<const Vec3> b) { return dot(comm_, matrix_, a, b); };
  SolveReport report;
  report.preconditioner = "basis";
  const double norm = std::sqrt(product_of(r, r));
  double left = norm, rho = 0, least = left, least_before = left;
  const int most = made_ ? kMostOfSolve : kMostOfKept;
  for (; left > enough && report.iterations < most; ++report.iterations) {
    least = std::min(least, left);
    if (report.iterations > 0 && report.iterations % kHalvingWindow == 0) {
      if (least > 0.5 * least_before) break;
      least_before = least;
    }
    precondition(r, z);
    const double rho_before = rho;
    rho = product_of(r, z);
    const double keep = report.iterations == 0 ? 0 : rho / rho_before;
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + keep * p[i];
    matrix_.multiply(p, product);
    const double curvature = product_of(p, product);
    if (!(curvature > 0 && rho > 0)) {
      report.reason = std::isfinite(curvature) && std::isfinite(rho) ? kNotPositive : "DIVERGED_NANORINF";
      break;
    }
    const double length = rho / curvature;
    for (std::size_t i = 0; i < n; ++i) {
      unknown[i] += length * p[i];
      r[i] -= length * product[i];
    }
    left = std::sqrt(product_of(r, r));
  }
  report.converged = left <= enough;
  report.residual = norm > 0 ? left / norm : 0;
  if (report.converged)
    report.reason = report.iterations == 0 ? "nothing to solve" : "CONVERGED_RTOL";
  else if (report.reason.empty())
    report.reason = !std::isfinite(left)       ? "right-hand side not finite"
                    : report.iterations < most ? "DIVERGED_STAGNATION"
                                               : "DIVERGED_ITS";
  return report;
}

SolveReport FunctionSolver::solve(std::span<const Vec3> right, double enough, std::span<Vec3> unknown) {
  SolveReport report = iterate(right, enough, unknown);
  const auto again = [&] {
    make_coarse_space();
    const int spent = report.iterations;
    report = iterate(right, enough, unknown);
    report.iterations += spent;
  };
  if (!made_ && !report.converged) again();
  for (int attempt = 1; attempt < kMostAttempts && report.reason == kNotPositive; ++attempt) {
    upper_ *= kMoreMargin;
    regular_ *= kMoreRegular;
    again();
  }
  return report;
}

}  // namespace brisance::dynamics
