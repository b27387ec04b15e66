/// Random numbers of a pixel: even within each purpose, independent between purposes.
#include "render/sampling/sampler.hpp"

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

constexpr std::uint32_t kSamples = 64;

/// Points of the first purposes of each sample of a pixel.
std::vector<std::array<Point2, 3>> points_of(std::uint64_t pixel) {
  std::vector<std::array<Point2, 3>> points;
  for (std::uint32_t i = 0; i < kSamples; ++i) {
    Sampler sampler(3, pixel, i, kSamples);
    auto& point = points.emplace_back();
    for (Point2& each : point) each = sampler.next();
  }
  return points;
}

TEST(Sampler, WhatTwoPurposesDrawIsIndependent) {
  // Two choices by halves agree for half of the samples. The two samples of a pair fall into different halves each
  // time, so that a pixel has N/2 independent pairs, and the share may stray by 0.5/√(N/2) in the mean over pixels. If
  // the order of one purpose followed from that of the other, all would agree, or none: 0.5.
  constexpr int kPixels = 400;
  std::array<double, 4> squares{};
  for (std::uint64_t pixel = 0; pixel < kPixels; ++pixel) {
    std::array<double, 4> agree{};
    for (const auto& [a, b, c] : points_of(pixel)) {
      agree[0] += (a.u < 0.5F) == (b.u < 0.5F) ? 1 : 0;
      agree[1] += (a.v < 0.5F) == (b.v < 0.5F) ? 1 : 0;
      agree[2] += (a.u < 0.5F) == (c.v < 0.5F) ? 1 : 0;
      agree[3] += (b.u < 0.25F) == (c.u < 0.5F) ? 1 : 0;
    }
    for (std::size_t k = 0; k < agree.size(); ++k) squares[k] += std::pow(agree[k] / kSamples - 0.5, 2) / kPixels;
  }
  for (const double each : squares) EXPECT_LT(std::sqrt(each), 1.2 * 0.5 / std::sqrt(kSamples / 2));
}

TEST(Sampler, BlocksOfSamplesAreSpreadEvenly) {
  // A (0,2)-sequence: of 2^k samples in a row, from a multiple of 2^k on, each lies in a cell of its own of any grid of
  // 2^i × 2^(k−i) cells.
  for (std::uint64_t pixel = 0; pixel < 20; ++pixel) {
    const auto points = points_of(pixel);
    for (std::uint32_t size = 2, log = 1; size <= kSamples; size *= 2, ++log)
      for (std::uint32_t first = 0; first < kSamples; first += size)
        for (std::uint32_t across = 0; across <= log; ++across)
          for (std::size_t purpose = 0; purpose < 3; ++purpose) {
            std::set<std::pair<int, int>> cells;
            for (std::uint32_t i = first; i < first + size; ++i) {
              const Point2 p = points[i][purpose];
              ASSERT_TRUE(p.u >= 0 && p.u < 1 && p.v >= 0 && p.v < 1);
              cells.emplace(static_cast<int>(std::ldexp(p.u, static_cast<int>(across))),
                            static_cast<int>(std::ldexp(p.v, static_cast<int>(log - across))));
            }
            ASSERT_EQ(cells.size(), size) << "pixel " << pixel << ", block at " << first << ", grid " << across;
          }
  }
}

TEST(Sampler, PixelsAndSeedsDiffer) {
  Sampler here(1, 5, 0, kSamples), beside(1, 6, 0, kSamples), other(2, 5, 0, kSamples), again(1, 5, 0, kSamples);
  const Point2 a = here.next(), b = beside.next(), c = other.next(), d = again.next();
  EXPECT_NE(a.u, b.u);
  EXPECT_NE(a.u, c.u);
  EXPECT_EQ(a.u, d.u);
  EXPECT_EQ(a.v, d.v);
}

}  // namespace
}  // namespace brisance::render
