#include "brisance/contact/overlap/node_penetration.hpp"

#include "brisance/core/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace brisance::contact {

namespace {

/// Relative rounding error: a determinant below this share of the sum of its terms' magnitudes may have the other sign
/// ([Shewchuk 97], rounded up).
constexpr double kUncertain = 1e-15;
/// A smaller share of the smaller tet may be rounding, and counts as nothing.
constexpr double kLeastDepthShare = 1e-14;

int sign_of(double x) { return x > 0 ? 1 : (x < 0 ? -1 : 0); }

/// Adds x y z, exactly.
void add_product(core::ExactSum& sum, double x, double y, double z) {
  const double xy = x * y, rest = std::fma(x, y, -xy);
  for (const double part : {xy, rest}) {
    const double whole = part * z;
    sum.add(whole);
    sum.add(std::fma(part, z, -whole));
  }
}

/// Adds the determinant of three columns, exactly.
void add_determinant(core::ExactSum& sum, const Vec3& a, const Vec3& b, const Vec3& c) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    add_product(sum, a[i], b[j], c[k]);
    add_product(sum, -a[i], b[k], c[j]);
  }
}

/// Sign of det(a − x, b − x, c − x); if that is zero, of its first derivative by x along the axes that is not zero.
int exact_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& x) {
  const auto subtract = [&](core::ExactSum& sum, const Vec3& at) {
    add_determinant(sum, -at, b, c);
    add_determinant(sum, a, -at, c);
    add_determinant(sum, a, b, -at);
  };
  core::ExactSum whole;
  add_determinant(whole, a, b, c);
  subtract(whole, x);
  if (const int sign = sign_of(whole.value()); sign != 0) return sign;
  for (int axis = 0; axis < 3; ++axis) {
    core::ExactSum change;
    subtract(change, Vec3::Unit(axis));
    if (const int sign = sign_of(change.value()); sign != 0) return sign;
  }
  return 0;  // a face without area
}

int side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& x) {
  const Vec3 p = a - x, q = b - x, r = c - x;
  const double determinant = p.dot(q.cross(r));
  const auto size = [&](int i, int j) { return std::abs(q[i] * r[j]) + std::abs(q[j] * r[i]); };
  const double bound =
      kUncertain * (std::abs(p[0]) * size(1, 2) + std::abs(p[1]) * size(2, 0) + std::abs(p[2]) * size(0, 1));
  if (std::abs(determinant) > bound) return sign_of(determinant);
  return exact_side(a, b, c, x);
}

}  // namespace

bool holds(const PlacedTet& tet, const Vec3& x) {
  const std::array<Vec3, 4>& c = tet.corner;
  return side(c[1], c[2], c[3], x) > 0 && side(c[0], c[2], c[3], x) < 0 && side(c[0], c[1], c[3], x) > 0 &&
         side(c[0], c[1], c[2], x) < 0;
}

namespace {

/// Divisor of a product of so many coordinates that makes it 1 where they are equal.
double scale(std::size_t num_corners) {
  return std::pow(static_cast<double>(num_corners), static_cast<double>(num_corners));
}

}  // namespace

// Slope along one coordinate at 0, the others being equal.
double middle_slope(std::size_t num_corners) {
  const auto others = static_cast<double>(num_corners - 1);
  return scale(num_corners) / std::pow(others, others);
}

Depth depth_at(const TetDepths& tet, const std::array<double, 4>& coordinates) {
  Depth found;
  for (std::size_t k = 0; k < 4; ++k) {
    found.gradient[k] = tet.depth[std::size_t{1} << k];
    found.depth += found.gradient[k] * coordinates[k];
  }
  for (std::size_t bits = 3; bits < 16; ++bits) {
    if (tet.depth[bits] == 0 || std::has_single_bit(bits)) continue;
    const double height = tet.depth[bits] * scale(static_cast<std::size_t>(std::popcount(bits)));
    const auto product_but = [&](std::size_t left_out) {
      double product = height;
      for (std::size_t k = 0; k < 4; ++k)
        if (k != left_out && (bits >> k & 1) != 0) product *= coordinates[k];
      return product;
    };
    found.depth += product_but(4);
    for (std::size_t k = 0; k < 4; ++k)
      if ((bits >> k & 1) != 0) found.gradient[k] += product_but(k);
  }
  return found;
}

TetOverlap nodes_inside(const PlacedTet& a, const TetDepths& of_a, const PlacedTet& b, const TetDepths& of_b) {
  TetOverlap found;
  Vec3 moment = Vec3::Zero();
  for (std::size_t n = 0; n < 4; ++n) {
    const Vec3& x = a.corner[n];
    if (!holds(b, x)) continue;
    const std::array<double, 4> lambda = b.coordinates(x);
    const Depth depth = depth_at(of_b, lambda);
    double give = 1;
    for (std::size_t j = 0; j < 4; ++j) give += of_a.node_mass[n] * lambda[j] / of_b.node_mass[j];
    const double share = 1 / std::sqrt(give), volume = of_a.area * depth.depth * share;
    if (!(volume > kLeastDepthShare * std::min(a.volume, b.volume))) continue;
    Vec3 gradient = Vec3::Zero();
    for (std::size_t j = 0; j < 4; ++j)
      gradient +=
          (of_a.area * share * depth.gradient[j] - 0.5 * volume / give * of_a.node_mass[n] / of_b.node_mass[j]) *
          b.gradient[j];
    found.volume += volume;
    moment += volume * (x - a.corner[0]);
    found.gradient[n] += gradient;
    for (std::size_t j = 0; j < 4; ++j) found.gradient[4 + j] -= lambda[j] * gradient;
  }
  if (found.volume > 0) found.centroid = a.corner[0] + moment / found.volume;
  return found;
}

}  // namespace brisance::contact
