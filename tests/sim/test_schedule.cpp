/// Events at multiples of an interval, for any interval.
#include "sim/output/schedule.hpp"

#include <limits>
#include <vector>

#include <gmock/gmock.h>

namespace brisance::sim {
namespace {

/// Steps, out of 0 … `steps`, each `dt_s` long, that an event happened at.
std::vector<int> steps_with_events(double interval_s, double dt_s, int steps) {
  Schedule schedule{interval_s};
  std::vector<int> due;
  for (int i = 0; i <= steps; ++i) {
    if (schedule.is_due(i * dt_s)) due.push_back(i);
    schedule.pass(i * dt_s);
  }
  return due;
}

TEST(Schedule, EventsComeAtMultiplesThoughProductsRound) {
  EXPECT_THAT(steps_with_events(0.3, 0.1, 10), ::testing::ElementsAre(0, 3, 6, 9));
  EXPECT_THAT(steps_with_events(1, 0.4, 6), ::testing::ElementsAre(0, 3, 5));
}

TEST(Schedule, AStepThatPassesSeveralMakesOne) {
  EXPECT_THAT(steps_with_events(0.25, 1, 3), ::testing::ElementsAre(0, 1, 2, 3));
  Schedule schedule{0.25};
  schedule.pass(1);
  EXPECT_EQ(schedule.next, 5);
}

TEST(Schedule, AnIntervalFarBelowAStepIsDueAtEachAndAlwaysEnds) {
  for (const double interval_s : {1e-15, 1e-30, 1e-300, std::numeric_limits<double>::denorm_min()})
    EXPECT_EQ(steps_with_events(interval_s, 1e-5, 4).size(), 5u) << interval_s;
  Schedule schedule{1e-30};
  schedule.pass(1e30);
  EXPECT_EQ(schedule.next, Schedule::kMostEvents);
}

TEST(Schedule, AnIntervalLongerThanTheRunIsDueOnce) {
  EXPECT_THAT(steps_with_events(1e300, 1, 5), ::testing::ElementsAre(0));
}

}  // namespace
}  // namespace brisance::sim
