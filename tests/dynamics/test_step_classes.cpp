// Sub-cycling: the step of each element, and the forces of sub-cycled elements.
#include "brisance/dynamics/step_classes.hpp"

#include "bodies.hpp"

#include <cmath>
#include <cstring>

#include <Eigen/Eigenvalues>
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
    return choose_coarse_step(h, {.longest_s = longest_s, .current_s = current_s});
  };
  EXPECT_EQ(choose(histogram_of({{1, 100000}})), 1);
  EXPECT_EQ(choose(histogram_of({{1, 100000}, {1.2, 100000}})), 1);  // sub-cycling does not pay
  // A hundredth of slivers: three percent below what the rest allows, so that some strain does not change its class.
  const StepHistogram slivers = histogram_of({{1, 1000}, {16, 100000}});
  EXPECT_NEAR(choose(slivers), 16 / 1.03, 1e-12);
  EXPECT_LE(choose(slivers, 5), 5);             // not longer than allowed
  EXPECT_EQ(choose(slivers, 0.5), 1);           // one step for all
  EXPECT_EQ(choose(slivers, 1e9, 15.3), 15.3);  // as good as the best: kept
  EXPECT_LE(choose_coarse_step(slivers, {.longest_s = 1e9, .most_classes = 3}), 4);
  // With a third of short elements, the coarse step does not become much longer than theirs.
  EXPECT_LT(choose(histogram_of({{1, 1000}, {2, 40000}, {16, 80000}})), 2);
  // Sub-steps of many elements are not worth it by themselves, but where contact costs more in each coarse step.
  const StepHistogram many = histogram_of({{1, 9000}, {1.42, 91000}});
  EXPECT_EQ(choose(many), 1);
  EXPECT_NEAR(choose_coarse_step(many, {.longest_s = 1e9, .step_work = 2e6}), std::sqrt(2.0) / 1.03, 1e-9);
}

TEST(StepClasses, PackedElementsHaveTheForcesOfChosenOnes) {
  std::mt19937 generator(7);
  test::SerialBlocks body(test::jittered_box(3, 3, 2, generator), {test::soft_viscous()}, true);
  test::shake(body, generator, 0.05, 0.1);
  body.update_forces();  // lets it flow
  std::vector<std::int32_t> chosen;
  for (int e = 0; e < body.num_elements; e += 3) chosen.push_back(e);
  core::AlignedVector<dist::NodeForce> wanted(body.nodes.size());
  const ForceOptions options{.viscous_split = true, .separation_bound = false};
  internal_forces_of(body.spans(), body.materials, body.nodes, chosen, wanted, options);
  FewNodes few;
  few.clear(body.nodes.size());
  PackedElements packed;
  packed.pack(body.spans(), chosen, 1, few);
  EXPECT_EQ(packed.size(), chosen.size());
  EXPECT_LT(few.size(), body.nodes.size());
  core::AlignedVector<dist::NodeMotion> motion;
  for (const std::int32_t slot : few.slots()) motion.push_back(body.nodes[static_cast<std::size_t>(slot)]);
  core::AlignedVector<dist::NodeForce> found(few.size());
  packed.internal_forces(body.materials, motion, found, options);
  for (std::size_t n = 1; n < wanted.size(); ++n) {
    const auto number = static_cast<std::size_t>(few.number_if_any(static_cast<std::int32_t>(n)));
    if (number > 0) {
      EXPECT_EQ(std::memcmp(&wanted[n], &found[number], sizeof(dist::NodeForce)), 0) << n;
    }
  }

  // With weights, and added to previous forces: a quarter four times, to the bit.
  packed.pack(body.spans(), chosen, 0.25, few);
  core::AlignedVector<dist::NodeForce> quarter(few.size());
  packed.flow_and_add_internal_forces(body.materials, motion, quarter, options);
  for (std::size_t number = 1; number < few.size(); ++number) {
    const auto n = static_cast<std::size_t>(few.slots()[number]);
    for (int a = 0; a < 3; ++a) {
      EXPECT_EQ(4 * quarter[number].force[a], wanted[n].force[a]) << n;
      EXPECT_EQ(4 * quarter[number].viscous[a], wanted[n].viscous[a]) << n;
    }
  }
}

// Copies flow as the elements would, and return their plastic state to the bit; other elements stay unchanged.
TEST(StepClasses, PackedElementsFlow) {
  std::mt19937 generator(8);
  material::Material law = test::soft_viscous();
  law.yield_strain = 0.02;
  law.plastic_limit = 0.3;
  test::SerialBlocks body(test::jittered_box(3, 3, 2, generator), {law}, true);
  std::vector<std::int32_t> chosen;
  for (int e = 0; e < body.num_elements; e += 3) chosen.push_back(e);
  FewNodes few;
  few.clear(body.nodes.size());
  PackedElements packed;
  packed.pack(body.spans(), chosen, 0.25, few);
  test::shake(body, generator, 0.05, 0.1);
  core::AlignedVector<dist::NodeMotion> motion;
  for (const std::int32_t slot : few.slots()) motion.push_back(body.nodes[static_cast<std::size_t>(slot)]);
  core::AlignedVector<dist::NodeForce> forces(few.size());
  packed.flow_and_add_internal_forces(body.materials, motion, forces, {});
  core::AlignedVector<PlasticBlock> found = body.plastic;
  packed.put_back_flow(chosen, found);
  body.update_forces();
  double work = 0;
  for (int e = 0; e < body.num_elements; ++e) {
    const auto block = static_cast<std::size_t>(e) / dist::kBatch;
    const int lane = e % dist::kBatch;
    const bool flows = e % 3 == 0;
    for (int k = 0; k < 6; ++k)
      EXPECT_EQ(found[block].strain[k][lane], flows ? body.plastic[block].strain[k][lane] : 0.0) << e;
    EXPECT_EQ(found[block].dissipated[lane], flows ? body.plastic[block].dissipated[lane] : 0.0) << e;
    work += found[block].dissipated[lane];
  }
  EXPECT_GT(work, 0);
}

