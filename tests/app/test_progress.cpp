/// The progress line and the estimates behind `brisance check`.
#include "app/cli/progress.hpp"
#include "app/commands/command_line.hpp"
#include "app/scene/estimate.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace brisance::app {
namespace {

TEST(Progress, LineSaysWhereTheRunStandsAndHowLongItTakes) {
  // 0.04 s to go at 1e-4 s a step are 400 steps, at 25 ms each 10 s.
  const sim::Progress p{
      .step = 600, .time_s = 0.06, .duration_s = 0.1, .dt_s = 1e-4, .pieces = 12, .contacts = 3, .ms_per_step = 25};
  EXPECT_EQ(progress_line(p),
            " 60%  step 600  t 0.06000 s  dt 1.0e-04 s  12 pieces  3 contacts  25 ms/step  left 10 s");
}

TEST(Progress, FinishedRunHasNothingLeft) {
  const sim::Progress p{.step = 5, .time_s = 0.1, .duration_s = 0.1, .dt_s = 1e-4, .ms_per_step = 1000};
  EXPECT_TRUE(progress_line(p).starts_with("100%"));
  EXPECT_TRUE(progress_line(p).ends_with("left 0 s"));
}

TEST(Progress, DurationsAreReadable) {
  EXPECT_EQ(duration_words(45), "45 s");
  EXPECT_EQ(duration_words(750), "12 min 30 s");
  EXPECT_EQ(duration_words(3 * 3600 + 300), "3 h 05 min");
  EXPECT_EQ(duration_words(std::numeric_limits<double>::quiet_NaN()), "unknown");
}

TEST(Estimate, CountsRegularTets) {
  mesh::Request request;
  request.edge_length_m = 0.1;
  EXPECT_EQ(estimate_mesh(request, 1).tets, 8485);  // 6√2 · 1000
  request.edge_length_m = 0;
  request.target_tets = 1234;
  EXPECT_EQ(estimate_mesh(request, 1).tets, 1234);
}

TEST(Estimate, StepRangeIsTheBoundOfRegularTets) {
  // Edge 1, nu = 0, E = rho = 1: the bound of four altitudes h is 1/(c_p sqrt(4/h^2)) = h/2.
  material::Material m;
  m.density = 1;
  m.lame_mu = 0.5;
  const StepRange range = stable_step_range(m, 1);
  EXPECT_NEAR(range.shortest_s, kWorstAltitude.shortest / 2, 1e-12);
  EXPECT_NEAR(range.longest_s, kWorstAltitude.longest / 2, 1e-12);
}

TEST(CommandLine, PetscOptionsAreSplitOff) {
  const char* argv[] = {"brisance", "run", "s.toml", "--out", "d", "-log_view", "-dyn_ksp_rtol", "1e-8"};
  const Arguments a = split_arguments(8, argv);
  EXPECT_EQ(a.own, (std::vector<std::string>{"run", "s.toml", "--out", "d"}));
  EXPECT_EQ(a.petsc, (std::vector<std::string>{"-log_view", "-dyn_ksp_rtol", "1e-8"}));
}

}  // namespace
}  // namespace brisance::app
