#include "brisance/contact/overlap/piece_overlaps.hpp"
#include "brisance/contact/overlap/tet_overlap.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

/// Boxes of tets, each a piece with nodes of its own.
struct Pieces {
  std::vector<Vec3> position;
  std::vector<std::array<std::int32_t, 4>> tets;
  std::vector<std::int32_t> piece, body;

  /// A box as n³ cells of six tets around a diagonal.
  void add_box(const Vec3& low, const Vec3& size, int n, std::int32_t body_number) {
    const auto first = static_cast<std::int32_t>(position.size()), number = static_cast<std::int32_t>(body.size());
    const int m = n + 1;
    for (int i = 0; i < m * m * m; ++i) {
      const int x = i % m, y = i / m % m, z = i / m / m;
      position.push_back(low + (Vec3(x, y, z) / n).cwiseProduct(size));
    }
    const std::array<std::int32_t, 3> step{1, m, m * m};
    for (int c = 0; c < n * n * n; ++c) {
      const std::int32_t corner = first + c % n + c / n % n * m + c / n / n * m * m;
      for (const auto& [p, q] : {std::pair(0, 1), {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}})
        add_tet({corner, corner + step[p], corner + step[p] + step[q], corner + 1 + m + m * m}, number);
    }
    body.push_back(body_number);
  }
  void add_tet(std::array<std::int32_t, 4> tet, std::int32_t number) {
    if (volume(tet) < 0) std::swap(tet[1], tet[2]);
    tets.push_back(tet);
    piece.push_back(number);
  }
  [[nodiscard]] std::array<Vec3, 4> corners(const std::array<std::int32_t, 4>& tet) const {
    std::array<Vec3, 4> result;
    for (std::size_t k = 0; k < 4; ++k) result[k] = position[static_cast<std::size_t>(tet[k])];
    return result;
  }
  [[nodiscard]] double volume(const std::array<std::int32_t, 4>& tet) const { return placed_tet(corners(tet)).volume; }
  [[nodiscard]] PieceOverlaps overlaps() const {
    return piece_overlaps({.position = position, .tets = tets, .piece = piece, .body_of_piece = body});
  }
};

TEST(PieceOverlaps, TwoBoxesShareTheBoxBetweenThem) {
  for (const int parts : {1, 3}) {
    Pieces pieces;
    pieces.add_box(Vec3::Zero(), Vec3::Ones(), 2, 0);
    pieces.add_box(Vec3(0.3, 0.45, 0.8), Vec3(2, 1, 1), parts, 1);
    const PieceOverlaps found = pieces.overlaps();
    EXPECT_EQ(found.num_pieces, 2);
    EXPECT_EQ(found.num_bodies, 2);
    EXPECT_EQ(found.near_pieces, 1);
    EXPECT_EQ(found.near_bodies, 1);
    ASSERT_EQ(found.pieces.size(), 1U);
    EXPECT_NEAR(found.pieces[0].volume, 0.7 * 0.55 * 0.2, 1e-14);
    EXPECT_NEAR(found.pieces[0].share, 0.7 * 0.55 * 0.2, 1e-14);  // of the unit cube, the smaller
    ASSERT_EQ(found.bodies.size(), 1U);
    EXPECT_EQ(found.bodies[0].tet_pairs, found.pieces[0].tet_pairs);
    EXPECT_GT(found.deepest.depth, 0);
  }
}

TEST(PieceOverlaps, ABoxInsideAnotherIsWhollyInside) {
  Pieces pieces;
  pieces.add_box(Vec3::Zero(), Vec3::Ones(), 3, 0);
  pieces.add_box(Vec3(0.31, 0.42, 0.23), Vec3(0.1, 0.2, 0.05), 1, 0);
  const PieceOverlaps found = pieces.overlaps();
  ASSERT_EQ(found.pieces.size(), 1U);
  EXPECT_NEAR(found.pieces[0].share, 1, 1e-12);
  EXPECT_EQ(found.num_bodies, 1);
  EXPECT_TRUE(found.bodies.empty()) << "pieces of one body";
  EXPECT_GT(found.num_inside, 0);
}

TEST(PieceOverlaps, FacesThatTouchAndBoxesApartShareNothing) {
  Pieces pieces;
  pieces.add_box(Vec3::Zero(), Vec3::Ones(), 2, 0);
  pieces.add_box(Vec3::UnitX(), Vec3::Ones(), 3, 0);
  pieces.add_box(Vec3(5, 0, 0), Vec3::Ones(), 1, 1);
  const PieceOverlaps found = pieces.overlaps();
  EXPECT_EQ(found.near_pieces, 1);
  EXPECT_TRUE(found.pieces.empty());
  EXPECT_EQ(found.deepest.a, -1);
}

