#include "brisance/breaking/fragment_set.hpp"
#include "brisance/mesh/surface.hpp"

#include "support/kuhn.hpp"
#include "support/solids.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace brisance::breaking {
namespace {

/// A frame of a bar along x, broken at x = 1, 2 and 2.25 into pieces that moved: the second turned by 90° about z, the
/// third, a crumb, and the fourth by a translation.
RunFrame broken_bar() {
  const mesh::TetMesh bar = test::kuhn_box(12, 1, 1, 3, 1, 1);
  RunFrame frame;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> copy;  // (node, piece)
  for (std::size_t t = 0; t < bar.tets.size(); ++t) {
    double x = 0;
    for (const std::int32_t n : bar.tets[t]) x += bar.nodes[n][0] / 4;
    const std::int32_t piece = x < 1 ? 0 : x < 2 ? 1 : x < 2.25 ? 2 : 3;
    auto& tet = frame.tets.emplace_back();
    for (int k = 0; k < 4; ++k) {
      const std::int32_t n = bar.tets[t][k];
      const auto [found, is_new] = copy.try_emplace({n, piece}, static_cast<std::int32_t>(frame.rest_position.size()));
      tet[k] = found->second;
      if (!is_new) continue;
      const Vec3 rest = bar.nodes[n];
      frame.rest_position.push_back(rest);
      frame.position.push_back(piece == 1 ? Vec3(-rest[1], rest[0] + 5, rest[2]) : Vec3(rest + piece * Vec3(1, 2, 3)));
    }
    frame.piece.push_back(piece);
    for (int k = 0; k < 4; ++k) {
      if (bar.face_source[t][k] == mesh::kNoSourceTriangle) continue;
      const auto& face = mesh::kFaceCorners[k];
      frame.triangles.push_back({tet[face[0]], tet[face[1]], tet[face[2]]});
      frame.source_triangle.push_back(bar.face_source[t][k]);
    }
  }
  frame.header.num_pieces = 4;
  return frame;
}

double crack_area(const mesh::PieceSurface& piece, std::int32_t beyond) {
  double area = 0;
  for (std::size_t t = 0; t < piece.neighbour.size(); ++t) {
    const auto& [a, b, c] = piece.surface.triangles[t];
    const auto& x = piece.surface.vertices;
    if (piece.neighbour[t] == beyond) area += (x[b] - x[a]).cross(x[c] - x[a]).norm() / 2;
  }
  return area;
}

TEST(FragmentSet, OfARunIsClosedAndKnowsWhatTouches) {
  const FragmentSet set = fragments_of(broken_bar(), 0);
  ASSERT_EQ(set.pieces.size(), 4U);
  for (const auto& piece : set.pieces) test::expect_solid(piece);
  EXPECT_NEAR(test::total_volume_m3(set.pieces), 3, 1e-12);
  for (std::int32_t p = 0; p < 3; ++p) {
    EXPECT_NEAR(crack_area(set.pieces[p], p + 1), 1, 1e-12);
    EXPECT_NEAR(crack_area(set.pieces[p + 1], p), 1, 1e-12);
  }
  EXPECT_NEAR(crack_area(set.pieces[0], mesh::kNoNeighbour), 5, 1e-12);
  EXPECT_EQ(crack_area(set.pieces[0], 2), 0);
}

TEST(FragmentSet, OfARunHasPosesThatPutPiecesWhereTheyWent) {
  const RunFrame frame = broken_bar();
  const FragmentSet set = fragments_of(frame, 0);
  for (std::size_t t = 0; t < frame.tets.size(); ++t)
    for (const std::int32_t n : frame.tets[t])
      EXPECT_LT((set.poses[frame.piece[t]] * frame.rest_position[n] - frame.position[n]).norm(), 1e-12);
}

TEST(FragmentSet, CrumbsJoinTheirNeighbour) {
  const FragmentSet set = fragments_of(broken_bar(), 0.1);
  ASSERT_EQ(set.pieces.size(), 3U);
  for (const auto& piece : set.pieces) test::expect_solid(piece);
  EXPECT_NEAR(test::total_volume_m3(set.pieces), 3, 1e-12);
  EXPECT_NEAR(set.solids[0].volume + set.solids[1].volume + set.solids[2].volume, 3, 1e-12);
}

TEST(FragmentSet, ScatteredFragmentsDoNotTouch) {
  FragmentSet set = fragments_of(broken_bar(), 0);
  scatter(set, 7);
  std::vector<Vec3> centres;
  for (std::size_t p = 0; p < set.pieces.size(); ++p) {
    const auto& c = set.solids[p].centre;
    centres.emplace_back(set.poses[p] * Vec3(c[0], c[1], c[2]));
    EXPECT_NEAR(set.poses[p].linear().determinant(), 1, 1e-12);
    EXPECT_GT((set.poses[p].linear() - Mat3::Identity()).norm(), 1e-3);
  }
  for (std::size_t p = 0; p < centres.size(); ++p)
    for (std::size_t q = 0; q < p; ++q) EXPECT_GT((centres[p] - centres[q]).norm(), 1.2);  // a piece's length
  FragmentSet again = fragments_of(broken_bar(), 0);
  scatter(again, 7);
  EXPECT_EQ(again.poses[2].matrix(), set.poses[2].matrix());
}

TEST(FragmentSet, LabelsNameThePieceBeyondEachFace) {
  const auto labels = fragment_labels(fragments_of(broken_bar(), 0), FragmentFormat::obj);
  EXPECT_EQ(labels["num_pieces"], 4);
  EXPECT_EQ(labels["pieces"][1]["file"], "piece_1.obj");
  ASSERT_EQ(labels["adjacency"].size(), 3U);
  EXPECT_EQ(labels["adjacency"][0]["a"], 0);
  EXPECT_EQ(labels["adjacency"][0]["b"], 1);
  EXPECT_NEAR(labels["adjacency"][0]["area_m2"].get<double>(), 1, 1e-12);
  const auto beyond = labels["pieces"][0]["neighbour_of_face"].get<std::vector<int>>();
  EXPECT_EQ(std::ranges::count(beyond, 1), 2);
  EXPECT_EQ(std::ranges::count(beyond, -1), static_cast<std::ptrdiff_t>(beyond.size()) - 2);
}

/// Dust has left: the faces on which it lay are cracks whose other side is lost.
TEST(FragmentSet, FacesOfLostDustAreCracks) {
  const RunFrame frame = broken_bar();
  RunFrame without = frame;
  without.tets.clear();
  without.piece.clear();
  for (std::size_t t = 0; t < frame.tets.size(); ++t)
    if (frame.piece[t] != 2) {
      without.tets.push_back(frame.tets[t]);
      without.piece.push_back(frame.piece[t] == 3 ? 2 : frame.piece[t]);
    }
  const auto labels = fragment_labels(fragments_of(without, 0), FragmentFormat::ply);
  EXPECT_EQ(labels["pieces"][0]["file"], "piece_0.ply");
  const auto beyond = labels["pieces"][2]["neighbour_of_face"].get<std::vector<int>>();
  EXPECT_EQ(std::ranges::count(beyond, -2), 2);
  EXPECT_EQ(labels["adjacency"].size(), 1U);
}

}  // namespace
}  // namespace brisance::breaking
