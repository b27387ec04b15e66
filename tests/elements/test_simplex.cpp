// Shape functions and stiffness of one cell against the derivatives that define them.
#include "brisance/elements/simplex.hpp"

#include <gtest/gtest.h>

namespace brisance::elements {
namespace {

TEST(ElasticStiffness, IsTheSecondDerivativeOfTheEnergy) {
  const std::array<Vec3, 4> corners{Vec3(0, 0, 0), Vec3(1, 0.1, 0), Vec3(0.2, 1.1, 0.1), Vec3(0.1, 0.3, 0.9)};
  Eigen::Matrix3d gradient;  // of u = gradient · x
  gradient << 0.3, -0.2, 0.5, 0.1, 0.7, -0.4, 0.2, 0.6, -0.1;
  std::array<Vec3, 4> u;
  for (int k = 0; k < 4; ++k) u[k] = gradient * corners[k];
  const Eigen::Matrix3d strain = (gradient + gradient.transpose()) / 2;
  const double lambda = 1.3, mu = 0.8;
  const double density = lambda * strain.trace() * strain.trace() / 2 + mu * strain.squaredNorm();
  const Simplex<3> shape = tetrahedron(corners);
  const auto stiffness = elastic_stiffness(shape, lambda, mu);
  double energy = 0;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) energy += u[i / 3][i % 3] * stiffness(i, j) * u[j / 3][j % 3] / 2;
  EXPECT_NEAR(energy, density * shape.volume, 1e-14);
}

TEST(Simplex, GradientsReproduceLinearFieldsInTheirDimensions) {
  const Vec3 slope(0.3, -0.7, 0.2);
  const std::array<Vec3, 4> tet{Vec3(0, 0, 0), Vec3(1, 0.1, 0), Vec3(0.2, 1.1, 0.1), Vec3(0.1, 0.3, 0.9)};
  const std::array<Vec3, 3> flat{Vec3(0.2, 0, 0), Vec3(1, 0.4, 0), Vec3(0.1, 0.9, 0)};
  Vec3 found = Vec3::Zero(), in_plane = Vec3::Zero();
  for (int i = 0; i < 4; ++i) found += tetrahedron(tet).gradient[i] * slope.dot(tet[i]);
  for (int i = 0; i < 3; ++i) in_plane += triangle(flat).gradient[i] * slope.dot(flat[i]);
  EXPECT_LT((found - slope).norm(), 1e-15);
  EXPECT_LT((in_plane - Vec3(slope.x(), slope.y(), 0)).norm(), 1e-15);
  EXPECT_NEAR(triangle(flat).volume, 0.5 * (flat[1] - flat[0]).cross(flat[2] - flat[0]).norm(), 1e-15);
}

}  // namespace
}  // namespace brisance::elements
