// Separation tensor and its largest eigenvalue (VALIDATION C0, C5, C6), on stars whose forces are known in closed form.
#include "brisance/fracture/criteria/separation_tensor.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include "support/kuhn.hpp"

#include <cmath>
#include <random>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace brisance::fracture {
namespace {

Vec3 random_vector(std::mt19937& generator) {
  std::normal_distribution<double> normal;
  return {normal(generator), normal(generator), normal(generator)};
}

Mat3 dyad(const Vec3& a) { return a.norm() > 0 ? Mat3(a * a.transpose() / a.norm()) : Mat3(Mat3::Zero()); }

/// One tet that pulls corner 2 with f⁺ and pushes it with f⁻.
dist::CornerForces tet_of(const Vec3& tensile, const Vec3& compressive) {
  dist::CornerForces tet{};
  const SymMat3 spread = symmetric_part(dyad(tensile) - dyad(compressive));
  for (int k = 0; k < 3; ++k) {
    tet.corner[2].total[k] = tensile[k] + compressive[k];
    tet.corner[2].tensile[k] = tensile[k];
  }
  for (int k = 0; k < 6; ++k) tet.corner[2].spread[k] = spread[k];
  return tet;
}

struct Pull {
  Vec3 tensile, compressive;
};

Mat3 tensor_of(const std::vector<Pull>& star) {
  SeparationTensor zeta;
  for (const Pull& p : star) zeta.add(tet_of(p.tensile, p.compressive), 2);
  return full_matrix(zeta.value());
}

std::vector<Pull> random_star(std::mt19937& generator, int size) {
  std::vector<Pull> star;
  for (int i = 0; i < size; ++i) star.push_back({random_vector(generator), random_vector(generator)});
  return star;
}

/// Uniform stress σ₀ n nᵀ around node `centre` of a mesh: f = −V σ₀ (n·∇b) n = −σ₀/3 (n·a_f) n, a_f the area vector of
/// the opposite face, pointing to the node. `area`: A_n = (1/6) Σ |a_f·n|.
std::vector<Pull> uniaxial_star(const mesh::TetMesh& mesh, int centre, const Vec3& n, double stress, double& area) {
  std::vector<Pull> star;
  area = 0;
  for (const auto& tet : mesh.tets)
    for (int i = 0; i < 4; ++i) {
      if (tet[i] != centre) continue;
      const auto& f = mesh::kFaceCorners[i];
      const Vec3 &a = mesh.nodes[tet[f[0]]], &b = mesh.nodes[tet[f[1]]], &c = mesh.nodes[tet[f[2]]];
      Vec3 face = 0.5 * (b - a).cross(c - a);
      if (face.dot(mesh.nodes[centre] - a) < 0) face = -face;
      const Vec3 force = -stress / 3 * n.dot(face) * n;
      star.push_back(stress > 0 ? Pull{force, Vec3::Zero()} : Pull{Vec3::Zero(), force});
      area += std::abs(n.dot(face)) / 6;
    }
  return star;
}

// VALIDATION C0: v⁺ = σ₀ A_n, normal n, at an inner node; 0 under compression.
TEST(SeparationTensor, UniaxialStressGivesStressTimesProjectedArea) {
  std::mt19937 generator(1);
  const mesh::TetMesh mesh = test::kuhn_box(2, 2, 2, 1, 1, 1);
  const int centre = 13;
  ASSERT_EQ(mesh.nodes[centre], Vec3(0.5, 0.5, 0.5));
  for (int i = 0; i < 50; ++i) {
    const Vec3 n = random_vector(generator).normalized();
    double area = 0;
    const Mat3 zeta = tensor_of(uniaxial_star(mesh, centre, n, 3.0, area));
    EXPECT_LT((zeta - 3.0 * area * n * n.transpose()).norm(), 1e-14);
    const PrincipalSeparation found = principal_separation(zeta);
    EXPECT_NEAR(found.force, 3.0 * area, 1e-14);
    EXPECT_NEAR(std::abs(found.normal.dot(n)), 1, 1e-12);
    EXPECT_LT(principal_separation(tensor_of(uniaxial_star(mesh, centre, n, -3.0, area))).force, 1e-14);
  }
}

// VALIDATION C0: A_n/h² of an inner node of the Kuhn grid, by direction.
TEST(SeparationTensor, ProjectedAreasOfAKuhnStar) {
  const mesh::TetMesh mesh = test::kuhn_box(2, 2, 2, 2, 2, 2);
  const std::pair<Vec3, double> kAreas[] = {{{1, 0, 0}, 1},
                                            {{1, 1, 1}, 1 / std::sqrt(3)},
                                            {{1, 1, 0}, 4 / std::sqrt(18)},
                                            {{1, -1, 0}, std::sqrt(2)},
                                            {{-1, 1, 1}, 7 / std::sqrt(27)}};
  for (const auto& [direction, expected] : kAreas) {
    double area = 0;
    const Mat3 zeta = tensor_of(uniaxial_star(mesh, 13, direction.normalized(), 1.0, area));
    EXPECT_NEAR(area, expected, 1e-14);
    EXPECT_NEAR(zeta.trace(), expected, 1e-14);
  }
}

// A node that all tets pull in the same direction is accelerated, not torn.
TEST(SeparationTensor, ForcesOfOneDirectionDoNotSeparate) {
  const Vec3 pull(1, 2, -2);
  EXPECT_LT(tensor_of({{pull, Vec3::Zero()}, {2 * pull, Vec3::Zero()}, {0.1 * pull, Vec3::Zero()}}).norm(), 1e-14);
}

// VALIDATION C5: the sum by its definition; m(0) = 0; no tets at all.
TEST(SeparationTensor, IsTheSumOfItsDefinition) {
  std::mt19937 generator(2);
  for (int size = 0; size < 30; ++size) {
    std::vector<Pull> star = random_star(generator, size);
    if (size > 2) star[1] = {Vec3::Zero(), Vec3::Zero()};
    Mat3 expected = Mat3::Zero();
    Vec3 tensile = Vec3::Zero(), compressive = Vec3::Zero();
    for (const Pull& p : star) {
      expected += 0.5 * (dyad(p.tensile) - dyad(p.compressive));
      tensile += p.tensile;
      compressive += p.compressive;
    }
    expected += 0.5 * (dyad(compressive) - dyad(tensile));
    EXPECT_LT((tensor_of(star) - expected).norm(), 1e-14 * (1 + size));
  }
}

// VALIDATION C6
TEST(SeparationTensor, TurnsWithTheWorld) {
  std::mt19937 generator(3);
  const Mat3 turn = Eigen::AngleAxisd(0.8, Vec3(1, 1, -2).normalized()).toRotationMatrix();
  for (int i = 0; i < 50; ++i) {
    std::vector<Pull> star = random_star(generator, 20);
    const Mat3 zeta = tensor_of(star);
    for (Pull& p : star) p = {turn * p.tensile, turn * p.compressive};
    EXPECT_LT((tensor_of(star) - turn * zeta * turn.transpose()).norm(), 1e-13);
  }
}

// VALIDATION C4: 10⁵ tensors, a third with two equal eigenvalues, some with three; A n = λ n with the largest λ, and
// n that of the whole space of them.
TEST(PrincipalSeparation, C4IsTheLargestEigenvalueWithItsVector) {
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 100000; ++i) {
    Vec3 values(uniform(generator), uniform(generator), uniform(generator));
    if (i % 3 == 1) values[1] = values[0];
    if (i % 1000 == 2) values.setConstant(values[0]);
    const Mat3 q = Eigen::Quaterniond(uniform(generator), uniform(generator), uniform(generator), uniform(generator))
                       .normalized()
                       .toRotationMatrix();
    Mat3 a = q * values.asDiagonal() * q.transpose();
    a = (0.5 * (a + a.transpose())).eval();
    const PrincipalSeparation found = principal_separation(a);
    ASSERT_NEAR(found.force, values.maxCoeff(), 1e-14) << i;
    ASSERT_NEAR(found.normal.norm(), 1, 1e-14) << i;
    ASSERT_LT((a * found.normal - found.force * found.normal).norm(), (i % 3 == 0 ? 1e-13 : 1e-8) * a.norm()) << i;
  }
}

