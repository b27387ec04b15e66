#include "function_multigrid.hpp"

#include "brisance/core/random.hpp"
#include "brisance/core/rounded_sums.hpp"

#include "dynamics/chebyshev.hpp"
#include "dynamics/lattice_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace brisance::dynamics {

namespace {

constexpr int kSweeps = 2;                         ///< degree of smoothing
constexpr int kSweepsOfCoarsest = 12;              ///< where the coarsest lattice is too large to be solved directly
constexpr std::int32_t kSolvedDirectly = 128;      ///< largest number of functions that are
constexpr std::int32_t kMostFactorised = 1 << 13;  ///< largest number with a ScalarFactor
constexpr double kLeastOfPivots = 1e-11;  ///< smaller ones, over the largest diagonal entry, are dependent rows [–]
constexpr int kPowersOfLevel = 10;        ///< power iterations for the largest eigenvalue
constexpr double kMargin = 1.15;          ///< factor on the estimate
constexpr double kMoreMargin = 2;         ///< further factor where an estimate was too small
constexpr double kRegular = 1e-10;        ///< share of the diagonal that is added to matrices of masses [–]
/// The same to other matrices, in rows of lattice functions; where that is not enough, and how often it grows [–].
constexpr double kRegularOfSteps = 1e-11, kMoreRegular = 100;
constexpr int kMostAttempts = 3, kMostCorrections = 6;
constexpr int kMostOfSolve = 2000;   ///< iterations
constexpr int kHalvingWindow = 400;  ///< iterations in which the least residual has to halve
constexpr const char* kNotPositive = "DIVERGED_INDEFINITE_PC";

}  // namespace

/// The matrix of a level and those before it, as smooth() (chebyshev.hpp) needs it.
class FunctionMultigrid::Space {
public:
  Space(const FunctionMultigrid& all, std::size_t level) : all_(all), level_(level) {}
  [[nodiscard]] std::size_t size() const { return all_.matrix_.num_rows(level_); }
  [[nodiscard]] static std::size_t at(std::size_t i) { return i; }
  void precondition(std::span<const Vec3> r, std::span<Vec3> z) const {
    if (const auto& factor = all_.factor_[level_]; factor) return factor->solve(r, z);
    for (std::size_t i = 0; i < size(); ++i) z[i] = all_.inverse_[i] * r[i];
  }
  void multiply(std::span<Vec3> x, std::span<Vec3> y) const { all_.matrix_.multiply(level_, x, y); }

private:
  const FunctionMultigrid& all_;
  std::size_t level_;
};

double FunctionMultigrid::dot(const core::Comm& comm, const FunctionMatrix& matrix, std::span<const Vec3> a,
                              std::span<const Vec3> b) {
  return core::rounded_sum(comm, matrix.num_rows(), matrix.num_functions(matrix.num_levels() - 1),
                           [&](std::size_t i) { return a[i][0] * b[i][0] + a[i][1] * b[i][1] + a[i][2] * b[i][2]; });
}

FunctionMultigrid::FunctionMultigrid(const core::Comm& comm, const FunctionMatrix& matrix, std::int32_t num_lattice,
                                     Kind kind)
    : comm_(comm),
      matrix_(matrix),
      num_lattice_(num_lattice),
      kind_(kind),
      regular_(kind == Kind::masses ? kRegular : kRegularOfSteps) {
  inverse_.reserve(matrix.num_rows());
  for (std::size_t row = 0; row < matrix.num_rows(); ++row)
    inverse_.push_back(inverse_of_block(matrix.block(matrix.diagonal(row))));
  factor_.resize(matrix.num_levels());
  for (std::size_t level = 0; level < matrix.num_levels(); ++level) {
    const std::int32_t functions = matrix.num_functions(level);
    const bool is_last = level + 1 == matrix.num_levels() || matrix.num_functions(level + 1) > num_lattice;
    if (functions <= std::min(num_lattice, kMostFactorised) && (is_last || kind == Kind::cycle))
      factor_[level] = std::make_unique<ScalarFactor>(comm, matrix, level);
  }
  if (kind == Kind::masses) return;
  for (auto* const vector : {&step_, &product_}) vector->assign(matrix.num_entries(), Vec3::Zero());
  upper_.resize(matrix.num_levels());
  of_level_.resize(matrix.num_levels());
  for (std::size_t level = 0; level < matrix.num_levels(); ++level) {
    of_level_[level].x.assign(matrix.num_entries(), Vec3::Zero());
    of_level_[level].r.assign(matrix.num_entries(), Vec3::Zero());
    estimate(level);
  }
  if (matrix.num_functions(0) <= kSolvedDirectly) factorise();
}

