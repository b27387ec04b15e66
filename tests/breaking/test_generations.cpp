/// Rows of cubes whose middle cube breaks again by its own modes: the bodies that are evaluated, and the resulting
/// atoms.
#include "brisance/breaking/generations.hpp"
#include "brisance/core/error.hpp"

#include "runtime/sample_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::breaking {
namespace {

using testing::ElementsAre;

/// Four cubes; cube 1 is four slices, atoms 1 to 4, and cubes 0, 2, 3 are atoms 0, 5, 6.
Generations row() {
  runtime::ImpactSet slices = test::row_of_cubes(4, 4);
  for (auto& vertex : slices.vertices) vertex[0] = 1 + vertex[0] / 4;
  for (auto& atom : slices.atoms) atom.volume /= 4, atom.centre[0] = 1 + atom.centre[0] / 4;
  for (double& value : slices.mode_value) value *= 2;  // orthonormal on a quarter of the volume
  std::vector<std::optional<runtime::ImpactSet>> own(4);
  own[1] = std::move(slices);
  return Generations(test::row_of_cubes(4, 4), std::move(own));
}

runtime::Impact at(double x, double threshold) {
  runtime::Impact impact;
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
  EXPECT_LE(modes.strike(at(0.5, 0), std::vector<std::int32_t>{0, 4, 4, 4, 4, 8, 8}, 0).size(), 1u);
  EXPECT_TRUE(modes.strike(at(0.5, 0), std::vector<std::int32_t>(7, 1), 2).empty()) << "no such body";
}

TEST(Generations, ModesOfAnotherObjectAreRefused) {
  EXPECT_THROW(Generations(test::row_of_cubes(4, 4), std::vector<std::optional<runtime::ImpactSet>>(3)), core::Error);
}

}  // namespace
}  // namespace brisance::breaking
