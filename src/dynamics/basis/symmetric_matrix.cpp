#include "symmetric_matrix.hpp"

#include "dynamics/lattice_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::dynamics {

namespace {

constexpr int kMostIterations = 10000;
constexpr int kHalvingWindow = 1000;  ///< iterations in which the least residual has to halve

double dot(std::span<const Vec3> a, std::span<const Vec3> b) {
  double sum[3] = {};
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int k = 0; k < 3; ++k) sum[k] = std::fma(a[i][k], b[i][k], sum[k]);
  return sum[0] + sum[1] + sum[2];
}

/// y += A x of a block.
void add_product(const double* a, const Vec3& x, double* y) {
  for (int i = 0; i < 3; ++i) y[i] += a[3 * i] * x[0] + a[3 * i + 1] * x[1] + a[3 * i + 2] * x[2];
}

/// y −= A x, or y −= Aᵀ x.
void subtract_product(const double* a, const Vec3& x, double* y) {
  for (int i = 0; i < 3; ++i) y[i] -= a[3 * i] * x[0] + a[3 * i + 1] * x[1] + a[3 * i + 2] * x[2];
}
void subtract_transposed(const double* a, const Vec3& x, double* y) {
  for (int i = 0; i < 3; ++i) y[i] -= a[i] * x[0] + a[3 + i] * x[1] + a[6 + i] * x[2];
}
void add_transposed(const double* a, const Vec3& x, double* y) {
  for (int i = 0; i < 3; ++i) y[i] += a[i] * x[0] + a[3 + i] * x[1] + a[6 + i] * x[2];
}

}  // namespace

SymmetricMatrix::SymmetricMatrix(std::size_t num_rows, std::span<const std::uint64_t> pairs) {
  column_.reserve(pairs.size() + num_rows);
  std::size_t next = 0;
  for (std::size_t row = 0; row < num_rows; ++row) {
    for (; next < pairs.size() && pairs[next] >> 32 == row; ++next)
      if (const auto column = static_cast<std::int32_t>(pairs[next] & 0xffffffffU);
          column != static_cast<std::int32_t>(row))
        column_.push_back(column);
    column_.push_back(static_cast<std::int32_t>(row));
    first_.push_back(column_.size());
  }
  values_.assign(9 * column_.size(), 0);
}

void SymmetricMatrix::find(std::size_t row, std::span<const std::int32_t> columns,
                           std::span<std::int32_t> places) const {
  std::size_t k = first_[row];
  for (std::size_t i = 0; i < columns.size(); ++i) {
    while (column_[k] != columns[i]) ++k;
    places[i] = static_cast<std::int32_t>(k);
  }
}

void SymmetricMatrix::finish(std::size_t may_depend) {
  inverse_.resize(num_rows());
  added_.assign(num_rows(), Vec3::Zero());
  for (std::size_t row = 0; row < num_rows(); ++row) {
    Mat3 diagonal = Eigen::Map<const Mat3>(&values_[9 * (first_[row + 1] - 1)]);
    if (row < may_depend) added_[row] = kRegular * diagonal.diagonal().cwiseMax(0);
    diagonal.diagonal() += added_[row];
    inverse_[row] = inverse_of_block(diagonal.data());
  }
}

void SymmetricMatrix::multiply_regular(std::span<const Vec3> x, std::span<Vec3> y) const {
  multiply(x, y);
  for (std::size_t row = 0; row < num_rows(); ++row) y[row] += added_[row].cwiseProduct(x[row]);
}

void SymmetricMatrix::multiply(std::span<const Vec3> x, std::span<Vec3> y) const {
  for (std::size_t row = 0; row < num_rows(); ++row) {
    Vec3 sum = Vec3::Zero();
    const std::size_t diagonal = first_[row + 1] - 1;
    for (std::size_t k = first_[row]; k < diagonal; ++k) {
      const double* const a = &values_[9 * k];
      const auto column = static_cast<std::size_t>(column_[k]);
      add_product(a, x[column], sum.data());
      add_transposed(a, x[row], y[column].data());
    }
    add_product(&values_[9 * diagonal], x[row], sum.data());
    y[row] = sum;
  }
}

