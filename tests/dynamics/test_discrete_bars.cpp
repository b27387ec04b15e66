// The clamped bars of VALIDATION A6 with the matrix of implicit steps and statics.
#include "dynamics/bodies.hpp"
#include "support/sparse_body.hpp"

#include <array>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::dynamics {
namespace {

struct Bar {
  double poisson;
  int across;
  std::array<double, 2> frequencies;  ///< of the two planes, to the digits of the reference [1/s]
  double digit;
};

// Half of the last digit of each reference.
TEST(StepMatrix, A6FrequenciesOfClampedBars) {
  for (const Bar& bar : {Bar{0.3, 1, {.030109, .039293}, 5e-7}, Bar{0.3, 2, {.0208442, .0247353}, 5e-8},
                         Bar{0.3, 4, {.0174823, .0187421}, 5e-8}, Bar{0, 1, {.0291856, .0363143}, 5e-8},
                         Bar{0, 2, {.0203010, .0231667}, 5e-8}, Bar{0, 4, {.0172348, .0181311}, 5e-8}}) {
    const test::SparseBody body(test::unit_material(bar.poisson),
                                test::kuhn_box(10 * bar.across, bar.across, bar.across, 1, 0.1, 0.1),
                                [](const Vec3& x) { return x[0] == 0; });
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(body.frequency(i) / (2 * std::numbers::pi), bar.frequencies[static_cast<std::size_t>(i)],
                  1.01 * bar.digit)
          << bar.across << " across, nu = " << bar.poisson;
  }
}

}  // namespace
}  // namespace brisance::dynamics