/// Power iterations from values of about the same energy everywhere; the last Rayleigh quotient.
void FunctionMultigrid::estimate(std::size_t level) {
  const Space space(*this, level);
  std::vector<Vec3> x(matrix_.num_entries(), Vec3::Zero());
  for (std::size_t i = 0; i < space.size(); ++i) {
    const auto id = static_cast<std::uint64_t>(matrix_.function(i));
    for (int axis = 0; axis < 3; ++axis)
      x[i][axis] = core::hash_uniform(0x1A78, id, static_cast<std::uint64_t>(axis)) - 0.5;
    x[i] *= std::sqrt(std::max(0.0, inverse_[i].trace()));
  }
  const auto sum = [&](const auto& term) {
    return core::rounded_sum(comm_, space.size(), matrix_.num_functions(level), term);
  };
  double above = 0, below = 0;
  for (int power = 0; power < kPowersOfLevel; ++power) {
    space.multiply(x, product_);
    space.precondition(product_, step_);
    if (power + 1 == kPowersOfLevel) {
      below = sum([&](std::size_t i) { return x[i].dot(product_[i]); });
      above = sum([&](std::size_t i) { return product_[i].dot(step_[i]); });
    }
    std::copy_n(step_.begin(), space.size(), x.begin());
  }
  upper_[level] = below > 0 ? kMargin * above / below : 1;
}

/// The coarsest lattice's matrix is dense and small, and every rank has it. Collective.
void FunctionMultigrid::factorise() {
  struct Entry {
    std::int32_t row, column;
    std::array<double, 9> block;
  };
  std::vector<Entry> entries;
  for (std::size_t row = 0; row < matrix_.num_rows(0); ++row)
    for (std::size_t k = matrix_.first(row); k < matrix_.end(0, row); ++k) {
      Entry& entry = entries.emplace_back(Entry{matrix_.function(row), matrix_.function(matrix_.column(k)), {}});
      std::copy_n(matrix_.block(k), 9, entry.block.begin());
    }
  const Eigen::Index size = 3L * matrix_.num_functions(0);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
  using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  for (const Entry& entry : comm_.all_gather(std::span<const Entry>(entries)))
    dense.block<3, 3>(3L * entry.row, 3L * entry.column) = Eigen::Map<const Block>(entry.block.data());
  coarsest_.emplace(std::move(dense), kLeastOfPivots);
}

void FunctionMultigrid::solve_coarsest(std::span<const Vec3> r, std::span<Vec3> x) const {
  struct Entry {
    std::int64_t function;
    std::array<double, 3> value;
  };
  std::vector<Entry> entries;
  for (std::size_t row = 0; row < matrix_.num_rows(0); ++row)
    entries.push_back({matrix_.function(row), {r[row][0], r[row][1], r[row][2]}});
  Eigen::VectorXd whole = Eigen::VectorXd::Zero(3L * matrix_.num_functions(0));
  if (comm_.size() > 1) entries = comm_.all_gather(std::span<const Entry>(entries));
  for (const Entry& entry : entries)
    for (int axis = 0; axis < 3; ++axis) whole[3 * entry.function + axis] = entry.value[static_cast<std::size_t>(axis)];
  Eigen::VectorXd solved(whole.size());
  coarsest_->solve(whole, solved);
  for (std::size_t row = 0; row < matrix_.num_rows(0); ++row) x[row] = solved.segment<3>(3L * matrix_.function(row));
}

/// x ≈ A⁻¹ r of a level; r is lost.
void FunctionMultigrid::cycle(std::size_t level) {
  std::vector<Vec3>&x = of_level_[level].x, &r = of_level_[level].r;
  const Space space(*this, level);
  const SmoothingScratch scratch{step_, product_};
  std::fill_n(x.begin(), space.size(), Vec3::Zero());
  if (level == 0) {
    if (coarsest_)
      solve_coarsest(r, x);
    else
      smooth(space, kSweepsOfCoarsest, upper_[0], x, r, scratch, false);
    return;
  }
  smooth(space, kSweeps, upper_[level], x, r, scratch, true);
  Vectors& coarser = of_level_[level - 1];
  const std::size_t shared = matrix_.num_rows(level - 1);
  std::copy_n(r.begin(), shared, coarser.r.begin());
  cycle(level - 1);
  std::copy_n(coarser.x.begin(), shared, step_.begin());
  std::fill(step_.begin() + static_cast<std::ptrdiff_t>(shared),
            step_.begin() + static_cast<std::ptrdiff_t>(space.size()), Vec3::Zero());
  space.multiply(step_, product_);
  for (std::size_t i = 0; i < space.size(); ++i) {
    x[i] += step_[i];
    r[i] -= product_[i];
  }
  smooth(space, kSweeps, upper_[level], x, r, scratch, false);
}