/// z = (D + Lᵀ)⁻¹ D (D + L)⁻¹ r.
void SymmetricMatrix::sweep(std::span<const Vec3> r, std::span<Vec3> z) const {
  for (std::size_t row = 0; row < num_rows(); ++row) {
    Vec3 left = r[row];
    for (std::size_t k = first_[row]; k + 1 < first_[row + 1]; ++k)
      subtract_product(&values_[9 * k], z[static_cast<std::size_t>(column_[k])], left.data());
    z[row] = inverse_[row] * left;
  }
  // Backwards, z of a row is final when those below have been subtracted: z ← z − D⁻¹ Lᵀ z.
  std::vector<Vec3> later(num_rows(), Vec3::Zero());
  for (std::size_t row = num_rows(); row-- > 0;) {
    z[row] += inverse_[row] * later[row];
    for (std::size_t k = first_[row]; k + 1 < first_[row + 1]; ++k)
      subtract_transposed(&values_[9 * k], z[row], later[static_cast<std::size_t>(column_[k])].data());
  }
}

/// @param r  the right-hand side; the residual at the end
SolveReport SymmetricMatrix::iterate(std::span<Vec3> r, double enough, std::span<Vec3> unknown) const {
  const std::size_t n = num_rows();
  std::vector<Vec3> z(n), p(n, Vec3::Zero()), product(n);
  std::ranges::fill(unknown, Vec3::Zero());
  SolveReport report;
  double left = std::sqrt(dot(r, r)), rho = 0, least = left, least_before = left;
  for (; left > enough && report.iterations < kMostIterations; ++report.iterations) {
    least = std::min(least, left);
    if (report.iterations > 0 && report.iterations % kHalvingWindow == 0) {
      if (least > 0.5 * least_before) break;
      least_before = least;
    }
    sweep(r, z);
    const double rho_before = rho;
    rho = dot(r, z);
    const double keep = report.iterations == 0 ? 0 : rho / rho_before;
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + keep * p[i];
    multiply_regular(p, product);
    const double curvature = dot(p, product);
    if (!(curvature > 0 && rho > 0)) break;
    const double length = rho / curvature;
    for (std::size_t i = 0; i < n; ++i) {
      unknown[i] += length * p[i];
      r[i] -= length * product[i];
    }
    left = std::sqrt(dot(r, r));
  }
  report.converged = left <= enough;
  report.residual = left;
  return report;
}

SolveReport SymmetricMatrix::solve(std::span<const Vec3> right, double enough, std::span<Vec3> unknown) const {
  const double norm = std::sqrt(dot(right, right));
  std::vector<Vec3> left(right.begin(), right.end());
  SolveReport report = iterate(left, enough, unknown);
  const bool is_regular = std::ranges::any_of(added_, [](const Vec3& added) { return !added.isZero(); });
  if (report.converged && report.iterations > 0 && is_regular) {
    for (std::size_t i = 0; i < left.size(); ++i) left[i] += added_[i].cwiseProduct(unknown[i]);
    std::vector<Vec3> rest(left.size());
    const SolveReport second = iterate(left, enough, rest);
    for (std::size_t i = 0; i < rest.size(); ++i) unknown[i] += rest[i];
    report.converged = second.converged;
    report.iterations += second.iterations;
    report.residual = second.residual;
  }
  report.preconditioner = "basis";
  report.residual = norm > 0 ? report.residual / norm : 0;
  report.reason = report.converged                  ? (report.iterations == 0 ? "nothing to solve" : "CONVERGED_RTOL")
                  : !std::isfinite(report.residual) ? "right-hand side not finite"
                  : report.iterations < kMostIterations ? "DIVERGED_STAGNATION"
                                                        : "DIVERGED_ITS";
  return report;
}

}  // namespace brisance::dynamics
