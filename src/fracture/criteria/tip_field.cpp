#include "brisance/fracture/criteria/tip_field.hpp"

#include "brisance/core/types.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

namespace brisance::fracture {

namespace {

constexpr double kNothing = 1e-10;  ///< an eigenvalue below this share of the largest counts as zero

/// Rows: σ_xx, σ_yy, √2 σ_xy; columns: their parts from K_I, K_II and T.
Mat3 shapes(double x, double y, double r) {
  // Half angles by roots alone: cos(θ/2) = √((1 + x/r)/2), the sign of sin(θ/2) is that of y.
  const double c = std::sqrt(std::max(0.0, 0.5 * (1 + x / r)));
  const double s = std::copysign(std::sqrt(std::max(0.0, 0.5 * (1 - x / r))), y);
  const double c3 = c * (4 * c * c - 3), s3 = s * (3 - 4 * s * s);
  const double near = 1 / std::sqrt(2 * std::numbers::pi * r), root_two = std::numbers::sqrt2;
  Mat3 m;
  m << near * c * (1 - s * s3), -near * s * (2 + c * c3), 1,  //
      near * c * (1 + s * s3), near * s * c * c3, 0,          //
      root_two * near * s * c * c3, root_two * near * c * (1 - s * s3), 0;
  return m;
}

}  // namespace

TipField fit_tip_field(std::span<const TipSample> samples) {
  Mat3 normal = Mat3::Zero();
  Vec3 right = Vec3::Zero();
  double size = 0, total = 0;  // Σ weight r, Σ weight: their ratio is the unit of length
  for (const TipSample& s : samples) {
    size += s.weight * std::sqrt(s.x * s.x + s.y * s.y);
    total += s.weight;
  }
  if (!(size > 0) || !(total > 0)) return {};
  const double unit = size / total;
  for (const TipSample& s : samples) {
    const double x = s.x / unit, y = s.y / unit, r = std::sqrt(x * x + y * y);
    if (!(r > 1e-6)) continue;
    const Mat3 m = shapes(x, y, r);
    normal += s.weight * m.transpose() * m;
    right += s.weight * m.transpose() * Vec3(s.xx, s.yy, std::numbers::sqrt2 * s.xy);
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(normal);
  const Vec3& values = solver.eigenvalues();
  Vec3 fitted = Vec3::Zero();
  for (int k = 0; k < 3; ++k)
    if (values[k] > kNothing * values[2])
      fitted += solver.eigenvectors().col(k) * (solver.eigenvectors().col(k).dot(right) / values[k]);
  return {fitted[0] * std::sqrt(unit), fitted[1] * std::sqrt(unit), fitted[2]};
}

std::pair<double, double> hoop_direction(const TipField& field) {
  const double open = std::max(field.opening, 0.0), slide = field.sliding;
  const double below = open + std::sqrt(open * open + 8 * slide * slide);
  if (!(below > 0)) return {1, 0};
  const double half = -2 * slide / below;  // tan(θ/2)
  return {(1 - half * half) / (1 + half * half), 2 * half / (1 + half * half)};
}

}  // namespace brisance::fracture
