#include "brisance/core/exact_sum.hpp"
#include "brisance/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::core {
namespace {

double total(const std::vector<double>& terms) {
  ExactSum sum;
  for (double t : terms) sum.add(t);
  return sum.value();
}

TEST(ExactSum, SingleTermsComeBackUnchanged) {
  for (double x : {0.0, 1.0, -1.0, 3.14159, -2.5e-310, 5e-324, 1.7e308, -1.7e308, 1e-20, 123456789.0})
    EXPECT_EQ(total({x}), x) << x;
}

TEST(ExactSum, CancellationLeavesTheSmallTerm) {
  EXPECT_EQ(total({1e300, 1.0, -1e300}), 1.0);
  EXPECT_EQ(total({1e300, 5e-324, -1e300}), 5e-324);
  EXPECT_EQ(total({-1e16, 1.0, 1e16, -1.0}), 0.0);
}

TEST(ExactSum, RoundsToNearestEven) {
  EXPECT_EQ(total({1.0, 0x1p-53}), 1.0);                      // a tie goes to even
  EXPECT_EQ(total({1.0, 0x1p-53, 0x1p-200}), 1.0 + 0x1p-52);  // a hair above the tie goes up
  EXPECT_EQ(total({-1.0, -0x1p-53, -0x1p-200}), -1.0 - 0x1p-52);
}

TEST(ExactSum, DoesNotDependOnTheOrder) {
  std::vector<double> terms;
  for (std::uint64_t i = 0; i < 10000; ++i)
    terms.push_back((hash_uniform(1, i, 0) - 0.5) * std::pow(10.0, 40 * hash_uniform(1, i, 1) - 20));
  const double forward = total(terms);
  std::reverse(terms.begin(), terms.end());
  EXPECT_EQ(forward, total(terms));
  std::sort(terms.begin(), terms.end());
  EXPECT_EQ(forward, total(terms));
}

TEST(ExactSum, SubtractingIsExact) {
  ExactSum a, b;
  for (double t : {1e20, 3.0, -1e-20}) a.add(t);
  for (double t : {1e20, -1e-20}) b.add(t);
  a.subtract(b);
  EXPECT_EQ(a.value(), 3.0);
  a.subtract(a);
  EXPECT_EQ(a.value(), 0.0);
}

TEST(ExactSum, NotANumberSpreads) { EXPECT_TRUE(std::isnan(total({1.0, std::numeric_limits<double>::infinity()}))); }

}  // namespace
}  // namespace brisance::core
