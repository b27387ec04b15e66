#include "brisance/render/colour.hpp"

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

double luminance(const Rgb& colour) { return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]; }

TEST(Colour, OklabGreysAreGreyAndWhiteIsWhite) {
  EXPECT_LT((from_oklch(1, 0, 123) - 1).abs().maxCoeff(), 1e-4);
  const Rgb grey = from_oklch(0.5, 0, 40);  // lightness is the cube root of luminance for greys
  EXPECT_LT((grey - 0.125F).abs().maxCoeff(), 1e-4);
}

TEST(Colour, FieldColoursGetLighterAllTheWay) {
  for (int i = 0; i < 100; ++i)
    EXPECT_LT(luminance(field_colour(i / 100.0)), luminance(field_colour((i + 1) / 100.0))) << i;
  EXPECT_TRUE((field_colour(-3) == field_colour(0)).all());
  EXPECT_TRUE((field_colour(9) == field_colour(1)).all());
}

TEST(Colour, SrgbCurveMeetsKnownPoints) {
  EXPECT_NEAR(srgb_encoded(0.5F), 0.735357F, 1e-5);  // IEC 61966-2-1
  EXPECT_NEAR(srgb_encoded(0.002F), 0.02584F, 1e-6);
  EXPECT_NEAR(srgb_encoded(7), 1, 1e-6);
  EXPECT_EQ(srgb_encoded(-1), 0);
}

}  // namespace
}  // namespace brisance::render
