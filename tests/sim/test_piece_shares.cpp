/// Shares of the mass: light pieces and particles are dust.
#include "sim/output/piece_shares.hpp"

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

TEST(PieceShares, PiecesBelowAThousandthAndParticlesAreDust) {
  dist::Pieces pieces;
  pieces.list = {{GlobalNode(0), 0.0009}, {GlobalNode(4), 0.6}, {GlobalNode(9), 0.3}, {GlobalNode(11), 0.0011}};
  const PieceShares shares = piece_shares(pieces, 0.098);
  EXPECT_NEAR(shares.all_kg, 1, 1e-15);
  EXPECT_NEAR(shares.largest, 0.6, 1e-15);
  EXPECT_NEAR(shares.dust, 0.0989, 1e-15) << "the piece above a thousandth is none";
}

}  // namespace
}  // namespace brisance::sim
