/// Start vectors against the closed form of a long bar, and the two eigensolvers against each other.
#include "brisance/core/error.hpp"
#include "brisance/modes/start_vectors.hpp"

#include "modes/p1_laplacian.hpp"
#include "support/kuhn.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

/// A bar of length 4 along x with a cross-section so slender that its first modes vary along x only.
mesh::TetMesh bar() { return test::kuhn_box(32, 3, 2, 4, 0.375, 0.25); }

double centre_x(const mesh::TetMesh& mesh, std::size_t tet) {
  double x = 0;
  for (const std::int32_t corner : mesh.tets[tet]) x += mesh.nodes[corner].x() / 4;
  return x;
}

TEST(P1Laplacian, ReproducesTheEnergyOfALinearFunction) {
  const mesh::TetMesh mesh = bar();
  const P1Laplacian laplacian = p1_laplacian(mesh);
  const Vec3 gradient(1.5, -2, 0.25);
  double energy = 0, volume = 0;
  for (std::int32_t i = 0; i < laplacian.num_nodes(); ++i) {
    volume += laplacian.node_volume[i];
    for (std::int32_t k = laplacian.row_begin[i]; k < laplacian.row_begin[i + 1]; ++k)
      energy += laplacian.value[k] * gradient.dot(mesh.nodes[i]) * gradient.dot(mesh.nodes[laplacian.column[k]]);
  }
  EXPECT_NEAR(volume, 4 * 0.375 * 0.25, 1e-13);
  EXPECT_NEAR(energy, gradient.squaredNorm() * volume, 1e-11);
}

TEST(StartVectors, OfASlenderBarAreCosines) {
  const mesh::TetMesh mesh = bar();
  const auto vectors = start_vectors(mesh, 4);
  ASSERT_EQ(vectors.size(), 4u);
  const double volume = 4 * 0.375 * 0.25;
  for (int k = 0; k < 4; ++k)
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
      const double amplitude = k == 0 ? std::sqrt(1 / volume) : std::sqrt(2 / volume);
      const double x = centre_x(mesh, e);
      EXPECT_NEAR(std::abs(vectors[k][e]), std::abs(amplitude * std::cos(k * std::numbers::pi * x / 4)),
                  0.02 * amplitude);
    }
}

TEST(StartVectors, BothSolversAgree) {
  const mesh::TetMesh mesh = bar();
  const auto direct = start_vectors(mesh, 5, EigenMethod::shift_invert);
  const auto iterative = start_vectors(mesh, 5, EigenMethod::iterative);
  for (int k = 0; k < 5; ++k)
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) ASSERT_NEAR(direct[k][e], iterative[k][e], 1e-7) << k;
}

TEST(StartVectors, AreTheSameBitsEveryTime) { EXPECT_EQ(start_vectors(bar(), 6), start_vectors(bar(), 6)); }

TEST(StartVectors, MoreThanThereAreNodesIsAnError) {
  EXPECT_THROW((void)start_vectors(test::kuhn_box(1, 1, 1, 1, 1, 1), 9), core::Error);
}

}  // namespace
}  // namespace brisance::modes
