/// Keys of [time]: duration and time integration.
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
          bind_choice(kTime, &Parameters::integrator,
                      {"symplectic_euler", "forward_euler", "taylor2", "implicit_euler", "hht", "static"},
                      {.name = "integrator",
                       .sentence = "Time integration; forward_euler and taylor2 are those of the 1999 paper and need "
                                   "damping; implicit_euler and hht take steps of step_s for any stiffness; static "
                                   "balances forces at each of load_steps (docs/IMPLICIT.md)."}),
          bind(kTime, &Parameters::load_steps,
               {.name = "load_steps",
                .unit = "–",
                .sentence = "static: number of steps in which the load grows over duration_s; gravity grows linearly, "
                            "regions follow their prescribed motion.",
                .example = "20",
                .range = {.low = 1, .high = 1000000}}),
          bind(kTime, &Parameters::hht_alpha,
               {.name = "hht_alpha",
                .unit = "–",
                .sentence = "hht: 0 is the trapezoidal rule, which conserves the energy of a linear vibration; smaller "
                            "values damp vibrations that are faster than a step.",
                .example = "-0.1",
                .range = {.low = -1.0 / 3, .high = 0}}),
          bind(kTime, &Parameters::step_s,
               {.name = "step_s",
                .unit = "s",
                .sentence = "Implicit steps: the time step; must be given.",
                .example = "0.002",
                .range = kNotNegative}),
          bind(kTime, &Parameters::crack_steps,
               {.name = "crack_steps",
                .unit = "–",
                .sentence = "implicit_euler, hht: largest number of short steps in a row while something cracks, each "
                            "as long as a crack takes for a tet at fracture.crack_speed_share, so that it crosses "
                            "several within step_s; 0: cracks wait for the end of each step_s.",
                .example = "64",
                .range = {.low = 0, .high = 1000000}}),
          bind_choice(kTime, &Parameters::strain, {"corotational", "linear"},
                      {.name = "strain",
                       .sentence = "Implicit steps: small strain relative to each tet's own rotation, or to the shape "
                                   "at rest, where a rotation by θ counts as a contraction by 1 − cos θ."}),
          bind(kTime, &Parameters::mass_damping_per_s,
               {.name = "mass_damping_per_s",
                .unit = "1/s",
                .sentence = "Implicit steps: α of a damping force −α M v; it slows falling and rotation, too.",
                .example = "0.1",
                .range = kNotNegative}),
          bind(kTime, &Parameters::stiffness_damping_s,
               {.name = "stiffness_damping_s",
                .unit = "s",
                .sentence = "Implicit steps: β of a damping force −β K v, in addition to the materials' own damping.",
                .example = "1e-4",
                .range = kNotNegative}),
          bind_choice(
              kTime, &Parameters::solver, {"auto", "lattice"},
              {.name = "solver",
               .sentence = "Implicit steps: lattice gives the same bits on any number of ranks; auto uses PETSc's ILU "
                           "where that suffices and the lattice elsewhere, the same to the tolerance."}),
          bind(kTime, &Parameters::solver_tolerance,
               {.name = "solver_tolerance",
                .unit = "–",
                .sentence = "Implicit steps: residual of a step's equations over their right-hand side at which they "
                            "count as solved.",
                .example = "1e-9",
                .range = {.low = 0, .high = 0.1, .low_open = true}}),
          bind(kTime, &Parameters::step_safety,
               {.name = "step_safety",
                .unit = "–",
                .sentence = "Share of the largest stable step that is used.",
                .example = "0.8",
                .range = {.low = 0, .high = 1, .low_open = true}}),
          bind(kTime, &Parameters::max_step_s,
               {.name = "max_step_s",
                .unit = "s",
                .sentence = "Upper bound of the time step.",
                .example = "1e-4",
                .range = kPositiveOrInfinite}),
          bind(kTime, &Parameters::min_step_s,
               {.name = "min_step_s",
                .unit = "s",
                .sentence = "Stop, naming the elements responsible, if the step falls below this; 0: duration_s / 5e7.",
                .example = "1e-9",
                .range = kNotNegative}),
          bind(kTime, &Parameters::max_inverted_share,
               {.name = "max_inverted_share",
                .unit = "–",
                .sentence =
                    "Stop if more than this share of all tets is inverted; checked with each row of monitor.csv.",
                .example = "0.05",
                .range = {.low = 0, .high = 1}}),
          bind(kTime, &Parameters::strain_refresh_steps,
               {.name = "strain_refresh_steps",
                .unit = "–",
                .sentence = "Steps between two evaluations of the strains that shorten the step.",
                .example = "16",
                .range = {.low = 1, .high = 1000000}}),
          bind(kTime, &Parameters::step_classes,
               {.name = "step_classes",
                .unit = "–",
                .sentence = "Sub-cycling (symplectic_euler): number of step lengths, each half of the one before; "
                            "every element takes the longest that is stable for it. 1: all take the shortest; 0: as "
                            "many as save work where every material is damped, else 1.",
                .example = "1",
                .range = {.low = 0, .high = dynamics::kMostStepClasses}}),
          bind(kTime, &Parameters::rebalance_above,
               {.name = "rebalance_above",
                .unit = "–",
                .sentence = "Redistribute the work among the ranks where the busiest has more than this times the "
                            "mean, and it pays; 1: whether it pays or not; 0: never. The result is the same.",
                .example = "1.1",
                .range = {.low = 0, .high = 1000}}),
          bind(kTime, &Parameters::sort_after_tets,
               {.name = "sort_after_tets",
                .unit = "–",
                .sentence = "Sort tets in memory by their position in the body once cuts have made this many new ones, "
                            "and a fifth of all: it speeds up a mesh in many pieces. Sums have another order from then "
                            "on, the same on any number of ranks; 0: never.",
                .example = "20000",
                .range = {.low = 0, .high = 1000000000}}),
          bind(kTime, &Parameters::watch_energy,
               {.name = "watch_energy",
                .sentence = "Also shorten the step while the total energy grows, as in the 2002 paper. An implicit "
                            "step with a spurious gain of energy is repeated at half its length."}),
          bind(kTime, &Parameters::energy_watch_limit,
               {.name = "energy_watch_limit",
                .unit = "–",
                .sentence = "watch_energy: how many times the stable step an explicit step may become while the energy "
                            "does not grow, as plastic flow allows (docs/MATERIALS.md); 1: never longer.",
                .example = "2",
                .range = {.low = 1, .high = 10}}),
      }};
}

}  // namespace brisance::app
