/// Answers on a row of cubes, where every displacement is known by hand.
#include "brisance/runtime/error.hpp"
#include "brisance/runtime/impact_answer.hpp"
#include "brisance/runtime/projection.hpp"

#include "runtime/refines.hpp"
#include "runtime/sample_set.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::runtime {
namespace {

using test::refines;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Impact at(double x, double threshold) {
  Impact impact;
  impact.point = {x, 0.5, 1.2};
  impact.threshold = threshold;
  return impact;
}

TEST(Target, TheNearestVertexIsStruckAndMovesMost) {
  const Target target(test::row_of_cubes(6, 6));
  const Answer answer = target.strike(at(4.4, 0.1));
  EXPECT_EQ(answer.vertex, 4);
  for (int a = 0; a < 6; ++a) EXPECT_LE(answer.displacement[3 * a + 2], answer.displacement[3 * 4 + 2]);
}

TEST(Target, AsManyModesAsAtomsReproduceTheBlow) {
  const Target target(test::row_of_cubes(6, 6));
  Impact impact = at(2.5, 0.1);
  impact.strength = 3;
  impact.direction = {0, 0, -7};
  const Answer projected = target.strike(impact);
  impact.method = Method::least_squares;
  const Answer means = target.strike(impact);
  for (int a = 0; a < 6; ++a) {
    const double expected = -3.0 * 6 * target.set().elastic->share[2 * 6 + a];  // strength · V · share / volume
    EXPECT_NEAR(projected.displacement[3 * a + 2], expected, 1e-5);
    EXPECT_NEAR(means.displacement[3 * a + 2], expected, 1e-5);
    EXPECT_EQ(projected.displacement[3 * a], 0);
  }
}

TEST(Target, TheMeanDisplacementIsTheStrength) {
  const Target target(test::row_of_cubes(7, 3));
  Impact impact = at(1.5, 0.1);
  impact.strength = 2.5;
  const Answer answer = target.strike(impact);
  double sum = 0;
  for (int a = 0; a < 7; ++a) sum += answer.displacement[3 * a + 2];
  EXPECT_NEAR(sum / 7, 2.5, 1e-12);  // the constant mode carries it; all others have no mean
}

TEST(Target, OneModeBreaksWhereItJumpsAndNowhereElse) {
  const Target target(test::row_of_cubes(6, 2));  // the constant, and one mode that jumps between atoms 0 and 1
  EXPECT_THAT(target.strike(at(0.5, 0.01)).piece_of_atom, ElementsAre(0, 1, 1, 1, 1, 1));
}

/// Energies are 0, 1, … 5 along z, five times that along x and y: known completely up to 5, there are two modes along
/// x.
TEST(Target, ABlowAlongAStrongAxisFindsFewerModes) {
  ImpactSet wood = test::row_of_cubes(6, 6);
  const Target plain(wood);
  wood.axis_strength = {5, 5, 1};
  const Target target(wood);
  Impact impact = at(0.5, 0.01);
  EXPECT_EQ(target.strike(impact).displacement, plain.strike(impact).displacement);
  impact.direction = {1, 0, 0};
  EXPECT_EQ(plain.strike(impact).num_pieces, 6);
  EXPECT_THAT(target.strike(impact).piece_of_atom, ElementsAre(0, 1, 1, 1, 1, 1));
  const Answer across = target.strike(impact);
  impact.direction = {3, 0, 4};
  const Answer oblique = target.strike(impact), isotropic = plain.strike(impact);
  EXPECT_EQ(oblique.num_pieces, 6);
  for (int a = 0; a < 6; ++a) {
    EXPECT_NEAR(oblique.displacement[3 * a], 0.6 * across.displacement[3 * a], 1e-12);
    EXPECT_NEAR(oblique.displacement[3 * a + 2], isotropic.displacement[3 * a + 2], 1e-12);
  }
  impact.direction = {1, 0, 0};
  impact.method = Method::least_squares;
  EXPECT_EQ(target.strike(impact).displacement, plain.strike(impact).displacement);
  wood.axis_strength = {5, 5, 5};
  impact.method = Method::modes;
  EXPECT_EQ(Target(wood).strike(impact).displacement, plain.strike(impact).displacement);
}

TEST(Target, APieceOfAnAnisotropicObjectBreaksByItsOwnLowestModes) {
  ImpactSet wood = test::row_of_cubes(6, 6);
  wood.axis_strength = {2, 2, 1};  // along x up to energy 2.5: jumps after atoms 0 and 1
  const Target target(wood);
  const std::vector<std::int32_t> body{0, 7, 7, 7, 7, 7};
  Impact impact = at(1.5, 0.001);
  EXPECT_THAT(target.strike(impact, body, 7).piece_of_atom, ElementsAre(-1, 0, 1, 2, 3, 4));
  impact.direction = {0, 1, 0};
  EXPECT_THAT(target.strike(impact, body, 7).piece_of_atom, ElementsAre(-1, 0, 1, 1, 1, 1));
}

TEST(Target, ModesBreakFarAwayWhatLeastSquaresLeaves) {
  const Target target(test::row_of_cubes(12, 2));
  Impact impact = at(11.5, 0.2);
  EXPECT_EQ(target.strike(impact).piece_of_atom[0], 0);
  EXPECT_EQ(target.strike(impact).piece_of_atom[1], 1) << "the mode's crack is at the other end";
  impact.method = Method::least_squares;
  const Answer local = target.strike(impact);
  EXPECT_EQ(local.piece_of_atom[0], local.piece_of_atom[1]);
  EXPECT_NE(local.piece_of_atom[10], local.piece_of_atom[11]);
}

TEST(Target, PiecesShrinkAsTheThresholdFalls) {
  const Target target(test::row_of_cubes(20, 9));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(0, 20);
  for (int trial = 0; trial < 50; ++trial)
    for (const Method method : {Method::modes, Method::least_squares}) {
      const double x = place(random);
      Answer coarse;
      for (double threshold = 4; threshold > 1e-3; threshold /= 1.5) {
        Impact impact = at(x, threshold);
        impact.method = method;
        const Answer fine = target.strike(impact);
        if (!coarse.piece_of_atom.empty()) {
          EXPECT_GE(fine.num_pieces, coarse.num_pieces);
          EXPECT_TRUE(refines(fine, coarse));
        }
        coarse = fine;
      }
      EXPECT_GT(coarse.num_pieces, 1);
    }
}

TEST(Target, OnlyStrengthOverThresholdCounts) {
  const Target target(test::row_of_cubes(20, 9));
  Impact impact = at(7.5, 0.3);
  const Answer one = target.strike(impact);
  impact.strength = 1000;
  impact.threshold = 300;
  EXPECT_EQ(target.strike(impact).piece_of_atom, one.piece_of_atom);
  EXPECT_GT(one.num_pieces, 1);
}

TEST(Target, ZeroThresholdFreesEveryAtomAndAHugeOneNone) {
  const Target target(test::row_of_cubes(5, 3));
  EXPECT_EQ(target.strike(at(2.5, 0)).num_pieces, 5);
  EXPECT_EQ(target.strike(at(2.5, 1e9)).num_pieces, 1);
}

TEST(Target, APieceBreaksAgainByItsOwnModesAndOthersAreUntouched) {
  const Target target(test::row_of_cubes(8, 8));
  const std::vector<std::int32_t> bodies{0, 0, 0, 0, 1, 1, 1, 1};
  const Answer answer = target.strike(at(5.5, 0), bodies, 1);
  EXPECT_THAT(answer.piece_of_atom, ElementsAre(-1, -1, -1, -1, 0, 1, 2, 3));
  double sum = 0;
  for (int a = 0; a < 8; ++a) {
    sum += answer.displacement[3 * a + 2];
  }
  EXPECT_THAT(std::vector(answer.displacement.begin(), answer.displacement.begin() + 12), testing::Each(0));
  EXPECT_NEAR(sum / 4, 1, 1e-12) << "strength is the mean over the piece";
}

TEST(Target, ThePieceThatIsTheWholeObjectAnswersAsTheObject) {
  const Target target(test::row_of_cubes(9, 5));
  const Impact impact = at(3.5, 0.2);
  const Answer whole = target.strike(impact);
  const Answer piece = target.strike(impact, std::vector<std::int32_t>(9, 7), 7);
  EXPECT_EQ(whole.piece_of_atom, piece.piece_of_atom);
  for (std::size_t i = 0; i < whole.displacement.size(); ++i)
    EXPECT_NEAR(whole.displacement[i], piece.displacement[i], 1e-12);
}

TEST(Target, VectorModesAnswerToTheDirection) {
  ImpactSet set = test::row_of_cubes(2, 2);
  set.components = 3;  // one mode: the halves part along x
  set.mode_energy = {1};
  const double u = 1 / std::sqrt(2.0);
  set.mode_value = {u, 0, 0, -u, 0, 0};
  const Target target(std::move(set));
  Impact impact = at(0.5, 0.05);
  impact.direction = {1, 0, 0};
  EXPECT_EQ(target.strike(impact).num_pieces, 2);
  impact.direction = {0, 1, 0};
  EXPECT_EQ(target.strike(impact).num_pieces, 1);
}

TEST(Target, NonsenseIsRefusedWithWords) {
  Target target(test::row_of_cubes(3, 2));
  const auto text = [](const char* part) { return ThrowsMessage<Error>(HasSubstr(part)); };
  Impact impact;
  impact.direction = {0, 0, 0};
  EXPECT_THAT([&] { (void)target.strike(impact); }, text("direction"));
  impact = {};
  impact.point[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([&] { (void)target.strike(impact); }, text("point"));
  impact = {};
  impact.threshold = -1;
  EXPECT_THAT([&] { (void)target.strike(impact); }, text("threshold"));
  impact = {};
  impact.strength = std::numeric_limits<double>::infinity();
  EXPECT_THAT([&] { (void)target.strike(impact); }, text("strength"));
  impact = {};
  EXPECT_THAT([&] { (void)target.strike(impact, std::vector<std::int32_t>(2), 0); }, text("3 atoms, got 2"));
  ImpactSet bare = target.set();
  bare.gaussian.reset();
  impact.smear = Smear::gaussian;
  EXPECT_THAT([&] { (void)Target(bare).strike(impact); }, text("no gaussian smear"));
  bare.vertices.clear();
  EXPECT_THAT([&] { Target nothing(bare); }, text("without vertices"));
}

TEST(Projection, IsIdempotentAndOrthogonal) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const std::vector<double> weight{0.3, 2, 1, 0.01, 5, 0.7};
  for (const int components : {1, 2, 3}) {
    AtomModes modes{components, {}};
    for (int i = 0; i < 4 * 6 * components; ++i) modes.value.push_back(normal(random));
    EXPECT_THAT(orthonormalise(modes, weight, 1e-9), ElementsAre(0, 1, 2, 3));
    std::vector<double> w(6 * components);
    for (double& x : w) x = normal(random);
    const auto once = project(modes, weight, w);
    const auto twice = project(modes, weight, once);
    std::vector<double> rest = w;
    for (std::size_t i = 0; i < w.size(); ++i) {
      EXPECT_NEAR(once[i], twice[i], 1e-12);
      rest[i] -= once[i];
    }
    for (const double x : project(modes, weight, rest)) EXPECT_NEAR(x, 0, 1e-12);
  }
}

TEST(Projection, DependentAndVanishingModesAreDropped) {
  AtomModes modes{1, {1, 1, 1, /* twice the first */ 2, 2, 2, /* left out by its weight */ 0, 0, 5, /* new */ 1, 0, 0}};
  EXPECT_THAT(orthonormalise(modes, std::vector<double>{1, 1, 0}, 1e-9), ElementsAre(0, 3));
  EXPECT_EQ(modes.value.size(), 6u);
}

TEST(SolidShape, TwoCubesMakeTheBoxOfTheTextbook) {
  const ImpactSet set = test::row_of_cubes(2, 1);
  const SolidShape box = combined(set.atoms);  // 2×1×1: I = m/12 (b² + c²), m = 2
  EXPECT_DOUBLE_EQ(box.volume, 2);
  EXPECT_THAT(box.centre, ElementsAre(1, 0.5, 0.5));
  EXPECT_NEAR(box.inertia[0], 2.0 / 12 * 2, 1e-15);
  EXPECT_NEAR(box.inertia[1], 2.0 / 12 * 5, 1e-15);
  EXPECT_NEAR(box.inertia[2], 2.0 / 12 * 5, 1e-15);
  for (int k = 3; k < 6; ++k) EXPECT_NEAR(box.inertia[k], 0, 1e-15);
}

}  // namespace
}  // namespace brisance::runtime
