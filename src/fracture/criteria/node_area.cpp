#include "brisance/fracture/criteria/node_area.hpp"

#include "brisance/fracture/fields.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace brisance::fracture {

namespace {

/// The corners of the element's face opposite the node, counter-clockwise as seen from outside.
std::array<LocalNode, 3> opposite_face(const dist::Mesh& mesh, LocalElement e, LocalNode n) {
  const auto corners = mesh.corners(e);
  const auto& f = mesh::kFaceCorners[std::find(corners.begin(), corners.end(), n) - corners.begin()];
  return {mesh.corner(e, f[0]), mesh.corner(e, f[1]), mesh.corner(e, f[2])};
}

/// (b − a) × (c − a) of that face at rest.
Vec3 doubled_area_at_rest(const dist::Mesh& mesh, LocalElement e, LocalNode n) {
  const auto face = opposite_face(mesh, e, n);
  const Vec3 &a = mesh.rest[face[0]], &b = mesh.rest[face[1]], &c = mesh.rest[face[2]];
  return (b - a).cross(c - a);
}

}  // namespace

double projected_area(const dist::Mesh& mesh, LocalNode n, const Vec3& normal) {
  double sum = 0;
  const auto& shares = mesh.field(dist::kMaterialShare);
  for (std::int32_t slot : mesh.star(n)) {
    const auto face = opposite_face(mesh, LocalElement(slot), n);
    const Vec3 a(mesh.motion[face[0]].position), b(mesh.motion[face[1]].position), c(mesh.motion[face[2]].position);
    sum += shares[LocalElement(slot)] * std::abs((b - a).cross(c - a).dot(normal));
  }
  return sum / 12;
}

double least_projected_area(const dist::Mesh& mesh, LocalNode n) {
  Mat3 sum = Mat3::Zero();
  const auto& shares = mesh.field(dist::kMaterialShare);
  for (std::int32_t slot : mesh.star(n)) {
    // of a filled tet V ∇b = −a_f/3, so ½ V ∇b ∇bᵀ/|∇b| = a_f a_fᵀ/(6 |a_f|)
    const Vec3 doubled_area = doubled_area_at_rest(mesh, LocalElement(slot), n);
    sum += shares[LocalElement(slot)] * doubled_area * doubled_area.transpose() / (12 * doubled_area.norm());
  }
  return std::max(0.0, Eigen::SelfAdjointEigenSolver<Mat3>(sum, Eigen::EigenvaluesOnly).eigenvalues()[0]);
}

/// A_n(n) = (1/6) Σ |a_f·n| over the faces opposite the node; the mean of |a·n| over directions is |a|/2.
void note_uncut_areas(dist::Mesh& mesh) {
  auto& area = mesh.field(kUncutArea);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    area[n] = 0;
    for (const std::int32_t slot : mesh.star(n))
      area[n] += 0.5 * doubled_area_at_rest(mesh, LocalElement(slot), n).norm() / 12;
  }
  mesh.update_ghost_fields();
}

}  // namespace brisance::fracture
