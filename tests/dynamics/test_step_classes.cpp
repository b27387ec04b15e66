// Several clocks: which step an element gets, and the forces of those that have short ones.
#include "brisance/dynamics/step_classes.hpp"

#include "bodies.hpp"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

namespace brisance::dynamics {
namespace {

StepHistogram histogram_of(std::initializer_list<std::pair<double, int>> steps) {
  StepHistogram histogram;
  histogram.shortest_s = steps.begin()->first;
  for (const auto& [step_s, count] : steps)
    for (int i = 0; i < count; ++i) histogram.add(step_s);
  return histogram;
}

TEST(StepClasses, AClassIsTheLongestHalvingThatFits) {
  EXPECT_EQ(step_class(1, 1), 0);
  EXPECT_EQ(step_class(5, 1), 0);
  EXPECT_EQ(step_class(0.999, 1), 1);
  EXPECT_EQ(step_class(0.5, 1), 1);
  EXPECT_EQ(step_class(0.499, 1), 2);
  EXPECT_EQ(step_class(1e-9, 1), kMostStepClasses - 1);
}

TEST(StepClasses, HistogramPutsEveryStepBetweenTheEndsOfItsBin) {
  for (double step_s = 3e-7; step_s < 1; step_s *= 1.0371) {
    StepHistogram histogram;
    histogram.shortest_s = 3e-7;
    histogram.add(step_s);
    const auto bin =
        static_cast<int>(std::find(histogram.count.begin(), histogram.count.end(), 1) - histogram.count.begin());
    EXPECT_GE(step_s, histogram.lower_end(bin));
    if (bin + 1 < static_cast<int>(histogram.count.size())) {
      EXPECT_LT(step_s, histogram.lower_end(bin + 1));
    }
  }
  EXPECT_DOUBLE_EQ(histogram_of({{1, 1}}).lower_end(6), std::pow(2, 1.5));
}

TEST(StepClasses, CoarseStepIsThatOfTheMany) {
  const auto choose = [](const StepHistogram& h, double longest_s = 1e9, double current_s = 0) {
    return choose_coarse_step(h, longest_s, current_s, kMostStepClasses);
  };
  EXPECT_EQ(choose(histogram_of({{1, 100000}})), 1);
  EXPECT_EQ(choose(histogram_of({{1, 100000}, {1.2, 100000}})), 1);  // not worth two clocks
  // A hundredth of slivers: three percent below what the rest allows, so that some strain does not change its class.
  const StepHistogram slivers = histogram_of({{1, 1000}, {16, 100000}});
  EXPECT_NEAR(choose(slivers), 16 / 1.03, 1e-12);
  EXPECT_LE(choose(slivers, 5), 5);             // not longer than allowed
  EXPECT_EQ(choose(slivers, 0.5), 1);           // one clock
  EXPECT_EQ(choose(slivers, 1e9, 15.3), 15.3);  // as good: kept
  EXPECT_LE(choose_coarse_step(slivers, 1e9, 0, 3), 4);
  // Where a third is short, the rest does not run away from them.
  EXPECT_LT(choose(histogram_of({{1, 1000}, {2, 40000}, {16, 80000}})), 2);
}

TEST(StepClasses, PackedElementsHaveTheForcesOfChosenOnes) {
  std::mt19937 generator(7);
  test::SerialBlocks body(test::jittered_box(3, 3, 2, generator), {test::soft_viscous()}, true);
  test::shake(body, generator, 0.05, 0.1);
  body.update_forces();  // lets it flow
  std::vector<std::int32_t> chosen;
  for (int e = 0; e < body.num_elements; e += 3) chosen.push_back(e);
  core::AlignedVector<dist::NodeForce> wanted(body.nodes.size()), found(body.nodes.size());
  const ForceOptions options{.viscous_split = true, .separation_bound = false};
  internal_forces_of(body.spans(), body.materials, body.nodes, chosen, wanted, options);
  PackedElements packed;
  packed.pack(body.spans(), chosen);
  EXPECT_EQ(packed.size(), chosen.size());
  packed.internal_forces(body.materials, body.nodes, found, options);
  for (std::size_t n = 1; n < wanted.size(); ++n)
    EXPECT_EQ(std::memcmp(&wanted[n], &found[n], sizeof(dist::NodeForce)), 0) << n;
}

}  // namespace
}  // namespace brisance::dynamics
