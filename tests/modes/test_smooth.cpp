/// Diffused labels against known shapes: a jagged plane becomes a plane, junctions of many labels stay solid.
#include "brisance/core/error.hpp"
#include "brisance/modes/pieces/pieces_surface.hpp"
#include "brisance/modes/pieces/smooth.hpp"

#include "modes/pieces/smooth_labels.hpp"
#include "support/kuhn.hpp"
#include "support/solids.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

Vec3 centre(const mesh::TetMesh& mesh, std::size_t t) {
  const auto& [a, b, c, d] = mesh.tets[t];
  return (mesh.nodes[a] + mesh.nodes[b] + mesh.nodes[c] + mesh.nodes[d]) / 4;
}

/// Each tet takes the nearest of random sites.
std::vector<std::int32_t> voronoi_labels(const mesh::TetMesh& mesh, int num_labels, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Vec3> sites;
  for (int i = 0; i < num_labels; ++i) sites.emplace_back(unit(random), unit(random), unit(random));
  std::vector<std::int32_t> label;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    label.push_back(static_cast<std::int32_t>(
        std::ranges::min_element(sites, {}, [&](const Vec3& s) { return (s - centre(mesh, t)).norm(); }) -
        sites.begin()));
  return label;
}

double smallest_tet_volume(const mesh::TetMesh& mesh) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, c, d] : mesh.tets)
    smallest = std::min(smallest, mesh::tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]));
  return smallest;
}

/// The box mesh and 12 labels, smoothed.
struct Smoothed {
  mesh::TetMesh box = test::kuhn_box(8, 8, 8, 1, 1, 1);
  std::vector<std::int32_t> label = voronoi_labels(box, 12, 3);
};

TEST(SmoothPieces, ManyLabelsStaySolidsWithoutPinches) {
  const Smoothed s;
  for (const double lambda_m2 : {0.0, 1e-3, 1e-2}) {
    const SmoothedPieces smoothed = smooth_pieces(s.box, s.label, 12, lambda_m2);
    EXPECT_GT(smallest_tet_volume(smoothed.mesh), 0);
    const auto pieces = piece_surfaces(smoothed.mesh, smoothed.label, 12);
    std::size_t num_left = 0;
    for (const auto& piece : pieces) {
      if (piece.surface.triangles.empty()) continue;  // a label that smoothing has removed
      ++num_left;
      test::expect_solid(piece);
      EXPECT_EQ(mesh::check_surface(piece.surface).num_self_intersections, 0);
    }
    EXPECT_GE(num_left, 10u);
    test::expect_matching_cracks(pieces);
    EXPECT_NEAR(test::total_volume_m3(pieces), 1, 1e-12);
    EXPECT_NEAR(test::outside_area(pieces), 6, 1e-12);
  }
}

TEST(SmoothPieces, EveryTetBelongsToTheLabelLargestInside) {
  const Smoothed s;
  const SmoothedPieces smoothed = smooth_pieces(s.box, s.label, 12, 4e-3);
  const LabelDiffusion diffusion(simplices(s.box), s.label, 12, 4e-3);
  std::vector<Eigen::VectorXd> values;
  for (int l = 0; l < 12; ++l) values.push_back(diffusion.diffused(l));
  // At nodes of the input that touch one label only, that label is the largest one.
  std::vector<int> label_at(s.box.nodes.size(), -1);
  for (std::size_t t = 0; t < smoothed.mesh.tets.size(); ++t)
    for (const auto node : smoothed.mesh.tets[t])
      if (node < static_cast<std::int32_t>(label_at.size()))
        label_at[node] = label_at[node] == -1 || label_at[node] == smoothed.label[t] ? smoothed.label[t] : -2;
  std::size_t num_checked = 0;
  for (std::size_t node = 0; node < label_at.size(); ++node) {
    ASSERT_GE(label_at[node], 0);  // cracks never run through a node
    const auto at_node = [&](const Eigen::VectorXd& z) { return z[static_cast<Eigen::Index>(node)]; };
    EXPECT_EQ(std::ranges::max_element(values, {}, at_node) - values.begin(), label_at[node]);
    ++num_checked;
  }
  EXPECT_EQ(num_checked, s.box.nodes.size());
}

TEST(SmoothPieces, IndicatorsStillAddUpToOne) {
  const Smoothed s;
  const LabelDiffusion diffusion(simplices(s.box), s.label, 12, 1e-2);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(s.box.nodes.size()));
  for (int l = 0; l < 12; ++l) sum += diffusion.diffused(l);
  EXPECT_LT((sum.array() - 1).abs().maxCoeff(), 1e-8);
}

