#include "rigid_mesh_volume.hpp"

namespace brisance::contact {

VolumeIntegrals volume_integrals(std::span<const Vec3> vertices, std::span<const RigidMesh::Triangle> triangles) {
  VolumeIntegrals sum;
  for (const auto& t : triangles) {
    const Vec3& a = vertices[static_cast<std::size_t>(t[0])];
    const Vec3& b = vertices[static_cast<std::size_t>(t[1])];
    const Vec3& c = vertices[static_cast<std::size_t>(t[2])];
    const double six_volumes = a.cross(b).dot(c);
    const Vec3 s = a + b + c;
    sum.volume += six_volumes / 6;
    sum.first += six_volumes / 24 * s;
    sum.second += six_volumes / 120 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  return sum;
}

Inertia inertia_of(const Mat3& second) {
  constexpr double kVanishing = 1e-12;
  const Mat3 tensor = second.trace() * Mat3::Identity() - second;
  const Vec3 diagonal = tensor.diagonal();
  const Mat3 products = tensor - Mat3(diagonal.asDiagonal());
  if (products.cwiseAbs().maxCoeff() <= kVanishing * diagonal.maxCoeff()) return {diagonal, Mat3::Identity()};
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(tensor);
  Mat3 axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
  return {solver.eigenvalues(), axes};
}

}  // namespace brisance::contact
