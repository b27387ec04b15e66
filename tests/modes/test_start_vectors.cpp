/// Start vectors against the closed form of a long bar, and the two eigensolvers against each other; the conductivity
/// that makes them follow the strength.
#include "brisance/core/error.hpp"
#include "brisance/modes/spectral/start_vectors.hpp"
#include "brisance/modes/strength/strength.hpp"

#include "modes/spectral/conductivity.hpp"
#include "modes/spectral/p1_laplacian.hpp"
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

TEST(P1Laplacian, TakesAConductivityInBothDimensions) {
  SymMat3 d;
  d << 4, 2, 1, 0.5, -0.25, 0.75;
  const Vec3 gradient(1.5, -2, 0.25);
  mesh::Surface flat;  // a unit square in the plane
  flat.vertices = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  flat.triangles = {{0, 1, 2}, {0, 2, 3}};
  for (const Simplices& mesh : {simplices(bar()), simplices(flat)}) {
    const P1Laplacian laplacian = p1_laplacian(mesh, std::vector<SymMat3>(mesh.num_cells(), d));
    double energy = 0, volume = 0;
    for (std::int32_t i = 0; i < laplacian.num_nodes(); ++i) {
      volume += laplacian.node_volume[i];
      for (std::int32_t k = laplacian.row_begin[i]; k < laplacian.row_begin[i + 1]; ++k)
        energy += laplacian.value[k] * gradient.dot(mesh.nodes[i]) * gradient.dot(mesh.nodes[laplacian.column[k]]);
    }
    const Vec3 seen = mesh.dimension() == 2 ? Vec3(1.5, -2, 0) : gradient;
    EXPECT_NEAR(energy, seen.dot(full_matrix(d) * seen) * volume, 1e-11) << mesh.dimension();
  }
}

TEST(Conductivity, IsTheTensorOfAStrengthByNormal) {
  const Simplices mesh = simplices(test::kuhn_box(5, 5, 5, 1, 1, 1));
  const CellGraph graph = cell_graph(mesh);
  const auto conductivity = cell_conductivity(mesh, graph, normal_strength(mesh, graph, Vec3(2, 3, 5)));
  ASSERT_EQ(conductivity.size(), graph.volume.size());
  const Vec3 expected(4, 9, 25);
  double scale = 0;  // the mean of η² is 1
  for (std::int32_t c = 0; c < mesh.num_cells(); ++c) {
    if ((cell_centre(mesh, c) - Vec3::Constant(0.5)).cwiseAbs().maxCoeff() > 0.3) continue;  // corners see few faces
    if (scale == 0) scale = 4 / conductivity[c][0];
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(conductivity[c][k] * scale, expected[k], 1e-3);
    for (int k = 3; k < 6; ++k) EXPECT_NEAR(conductivity[c][k] * scale, 0, 1e-3);
  }
  EXPECT_GT(scale, 4);
  EXPECT_LT(scale, 25);
}

TEST(Conductivity, FollowsRegionsAndHasLimits) {
  const Simplices mesh = simplices(bar());
  const CellGraph graph = cell_graph(mesh);
  std::vector<double> eta;
  for (const Face& face : graph.faces) eta.push_back(cell_centre(mesh, face.a).x() < 2 ? 1e-12 : 1e12);
  for (const SymMat3& d : cell_conductivity(mesh, graph, eta)) {
    EXPECT_GE(d[0], 0.99e-4);
    EXPECT_LE(d[0], 1.01e4);
  }
  const auto near_to_one = cell_conductivity(mesh, graph, std::vector<double>(graph.faces.size(), 1 + 1e-15));
  EXPECT_TRUE(near_to_one.empty());
  EXPECT_TRUE(cell_conductivity(mesh, graph, {}).empty());
  for (double& e : eta) e = e < 1 ? 0.5 : 2;
  const auto mild = cell_conductivity(mesh, graph, eta);
  for (std::int32_t c = 0; c < mesh.num_cells(); ++c) {
    const double x = cell_centre(mesh, c).x();
    if (std::abs(x - 2) < 0.3) continue;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(mild[c][k] / mild[mesh.num_cells() - 1][0], x < 2 ? 1.0 / 16 : 1, 1e-12);
  }
}

/// Strong along its length, a bar varies along its width first.
TEST(StartVectors, VaryAcrossAStrongDirection) {
  const Simplices mesh = simplices(bar());
  const std::vector<SymMat3> d(mesh.num_cells(), symmetric_part(Vec3(400, 1, 1).asDiagonal()));
  for (const EigenMethod method : {EigenMethod::shift_invert, EigenMethod::iterative}) {
    const auto phi = start_vectors(mesh, 2, method, d)[1];
    double dot = 0, norm = 0, cosine_norm = 0;  // all cells are of the same volume
    for (std::int32_t c = 0; c < mesh.num_cells(); ++c) {
      const double cosine = std::cos(std::numbers::pi * cell_centre(mesh, c).y() / 0.375);
      dot += phi[c] * cosine;
      norm += phi[c] * phi[c];
      cosine_norm += cosine * cosine;
    }
    EXPECT_GT(std::abs(dot), 0.97 * std::sqrt(norm * cosine_norm));
  }
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