/// The tet of a mesh that holds a point, and the shares of its corners there.
struct Place {
  std::size_t tet = 0;
  std::array<double, 4> share{};
};
Place place_of(const mesh::TetMesh& mesh, const Vec3& point) {
  Place best;
  double most_inside = -std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    Place here{t, {}};
    std::array<Vec3, 4> x;
    for (int c = 0; c < 4; ++c) x[c] = mesh.nodes[mesh.tets[t][c]];
    const double whole = mesh::tet_volume(x[0], x[1], x[2], x[3]);
    for (int c = 0; c < 4; ++c) {
      auto with_point = x;
      with_point[c] = point;
      here.share[c] = mesh::tet_volume(with_point[0], with_point[1], with_point[2], with_point[3]) / whole;
    }
    const double inside = std::ranges::min(here.share);
    if (inside > most_inside) most_inside = inside, best = here;
  }
  return best;
}

// Labels that are skipped in a tet must be those that are never the largest there, at junctions of many labels too.
TEST(SmoothPieces, RandomPointsBelongToTheLargestLabel) {
  const mesh::TetMesh box = test::kuhn_box(4, 4, 4, 1, 1, 1);
  const auto label = voronoi_labels(box, 12, 3);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  for (const double lambda_m2 : {0.0, 1e-6, 1e-2}) {
    const LabelDiffusion diffusion(simplices(box), label, 12, lambda_m2);
    std::vector<Eigen::VectorXd> values;
    for (int l = 0; l < 12; ++l) values.push_back(diffusion.diffused(l));
    const SmoothedPieces smoothed = smooth_pieces(box, label, 12, lambda_m2);
    int num_wrong = 0;
    for (int i = 0; i < 700; ++i) {
      const Vec3 point(unit(random), unit(random), unit(random));
      const Place place = place_of(box, point);
      const auto value = [&](int l) {
        double sum = 0;
        for (int c = 0; c < 4; ++c) sum += place.share[c] * values[l][box.tets[place.tet][c]];
        return sum;
      };
      double largest = 0;
      for (int l = 0; l < 12; ++l) largest = std::max(largest, value(l));
      if (value(smoothed.label[place_of(smoothed.mesh, point).tet]) < largest - 0.02) ++num_wrong;
    }
    EXPECT_LE(num_wrong, 4) << "lambda " << lambda_m2;  // cuts stay 1 % away from the ends of edges
  }
}

// Far from its piece a diffused label is noise of the solver, which must not cut tets.
TEST(SmoothPieces, LittleSmoothingCutsHardlyMoreThanNone) {
  const Smoothed s;
  const std::size_t without = smooth_pieces(s.box, s.label, 12, 0).mesh.tets.size();
  EXPECT_LT(without, 10 * s.box.tets.size());
  for (const double lambda_m2 : {1e-8, 1e-6, 1e-4})
    EXPECT_LT(smooth_pieces(s.box, s.label, 12, lambda_m2).mesh.tets.size(), 1.1 * without);
}

// A plane through the middle of a layer of cells leaves teeth in the mesh. The crack between the diffused halves is
// nearly that plane (which meets the sides at right angles, as diffusion wants).
TEST(SmoothPieces, AJaggedPlaneBecomesFlat) {
  const mesh::TetMesh box = test::kuhn_box(10, 10, 10, 1, 1, 1);
  std::vector<std::int32_t> label;
  for (std::size_t t = 0; t < box.tets.size(); ++t) label.push_back(centre(box, t)[0] > 0.46 ? 1 : 0);
  const auto jagged = test::shared_areas(piece_surfaces(box, label, 2));
  const SmoothedPieces smoothed = smooth_pieces(box, label, 2, 0.04);
  const auto pieces = piece_surfaces(smoothed.mesh, smoothed.label, 2);
  const double mean = 0.4 + 0.1 * 4 / 6;  // where a plane would leave label 0 its volume
  EXPECT_GT(jagged.at({0, 1}).area, 1.3);
  EXPECT_NEAR(test::shared_areas(pieces).at({0, 1}).area, 1, 0.02);
  for (std::size_t t = 0; t < pieces[0].neighbour.size(); ++t) {
    if (pieces[0].neighbour[t] != 1) continue;
    for (const auto v : pieces[0].surface.triangles[t]) EXPECT_NEAR(pieces[0].surface.vertices[v][0], mean, 0.02);
  }
}

TEST(SmoothPieces, OneLabelChangesNothing) {
  const mesh::TetMesh box = test::kuhn_box(2, 2, 2, 1, 1, 1);
  const SmoothedPieces smoothed = smooth_pieces(box, std::vector<std::int32_t>(box.tets.size(), 0), 1, 0.1);
  EXPECT_EQ(smoothed.mesh.tets, box.tets);
  EXPECT_EQ(smoothed.mesh.face_source, box.face_source);
  EXPECT_THROW((void)smooth_pieces(box, std::vector<std::int32_t>(box.tets.size(), 0), 1, -1), core::Error);
}

}  // namespace
}  // namespace brisance::modes
