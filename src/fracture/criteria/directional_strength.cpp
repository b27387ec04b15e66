#include "fracture/criteria/directional_strength.hpp"

#include "brisance/elements/corotated.hpp"

namespace brisance::fracture {

namespace {

/// 6 V F of an element: the edges as they are times the cofactors of the edges at rest, which a flat one has too.
Mat3 weighted_deformation(const dist::Mesh& mesh, LocalElement e) {
  const auto corners = mesh.corners(e);
  const Vec3 position(mesh.motion[corners[0]].position), &rest = mesh.rest[corners[0]];
  Mat3 now, before;
  for (int j = 1; j < 4; ++j) {
    const LocalNode corner = corners[static_cast<std::size_t>(j)];
    now.col(j - 1) = Vec3(mesh.motion[corner].position) - position;
    before.col(j - 1) = mesh.rest[corner] - rest;
  }
  Mat3 cofactor;
  for (int j = 0; j < 3; ++j) cofactor.col(j) = before.col((j + 1) % 3).cross(before.col((j + 2) % 3));
  return now * cofactor.transpose();
}

}  // namespace

double weakest_share(const material::Material& m) { return m.strength_ratio.minCoeff(); }

Mat3 strength_scale(const material::Material& m, const Mat3& rotation) {
  const Mat3 axes = rotation * material::axes_of(m.grain, m.second_axis);
  return axes * m.strength_ratio.cwiseSqrt().cwiseInverse().asDiagonal() * axes.transpose();
}

Mat3 rotation_of_star(const dist::Mesh& mesh, LocalNode n, std::size_t k) {
  Mat3 sum = Mat3::Zero();
  for (const std::int32_t e : mesh.star(n))
    if (mesh.material_of[LocalElement(e)] == k) sum += weighted_deformation(mesh, LocalElement(e));
  return elements::rotation_of(sum);
}

Mat3 rotation_of_element(const dist::Mesh& mesh, LocalElement e) {
  return elements::rotation_of(weighted_deformation(mesh, e));
}

}  // namespace brisance::fracture
