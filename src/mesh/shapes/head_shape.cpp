#include "mesh/shapes/head_shape.hpp"

#include "mesh/shapes/level_surface.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::mesh {
namespace {

constexpr double kSpacing = 0.4;                                ///< grid spacing over the wanted edge
constexpr double kFinestGrid = 1.0 / 160;                       ///< grid spacing over the height
const Vec3 kLow(-0.36, -0.46, -0.54), kHigh(0.36, 0.42, 0.54);  ///< box around a head of height 1

/// Approximate distance from an ellipsoid: exact on its surface, and of the right sign everywhere.
double ellipsoid(const Vec3& x, const Vec3& centre, const Vec3& radii) {
  const Vec3 scaled = (x - centre).cwiseQuotient(radii), twice = scaled.cwiseQuotient(radii);
  const double length = scaled.norm(), slope = twice.norm();
  return slope > 0 ? length * (length - 1) / slope : -radii.minCoeff();
}

/// Distance from a rod with round ends and linearly varying radius.
double capsule(const Vec3& x, const Vec3& a, const Vec3& b, double radius_a, double radius_b) {
  const Vec3 along = b - a;
  const double t = std::clamp((x - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (x - a - t * along).norm() - (radius_a + t * (radius_b - radius_a));
}

/// The smaller of two distances, with a fillet of about the width k where they are similar.
double join(double a, double b, double k) {
  const double h = std::max(k - std::abs(a - b), 0.0) / k;
  return std::min(a, b) - 0.25 * h * h * k;
}

/// a without b, with a rounded edge.
double carve(double a, double b, double k) { return -join(-a, b, k); }

/// A head of height 1 around the origin, facing −y; x is mirrored, so that both halves are alike.
double head(const Vec3& at) {
  const Vec3 x(std::abs(at.x()), at.y(), at.z());
  double d = ellipsoid(x, {0, 0.04, 0.19}, {0.245, 0.31, 0.29});                           // skull
  d = join(d, ellipsoid(x, {0, -0.09, 0.0}, {0.19, 0.20, 0.24}), 0.12);                    // face
  d = join(d, capsule(x, {0.13, -0.02, -0.09}, {0.0, -0.225, -0.19}, 0.07, 0.06), 0.08);   // jaw and chin
  d = join(d, ellipsoid(x, {0.125, -0.19, 0.03}, {0.055, 0.06, 0.05}), 0.08);              // cheekbone
  d = join(d, capsule(x, {0.03, -0.27, 0.185}, {0.12, -0.225, 0.18}, 0.025, 0.02), 0.06);  // brow
  d = carve(d, ellipsoid(x, {0.095, -0.30, 0.115}, {0.058, 0.055, 0.042}), 0.04);          // eye socket
  d = join(d, ellipsoid(x, {0.09, -0.225, 0.11}, {0.045, 0.04, 0.038}), 0.012);            // eye
  d = join(d, capsule(x, {0, -0.275, 0.15}, {0, -0.355, 0.0}, 0.02, 0.032), 0.04);         // bridge and tip of the nose
  d = join(d, ellipsoid(x, {0.035, -0.315, -0.01}, {0.025, 0.03, 0.022}), 0.03);           // side of the nose
  d = join(d, capsule(x, {0, -0.285, -0.075}, {0.05, -0.262, -0.085}, 0.022, 0.012), 0.03);    // above the mouth
  d = join(d, capsule(x, {0, -0.282, -0.115}, {0.045, -0.262, -0.105}, 0.022, 0.012), 0.03);   // below the mouth
  d = carve(d, capsule(x, {0, -0.315, -0.095}, {0.055, -0.28, -0.095}, 0.009, 0.007), 0.012);  // mouth
  double ear = ellipsoid(x, {0.255, 0.03, 0.07}, {0.03, 0.055, 0.085});
  ear = carve(ear, ellipsoid(x, {0.29, 0.015, 0.075}, {0.025, 0.03, 0.05}), 0.02);
  d = join(d, ear, 0.04);
  d = join(d, capsule(x, {0, 0.06, -0.05}, {0, 0.09, -0.6}, 0.135, 0.15), 0.10);  // neck
  return carve(d, at.z() + 0.5, 0.02);                                            // cut off
}

}  // namespace

Surface head_surface(const Request& request, double edge_length_m) {
  const double spacing = std::max(kSpacing * edge_length_m / request.length_m, kFinestGrid);
  Surface surface = level_surface(head, kLow, kHigh, spacing);
  for (Vec3& x : surface.vertices) x *= request.length_m;
  return surface;
}

}  // namespace brisance::mesh