TEST(PieceOverlaps, TetsThatShareANodeDoNotCount) {
  Pieces pieces;
  pieces.position = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ(), Vec3(1, 1, 1), Vec3::Zero()};
  pieces.body = {0, 1};
  pieces.add_tet({0, 1, 2, 3}, 0);
  pieces.add_tet({0, 1, 2, 4}, 1);
  EXPECT_TRUE(pieces.overlaps().pieces.empty());
  pieces.position.insert(pieces.position.end(), {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()});
  pieces.tets.back() = {6, 7, 8, 4};
  EXPECT_EQ(pieces.overlaps().pieces.size(), 1U) << "nodes of their own at the same places";
}

TEST(PieceOverlaps, WhatIsTurnedInsideOutIsCountedAndLeftOut) {
  Pieces pieces;
  pieces.add_box(Vec3::Zero(), Vec3::Ones(), 1, 0);
  pieces.add_box(Vec3::Constant(0.1), Vec3::Ones(), 1, 1);
  for (std::size_t t = 6; t < 12; ++t) std::swap(pieces.tets[t][0], pieces.tets[t][1]);
  const PieceOverlaps found = pieces.overlaps();
  EXPECT_EQ(found.num_inverted, 6);
  EXPECT_EQ(found.num_pieces, 1);
  EXPECT_TRUE(found.pieces.empty());
}

// The pieces of a broken body may overlap. A volume in several pieces counts once for the body.
TEST(PieceOverlaps, WhatLiesInSeveralPiecesCountsOnceForTheirBody) {
  Pieces pieces;
  pieces.add_box(Vec3::Zero(), Vec3::Ones(), 2, 0);
  pieces.add_box(Vec3(-1, -1, -1), Vec3(1.5, 3, 3), 2, 1);   // x up to 0.5
  pieces.add_box(Vec3(0.2, -1, -1), Vec3(2.8, 3, 3), 3, 1);  // x from 0.2
  const PieceOverlaps found = pieces.overlaps();
  ASSERT_EQ(found.pieces.size(), 3U);
  EXPECT_NEAR(found.pieces[0].share, 0.5, 1e-12);
  EXPECT_NEAR(found.pieces[1].share, 0.8, 1e-12);
  ASSERT_EQ(found.bodies.size(), 1U);
  EXPECT_NEAR(found.bodies[0].volume, 1, 1e-12);
  EXPECT_LE(found.bodies[0].share, 1);
}

// So may the tets of a single piece: two halves of one that have moved through each other.
TEST(PieceOverlaps, WhatLiesInSeveralTetsOfAPieceCountsOnce) {
  Pieces pieces;
  pieces.add_box(Vec3::Zero(), Vec3::Ones(), 2, 0);
  pieces.add_box(Vec3(-1, -0.9, -0.8), Vec3(1.55, 3, 3), 3, 1);
  pieces.add_box(Vec3(0.25, -0.7, -1), Vec3(0.5, 3, 3), 2, 1);
  std::ranges::replace(pieces.piece, 2, 1);
  pieces.body.pop_back();
  const PieceOverlaps found = pieces.overlaps();
  ASSERT_EQ(found.pieces.size(), 1U);
  EXPECT_NEAR(found.pieces[0].volume, 0.75, 1e-12);  // the sum of both is 0.55 + 0.5
  EXPECT_NEAR(found.pieces[0].share, 0.75, 1e-12);
  EXPECT_LE(found.bodies[0].share, 1);
}

// Trees find the same as a test of all pairs of tets.
TEST(PieceOverlaps, EqualsAllPairs) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(0, 3), length(0.2, 1);
  Pieces pieces;
  for (int i = 0; i < 30; ++i)
    pieces.add_box(Vec3(place(random), place(random), place(random)),
                   Vec3(length(random), length(random), length(random)), 1 + i % 2, i / 5);
  const PieceOverlaps found = pieces.overlaps();
  std::int64_t pairs = 0, seen = 0;
  double volume = 0, sum = 0;
  for (std::size_t t = 0; t < pieces.tets.size(); ++t)
    for (std::size_t u = 0; u < t; ++u) {
      if (pieces.piece[t] == pieces.piece[u]) continue;
      const double v =
          tet_overlap(placed_tet(pieces.corners(pieces.tets[t])), placed_tet(pieces.corners(pieces.tets[u]))).volume;
      pairs += v > 0 ? 1 : 0;
      volume += v;
    }
  for (const PieceOverlap& pair : found.pieces) {
    seen += pair.tet_pairs;
    sum += pair.volume;
  }
  EXPECT_GT(pairs, 100);
  EXPECT_EQ(seen, pairs);
  EXPECT_NEAR(sum, volume, 1e-12);
  EXPECT_LE(static_cast<std::int64_t>(found.pieces.size()), found.near_pieces);
}

}  // namespace
}  // namespace brisance::contact
