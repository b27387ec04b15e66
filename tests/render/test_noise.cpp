#include "brisance/core/random.hpp"

#include "render/film/noise.hpp"

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

TEST(NoiseEstimate, IsTheStandardErrorOfTheDisplayedValue) {
  NoiseEstimate estimate;
  for (const double luminance : {1.0, 2.0, 3.0, 6.0}) estimate.add(luminance);
  // mean 3, variance 14/3, standard error sqrt(14/12); shown 3/4 with slope 1/16
  EXPECT_NEAR(estimate.relative_error(), std::sqrt(14.0 / 12) / ((3 + 0.02) * 4), 1e-12);
}

TEST(NoiseEstimate, OneSampleSaysNothing) {
  NoiseEstimate estimate;
  estimate.add(1);
  EXPECT_EQ(estimate.relative_error(), HUGE_VAL);
  estimate.add(1);
  EXPECT_EQ(estimate.relative_error(), 0);
}

TEST(NoiseEstimate, IsFiniteForBlackPixelsAndNegativeLight) {
  NoiseEstimate black;
  for (const double luminance : {0.0, 0.0, 1e-9, -1e-9}) black.add(luminance);
  EXPECT_LT(black.relative_error(), 1e-6);
}

}  // namespace
}  // namespace brisance::render