/// A bar (E = ρ = 1) of elements of these lengths, whose classes follow from their own steps: the largest eigenvalue of
/// the map of positions and velocities over a coarse step. Masses are shared as in critical_step.hpp.
/// @param damping_share  damping time over the coarse step
double growth_of_a_bar(std::span<const double> lengths, double safety, double damping_share) {
  const auto ne = static_cast<Eigen::Index>(lengths.size()), nn = ne + 1;
  Eigen::VectorXd mass = Eigen::VectorXd::Zero(nn), added_stiffness = mass;
  for (Eigen::Index e = 0; e < ne; ++e) {
    mass.segment<2>(e).array() += lengths[e] / 2;
    added_stiffness.segment<2>(e).array() += 2 / lengths[e];
  }
  added_stiffness = added_stiffness.cwiseQuotient(mass);
  const auto own_step = [&](Eigen::Index e, double damping_time) {
    const double k = (added_stiffness[e] + added_stiffness[e + 1]) / 2, c = damping_time * k;
    return 2 / (std::sqrt(k + c * c / 4) + c / 2);
  };
  double coarse = 0;  // damping shortens the steps, and is a share of the longest: a few rounds find it
  for (int round = 0; round < 20; ++round) {
    double longest = 0;
    for (Eigen::Index e = 0; e < ne; ++e) longest = std::max(longest, own_step(e, damping_share * coarse));
    coarse = longest;
  }
  const double damping_time = damping_share * coarse, step = safety * coarse;
  int finest = 0;
  std::vector<Eigen::MatrixXd> stiffness(kMostStepClasses, Eigen::MatrixXd::Zero(nn, nn));
  for (Eigen::Index e = 0; e < ne; ++e) {
    const int k = step_class(own_step(e, damping_time), coarse);
    finest = std::max(finest, k);
    stiffness[k].block<2, 2>(e, e) += (Eigen::Matrix2d() << 1, -1, -1, 1).finished() / lengths[e];
  }
  Eigen::MatrixXd all = Eigen::MatrixXd::Identity(2 * nn, 2 * nn);
  for (int j = 0; j < 1 << finest; ++j) {
    Eigen::MatrixXd kick = Eigen::MatrixXd::Zero(nn, nn);
    for (int k = 0; k <= finest; ++k)
      if (j % (1 << (finest - k)) == 0) kick += std::ldexp(step, -k) * mass.cwiseInverse().asDiagonal() * stiffness[k];
    const Eigen::MatrixXd velocity = all.bottomRows(nn);
    all.bottomRows(nn) -= kick * (all.topRows(nn) + damping_time * velocity);
    all.topRows(nn) += std::ldexp(step, -finest) * all.bottomRows(nn);
  }
  return all.eigenvalues().cwiseAbs().maxCoeff();
}

TEST(StepClasses, WithLeastDampingNoBarOfRandomElementsGrows) {
  int undamped = 0, bars = 0;
  double most = 0;
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform;
  for (int i = 0; i < 100; ++i) {
    std::vector<double> lengths(16);
    for (double& l : lengths)
      l = uniform(generator) < 0.3 ? std::exp2(-5 * uniform(generator)) : 1 + 0.3 * uniform(generator);
    for (const double safety : {0.7, 0.8, 0.9, 0.99}) {
      ++bars;
      undamped += growth_of_a_bar(lengths, safety, 0) > 1 + 1e-6 ? 1 : 0;
      most = std::max(most, growth_of_a_bar(lengths, safety, kLeastDampingShare));
    }
  }
  EXPECT_LT(most, 1 + 1e-6);  // rigid motion neither grows nor ends; 1e-6: a double eigenvalue in doubles
  EXPECT_GT(undamped, 0);
  RecordProperty("undamped_bars_that_grow", std::to_string(undamped) + " of " + std::to_string(bars));
}

TEST(FewNodes, NumbersNodesAsTheyCome) {
  FewNodes few;
  for (int times = 0; times < 2; ++times) {
    few.clear(10);
    EXPECT_EQ(few.number_if_any(7), 0);
    EXPECT_EQ(few.number(7), 1);
    EXPECT_EQ(few.number(3), 2);
    EXPECT_EQ(few.number(7), 1);
    EXPECT_EQ(few.number_if_any(12), 0);
    EXPECT_EQ(few.size(), 3U);
  }
}

}  // namespace
}  // namespace brisance::dynamics