void FunctionMultigrid::precondition(std::span<const Vec3> r, std::span<Vec3> z) {
  if (kind_ == Kind::masses) {
    for (std::size_t i = 0; i < r.size(); ++i) z[i] = inverse_[i] * r[i];
    for (const auto& factor : factor_)
      if (factor) factor->solve(r, z);
    return;
  }
  std::ranges::copy(r, of_level_.back().r.begin());
  cycle(of_level_.size() - 1);
  std::copy_n(of_level_.back().x.begin(), z.size(), z.begin());
}

/// Where functions depend on each other a matrix is singular, up to rounding: y += share diag(A) x.
void FunctionMultigrid::add_regular(std::span<const Vec3> x, std::span<Vec3> y) const {
  for (std::size_t row = 0; row < matrix_.num_rows(); ++row) {
    if (kind_ == Kind::cycle && matrix_.function(row) >= num_lattice_) return;  // own rows ascend
    const double* const block = matrix_.block(matrix_.diagonal(row));
    for (int a = 0; a < 3; ++a) y[row][a] += regular_ * block[4 * a] * x[row][a];
  }
}

SolveReport FunctionMultigrid::iterate(std::span<const Vec3> right, double enough, std::span<Vec3> unknown) {
  const std::size_t top = matrix_.num_levels() - 1, n = matrix_.num_rows();
  std::vector<Vec3> r(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(n)), z(n),
      p(matrix_.num_entries(), Vec3::Zero()), product(n);
  std::fill_n(unknown.begin(), n, Vec3::Zero());
  const auto product_of = [&](std::span<const Vec3> a, std::span<const Vec3> b) { return dot(comm_, matrix_, a, b); };
  SolveReport report;
  report.preconditioner = "basis";
  const double norm = std::sqrt(product_of(r, r));
  double left = norm, rho = 0, least = left, least_before = left;
  for (; left > enough && report.iterations < kMostOfSolve; ++report.iterations) {
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
    matrix_.multiply(top, p, product);
    add_regular(p, product);
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
    report.reason = !std::isfinite(left)               ? "right-hand side not finite"
                    : report.iterations < kMostOfSolve ? "DIVERGED_STAGNATION"
                                                       : "DIVERGED_ITS";
  return report;
}

/// Further solutions remove the error of what is added to the matrix, which is the residual of the last one.
SolveReport FunctionMultigrid::corrected(std::span<const Vec3> right, double enough, std::span<Vec3> unknown) {
  SolveReport report = iterate(right, enough, unknown);
  if (kind_ == Kind::cycle && num_lattice_ == 0) return report;
  std::vector<Vec3> rest(unknown.begin(), unknown.end());
  bool is_exact = report.iterations == 0;
  for (int k = 0; k < kMostCorrections && report.converged && !is_exact; ++k) {
    std::vector<Vec3> added(matrix_.num_rows(), Vec3::Zero());
    add_regular(rest, added);
    const SolveReport next = iterate(added, enough, rest);
    for (std::size_t i = 0; i < added.size(); ++i) unknown[i] += rest[i];
    report.iterations += next.iterations;
    report.converged = next.converged;
    if (!next.converged) report.reason = next.reason;
    is_exact = next.iterations == 0 || kind_ == Kind::masses;
  }
  if (report.converged && !is_exact) {
    report.converged = false;
    report.reason = "DIVERGED_STAGNATION";
  }
  return report;
}

SolveReport FunctionMultigrid::solve(std::span<const Vec3> right, double enough, std::span<Vec3> unknown) {
  SolveReport report = corrected(right, enough, unknown);
  for (int attempt = 1; attempt < kMostAttempts && report.reason == kNotPositive; ++attempt) {
    for (double& upper : upper_) upper *= kMoreMargin;
    regular_ *= kMoreRegular;
    const int spent = report.iterations;
    report = corrected(right, enough, unknown);
    report.iterations += spent;
  }
  return report;
}

}  // namespace brisance::dynamics
