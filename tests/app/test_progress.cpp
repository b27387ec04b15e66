/// The progress line and the estimates behind `brisance check`.
#include "app/command_line.hpp"
#include "app/estimate.hpp"
#include "app/progress.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace brisance::app {
namespace {

TEST(Progress, LineSaysWhereTheRunStandsAndHowLongItTakes) {
  // 0.04 s to go at 1e-4 s a step are 400 steps, at 25 ms each 10 s.
  const Progress p{.step = 600,
                   .time_s = 0.06,
                   .duration_s = 0.1,
                   .step_s = 1e-4,
                   .num_pieces = 12,
                   .num_contacts = 3,
                   .wall_s_per_step = 0.025};
  EXPECT_EQ(progress_line(p),
            " 60%  step 600  t 0.06000 s  dt 1.0e-04 s  12 pieces  3 contacts  25 ms/step  left 10 s");
}

TEST(Progress, FinishedRunHasNothingLeft) {
  const Progress p{.step = 5, .time_s = 0.1, .duration_s = 0.1, .step_s = 1e-4, .wall_s_per_step = 1};
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

TEST(Estimate, StepOfARegularTetIsItsEigenvalueBound) {
  // Regular tet, edge 1, nu = 0, E = rho = 1: altitude sqrt(2/3), bound 1/(c_p sqrt(4/h^2)) = h/2.
  material::Material m;
  m.density = 1;
  m.lame_mu = 0.5;
  EXPECT_NEAR(stable_step_s(m, std::sqrt(2.0 / 3)), std::sqrt(2.0 / 3) / 2, 1e-12);
}

TEST(CommandLine, PetscOptionsAreSplitOff) {
  const char* argv[] = {"brisance", "run", "s.toml", "--out", "d", "-log_view", "-dyn_ksp_rtol", "1e-8"};
  const Arguments a = split_arguments(8, argv);
  EXPECT_EQ(a.own, (std::vector<std::string>{"run", "s.toml", "--out", "d"}));
  EXPECT_EQ(a.petsc, (std::vector<std::string>{"-log_view", "-dyn_ksp_rtol", "1e-8"}));
}

}  // namespace
}  // namespace brisance::app
