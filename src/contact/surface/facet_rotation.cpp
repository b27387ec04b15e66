#include "facet_rotation.hpp"

#include <cstddef>

#include <Eigen/LU>

namespace brisance::contact {

namespace {

constexpr double kFlat = 1e-9;  ///< of (tr J)³: determinant above which J can be inverted directly

/// J⁻¹ times a vector, J being the inertia of three corners of unit mass about their centre.
Vec3 turn_by(const FacetCorners& x, const Vec3& centre, const Vec3& moment) {
  Mat3 inertia = Mat3::Zero();
  for (const Vec3& corner : x) {
    const Vec3 r = corner - centre;
    inertia += r.squaredNorm() * Mat3::Identity() - r * r.transpose();
  }
  const double size = inertia.trace();
  if (inertia.determinant() > kFlat * size * size * size) return inertia.inverse() * moment;
  return inertia.fullPivLu().solve(moment);  // corners in a line have no inertia about it
}

Vec3 centre_of(const FacetCorners& x) { return (x[0] + x[1] + x[2]) / 3; }

}  // namespace

std::array<Vec3, 3> couple(const FacetCorners& x, const Vec3& moment) {
  const Vec3 centre = centre_of(x), turn = turn_by(x, centre, moment);
  return {turn.cross(x[0] - centre), turn.cross(x[1] - centre), turn.cross(x[2] - centre)};
}

Vec3 spin_of(const FacetCorners& x, const std::array<Vec3, 3>& velocity) {
  const Vec3 centre = centre_of(x);
  Vec3 momentum = Vec3::Zero();
  for (std::size_t k = 0; k < 3; ++k) momentum += (x[k] - centre).cross(velocity[k]);
  return turn_by(x, centre, momentum);
}

}  // namespace brisance::contact
