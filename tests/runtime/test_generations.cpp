/// Rows of cubes whose middle cube breaks again by its own modes: the bodies that are evaluated, and the resulting
/// atoms.
#include "brisance/runtime/error.hpp"
#include "brisance/runtime/generations.hpp"
#include "brisance/runtime/impact_file.hpp"

#include "runtime/sample_set.hpp"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::runtime {
namespace {

using testing::ElementsAre;

/// Four cubes; cube 1 is four slices, atoms 1 to 4, and cubes 0, 2, 3 are atoms 0, 5, 6.
Generations row() {
  ImpactSet slices = test::row_of_cubes(4, 4);
  for (auto& vertex : slices.vertices) vertex[0] = 1 + vertex[0] / 4;
  for (auto& atom : slices.atoms) atom.volume /= 4, atom.centre[0] = 1 + atom.centre[0] / 4;
  for (double& value : slices.mode_value) value *= 2;  // orthonormal on a quarter of the volume
  ImpactSet object = test::row_of_cubes(4, 4);
  object.own.resize(4);
  object.own[1] = std::move(slices);
  // Through a file: what it holds is all that the library has.
  const std::string bytes = encode(object);
  EXPECT_EQ(bytes[8], kGenerationsVersion);
  return Generations(decode(bytes, "row"));
}

Impact at(double x, double threshold) {
  Impact impact;
  impact.point = {x, 0.5, 1};
  impact.threshold = threshold;
  return impact;
}

TEST(Generations, AtomsAreTheSmallestPiecesOfBoth) {
  const Generations modes = row();
  ASSERT_EQ(modes.num_atoms(), 7);
  double volume = 0;
  for (int a = 0; a < 7; ++a) volume += modes.shape(a).volume;
  EXPECT_NEAR(volume, 4, 1e-12);
  EXPECT_NEAR(modes.shape(2).centre[0], 1.375, 1e-12);
}

TEST(Generations, TheObjectBreaksAlongItsOwnCracksOnly) {
  const Generations modes = row();
  EXPECT_THAT(modes.strike(at(1.5, 0), std::vector<std::int32_t>(7, 3), 3),
              ElementsAre(ElementsAre(0), ElementsAre(1, 2, 3, 4), ElementsAre(5), ElementsAre(6)));
}

TEST(Generations, ABodyOfSeveralFirstPiecesIsStruckAsOne) {
  const Generations modes = row();
  EXPECT_THAT(modes.strike(at(2.5, 0), std::vector<std::int32_t>{9, 4, 4, 4, 4, 4, 8}, 4),
              ElementsAre(ElementsAre(1, 2, 3, 4), ElementsAre(5)));
}

TEST(Generations, AFirstPieceAloneBreaksByItsOwnModesAndItsPartsAgain) {
  const Generations modes = row();
  EXPECT_THAT(modes.strike(at(1.5, 0), std::vector<std::int32_t>{9, 4, 4, 4, 4, 8, 8}, 4),
              ElementsAre(ElementsAre(1), ElementsAre(2), ElementsAre(3), ElementsAre(4)));
  EXPECT_THAT(modes.strike(at(1.9, 0), std::vector<std::int32_t>{9, 5, 5, 4, 4, 8, 8}, 4),
              ElementsAre(ElementsAre(3), ElementsAre(4)));
  EXPECT_THAT(modes.strike(at(1.5, 1e9), std::vector<std::int32_t>{9, 4, 4, 4, 4, 8, 8}, 4),
              ElementsAre(ElementsAre(1, 2, 3, 4)));
}

TEST(Generations, APieceWithoutModesOfItsOwnStaysWhole) {
  const Generations modes = row();
  EXPECT_THAT(modes.strike(at(0.5, 0), std::vector<std::int32_t>{0, 4, 4, 4, 4, 8, 8}, 0), ElementsAre(ElementsAre(0)));
  EXPECT_TRUE(modes.strike(at(0.5, 0), std::vector<std::int32_t>(7, 1), 2).empty()) << "no such body";
}

TEST(Generations, ModesOfAnotherObjectAreRefused) {
  ImpactSet object = test::row_of_cubes(4, 4);
  object.own.resize(3);
  EXPECT_THROW(Generations{object}, Error);
}

TEST(Generations, AThirdGenerationDividesAPieceOfTheSecond) {
  // Two cubes; the second has two halves, the second of which has two quarters: atoms 0, 1, 2 and 3.
  const auto halves = [](double from, double size) {
    ImpactSet set = test::row_of_cubes(2, 2);
    for (auto& vertex : set.vertices) vertex[0] = from + size * vertex[0];
    for (auto& atom : set.atoms) atom.volume *= size, atom.centre[0] = from + size * atom.centre[0];
    for (double& value : set.mode_value) value /= std::sqrt(size);
    return set;
  };
  ImpactSet object = test::row_of_cubes(2, 2);
  object.own.resize(2);
  object.own[1] = halves(1, 0.5);
  object.own[1].own.resize(2);
  object.own[1].own[1] = halves(1.5, 0.25);
  const Generations modes(decode(encode(object), "cubes"));
  EXPECT_EQ(modes.num_generations(), 3);
  EXPECT_EQ(modes.num_atoms(), 4);
  EXPECT_EQ(modes.num_faces(), 3);
  EXPECT_THAT(modes.strike(at(1.2, 0)), ElementsAre(ElementsAre(0), ElementsAre(1, 2, 3)));
  EXPECT_THAT(modes.strike(at(1.2, 0), std::vector<std::int32_t>{0, 1, 1, 1}, 1),
              ElementsAre(ElementsAre(1), ElementsAre(2, 3)));
  EXPECT_THAT(modes.strike(at(1.8, 0), std::vector<std::int32_t>{0, 1, 2, 2}, 2),
              ElementsAre(ElementsAre(2), ElementsAre(3)));
}

TEST(Generations, TooManyAreRefused) {
  ImpactSet set = test::row_of_cubes(2, 2);
  for (int g = 0; g < kMostGenerations; ++g) {
    ImpactSet above = test::row_of_cubes(2, 2);
    above.own = {set, {}};
    set = std::move(above);
  }
  EXPECT_THROW((void)decode(encode(set), "deep"), Error);
}

}  // namespace
}  // namespace brisance::runtime