TEST(LargestEigenvalueFromAbove, IsNeverBelowEigenAndCloseToIt) {
  std::mt19937 generator(4);
  const Vec3 kSpectra[] = {{1, 1, 1}, {-1, -1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, 0, 0},  {-1, 0, 0},
                           {1, 1, 0}, {-1, -1, 0},  {0, 0, 0},  {1, -1, 0},  {1, 2, -3}, {0.3, 0.7, 5}};
  for (const Vec3& spectrum : kSpectra)
    for (const double apart : {0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-4, 1.0})
      for (const double scale : {1e-60, 1.0, 1e60})
        for (int i = 0; i < 40; ++i) {
          const Mat3 turn =
              Eigen::AngleAxisd(random_vector(generator)[0], random_vector(generator).normalized()).toRotationMatrix();
          const Vec3 values = scale * (spectrum + apart * random_vector(generator));
          const Mat3 zeta = turn * values.asDiagonal() * turn.transpose();
          const double size = values.cwiseAbs().maxCoeff(), bound = largest_eigenvalue_from_above(symmetric_part(zeta));
          EXPECT_GE(bound, values.maxCoeff());
          EXPECT_LE(bound, values.maxCoeff() + 5e-6 * size);
        }
}

}  // namespace
}  // namespace brisance::fracture
