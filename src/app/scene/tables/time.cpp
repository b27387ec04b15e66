/// Keys of [time]: duration and time integration.
#include "brisance/dynamics/step_classes.hpp"

#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

#include <string>
#include <vector>

namespace brisance::app {

namespace {

using sim::Scene;

constexpr auto kTime = [](auto& s, std::size_t) -> auto& { return s.time; };

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const dynamics::IntegratorKind& kind : dynamics::kIntegratorKinds) names.emplace_back(kind.name);
  return names;
}

std::string integrator_sentence() {
  std::string sentence = "Time integration.";
  for (const dynamics::IntegratorKind& kind : dynamics::kIntegratorKinds)
    sentence += std::string(sentence.ends_with('.') ? " " : "; ") + kind.name + ": " + kind.sentence;
  return sentence + ". A key described as \"hht: …\" applies to that integrator alone.";
}

}  // namespace

Table time_table() {
  using dynamics::Parameters;
  return {
      .path = "time",
      .sentence = "How long the scene runs and how it is integrated.",
      .keys = {
          bind(
              kScene, &Scene::duration_s,
              {.name = "duration_s", .unit = "s", .sentence = "Simulated time.", .example = "0.1", .range = kPositive}),
          bind_choice(kTime, &Parameters::integrator, integrator_names(),
                      {.name = "integrator", .sentence = integrator_sentence()}),
          bind(kTime, &Parameters::load_steps,
               {.name = "load_steps",
                .unit = "–",
                .sentence = "static: number of steps in which the load grows over duration_s. Gravity grows linearly; "
                            "regions follow their prescribed motion.",
                .example = "20",
                .range = {.low = 1, .high = 1000000}}),
          bind(kTime, &Parameters::hht_alpha,
               {.name = "hht_alpha",
                .unit = "–",
                .sentence = "hht: parameter α of the scheme. 0 is the trapezoidal rule, which conserves the energy of "
                            "linear vibrations; smaller values damp vibrations faster than a step.",
                .example = "-0.1",
                .range = {.low = -1.0 / 3, .high = 0}}),
          bind(kTime, &Parameters::step_s,
               {.name = "step_s",
                .unit = "s",
                .sentence = "Implicit steps: the time step; must be given with them.",
                .example = "0.002",
                .range = kNotNegative}),
          bind(kTime, &Parameters::crack_steps,
               {.name = "crack_steps",
                .unit = "–",
                .sentence = "implicit_euler, hht: largest number of short steps in a row while something cracks, so "
                            "that a crack passes several tets within step_s. In each a crack passes one tet at "
                            "fracture.crack_speed_share. 0: cracks wait for the end of each step_s.",
                .example = "64",
                .range = {.low = 0, .high = 1000000}}),
          bind_choice(kTime, &Parameters::strain, {"corotational", "linear"},
                      {.name = "strain",
                       .sentence = "Implicit steps: corotational measures small strain relative to each tet's own "
                                   "rotation. linear measures it relative to the shape at rest; a rotation by θ then "
                                   "counts as a contraction by 1 − cos θ."}),
          bind(kTime, &Parameters::mass_damping_per_s,
               {.name = "mass_damping_per_s",
                .unit = "1/s",
                .sentence = "Implicit steps: α in a damping force −α M v. It also slows falling and rotation.",
                .example = "0.1",
                .range = kNotNegative}),
          bind(kTime, &Parameters::stiffness_damping_s,
               {.name = "stiffness_damping_s",
                .unit = "s",
                .sentence = "Implicit steps: β in a damping force −β K v, added to the materials' own damping.",
                .example = "1e-4",
                .range = kNotNegative}),
          bind_choice(
              kTime, &Parameters::solver, {"auto", "lattice"},
              {.name = "solver",
               .sentence = "Implicit steps: lattice gives the same bits on any number of ranks. auto uses PETSc's ILU "
                           "where that suffices, else the lattice; results then agree to solver_tolerance."}),
          bind(kTime, &Parameters::solver_tolerance,
               {.name = "solver_tolerance",
                .unit = "–",
                .sentence = "Implicit steps: a step's equations count as solved when their residual is below this "
                            "share of the right-hand side.",
                .example = "1e-9",
                .range = {.low = 0, .high = 0.1, .low_open = true}}),
          bind_choice(
              kTime, &Parameters::basis, {"nodal", "hierarchical"},
              {.name = "basis",
               .sentence = "implicit_euler, hht: nodal solves for every node. hierarchical solves for the functions of "
                           "lattices around the object, refined where strain varies and at cracks: fewer unknowns, "
                           "less exact, 1.5 to 2 times as fast without cracks (docs/IMPLICIT.md)."}),
          bind(kTime, &Parameters::basis_cell_m,
               {.name = "basis_cell_m",
                .unit = "m",
                .sentence = "basis hierarchical: width of the coarsest lattice's cells. 0: such that the finest "
                            "lattice's are 2.5 mean edge lengths wide.",
                .example = "0.1",
                .range = kNotNegative}),
          bind(kTime, &Parameters::basis_levels,
               {.name = "basis_levels",
                .unit = "–",
                .sentence = "basis hierarchical: number of lattices, each with cells half as wide as the one before. "
                            "Below the last come the nodes.",
                .example = "3",
                .range = {.low = 1, .high = 8}}),
          bind(kTime, &Parameters::basis_active_share,
               {.name = "basis_active_share",
                .unit = "–",
                .sentence = "basis hierarchical: number of active functions over the number of nodes. Functions at "
                            "cracks and at the rims of regions come in addition. 1: every node is free, as with "
                            "basis nodal.",
                .example = "0.2",
                .range = {.low = 0, .high = 1, .low_open = true}}),
          bind(kTime, &Parameters::basis_renew_every,
               {.name = "basis_renew_every",
                .unit = "–",
                .sentence = "basis hierarchical: number of steps between two choices of the active functions.",
                .example = "4",
                .range = {.low = 1, .high = 1000000}}),
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
          bind(
              kTime, &Parameters::min_step_s,
              {.name = "min_step_s",
               .unit = "s",
               .sentence =
                   "Stops the run, naming the elements responsible, if the step falls below this. 0: duration_s / 5e7.",
               .example = "1e-9",
               .range = kNotNegative}),
          bind(kTime, &Parameters::max_inverted_share,
               {.name = "max_inverted_share",
                .unit = "–",
                .sentence = "Stops the run if more than this share of all tets is inverted. Checked with each row of "
                            "monitor.csv.",
                .example = "0.05",
                .range = {.low = 0, .high = 1}}),
          bind(kTime, &Parameters::strain_refresh_steps,
               {.name = "strain_refresh_steps",
                .unit = "–",
                .sentence = "Number of steps between evaluations of the strains, which the stable step depends on.",
                .example = "16",
                .range = {.low = 1, .high = 1000000}}),
          bind(kTime, &Parameters::step_classes,
               {.name = "step_classes",
                .unit = "–",
                .sentence = "symplectic_euler: number of step lengths for sub-cycling, each half of the one before. "
                            "Each tet takes the longest that is stable for it. 1: all take the shortest; 0: as many as "
                            "save work if every material is damped, else 1.",
                .example = "1",
                .range = {.low = 0, .high = dynamics::kMostStepClasses}}),
          bind(kTime, &Parameters::rebalance_above,
               {.name = "rebalance_above",
                .unit = "–",
                .sentence = "Redistributes the work where the busiest rank has more than this times the mean and "
                            "redistribution pays off. 1: whether it pays off or not; 0: never. Results are the same.",
                .example = "1.1",
                .range = {.low = 0, .high = 1000}}),
          bind(kTime, &Parameters::sort_after_tets,
               {.name = "sort_after_tets",
                .unit = "–",
                .sentence = "Sorts tets in memory by position once cuts have made this many new ones, and a fifth of "
                            "all; a mesh in many pieces is then faster. It changes the order of sums, in the same way "
                            "on any number of ranks. 0: never.",
                .example = "20000",
                .range = {.low = 0, .high = 1000000000}}),
          bind(kTime, &Parameters::watch_energy,
               {.name = "watch_energy",
                .sentence = "Also shortens the step while the total energy grows, as in the 2002 paper. An implicit "
                            "step with a spurious gain of energy is repeated at half its length."}),
          bind(kTime, &Parameters::energy_watch_limit,
               {.name = "energy_watch_limit",
                .unit = "–",
                .sentence = "watch_energy: how many times the stable step an explicit step may become while the energy "
                            "does not grow, as plastic flow allows (docs/MATERIALS.md). 1: never longer.",
                .example = "2",
                .range = {.low = 1, .high = 10}}),
      }};
}

}  // namespace brisance::app
