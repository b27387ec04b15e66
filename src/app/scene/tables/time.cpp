/// Keys of [time]: how long, and how it is integrated.
#include "brisance/dynamics/step_classes.hpp"

#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

namespace brisance::app {

namespace {

using sim::Scene;

constexpr auto kTime = [](auto& s, std::size_t) -> auto& { return s.time; };

}  // namespace

Table time_table() {
  using dynamics::Parameters;
  return {
      .path = "time",
      .sentence = "How long the scene runs and how it is integrated.",
      .keys = {
          bind(kScene, &Scene::duration_s,
               {.name = "duration_s",
                .unit = "s",
                .sentence = "Simulated time; must be given.",
                .example = "0.1",
                .range = kPositive}),
          bind_choice(kTime, &Parameters::integrator, {"symplectic_euler", "forward_euler", "taylor2"},
                      {.name = "integrator",
                       .sentence = "Time integration; the last two are those of the 1999 paper and need damping."}),
          bind(kTime, &Parameters::step_safety,
               {.name = "step_safety",
                .unit = "–",
                .sentence = "Share of the largest stable step that is used.",
                .example = "0.8",
                .range = {.low = 0, .high = 1, .low_open = true}}),
          bind(kTime, &Parameters::max_step_s,
               {.name = "max_step_s",
                .unit = "s",
                .sentence = "Never step further than this.",
                .example = "1e-4",
                .range = kPositiveOrInfinite}),
          bind(kTime, &Parameters::min_step_s,
               {.name = "min_step_s",
                .unit = "s",
                .sentence = "Stop, naming the elements to blame, if the step falls below this; 0: duration_s / 5e7.",
                .example = "1e-9",
                .range = kNotNegative}),
          bind(kTime, &Parameters::max_inverted_share,
               {.name = "max_inverted_share",
                .unit = "–",
                .sentence =
                    "Stop if more than this share of all tets is inverted; looked at with each row of monitor.csv.",
                .example = "0.05",
                .range = {.low = 0, .high = 1}}),
          bind(kTime, &Parameters::strain_refresh_steps,
               {.name = "strain_refresh_steps",
                .unit = "–",
                .sentence = "Steps between two looks at the strains that shorten the step.",
                .example = "16",
                .range = {.low = 1, .high = 1000000}}),
          bind(kTime, &Parameters::step_classes,
               {.name = "step_classes",
                .unit = "–",
                .sentence = "Lengths of step, each half of the one before, of which every element takes the one that "
                            "suits it (symplectic_euler); 1: all take the shortest; 0: as many as save work where "
                            "every material is damped, else 1.",
                .example = "1",
                .range = {.low = 0, .high = dynamics::kMostStepClasses}}),
          bind(kTime, &Parameters::rebalance_above,
               {.name = "rebalance_above",
                .unit = "–",
                .sentence =
                    "Divide the work among the ranks afresh where the busiest has more than this times the mean, "
                    "and it pays; 1: whether it pays or not; 0: never. The result is the same.",
                .example = "1.1",
                .range = {.low = 0, .high = 1000}}),
          bind(kTime, &Parameters::watch_energy,
               {.name = "watch_energy",
                .sentence = "Also shorten the step while the total energy grows, as in the 2002 paper."}),
      }};
}

}  // namespace brisance::app
