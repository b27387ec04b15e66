/// Settings of time integration. Filled by app from the scene's [time] table.
#pragma once

#include <cstdint>
#include <limits>

namespace brisance::dynamics {

enum class Integrator : std::uint8_t {
  symplectic_euler,  ///< v += dt f/m, then p += dt v: the default; keeps momentum exactly and energy on average
  forward_euler,     ///< [OH99]; unstable without damping (VALIDATION A9)
  taylor2,           ///< second-order Taylor with the force's rate of change [OH99]; unstable without damping
  implicit_euler,    ///< linear implicit Euler [RSR]: steps of a given length, stable at any; takes energy away
  hht,               ///< Hilber, Hughes and Taylor: as implicit_euler, of second order (step_equation.hpp)
  statics,           ///< no motion: forces balance at each of several loads
};

/// Steps that solve equations.
[[nodiscard]] constexpr bool is_implicit(Integrator kind) { return kind >= Integrator::implicit_euler; }

/// What implicit steps linearise.
enum class Strain : std::uint8_t {
  corotational,  ///< small strain seen from each element's own rotation: free of turns of any size
  linear,        ///< small strain seen from the rest shape [RSR]: a turn by θ looks like a shrinking by 1 − cos θ
};

/// Of the equations of implicit steps.
enum class Solver : std::uint8_t {
  automatic,  ///< PETSc's ILU(0) where that is enough: agrees on any number of ranks to its tolerance
  lattice,    ///< lattice_solver.hpp: the same bits on any number of ranks; with short steps up to twice as slow as
              ///< ILU(0), with long ones many times faster (docs/PERFORMANCE.md)
};

struct Parameters {
  Integrator integrator = Integrator::symplectic_euler;
  double step_safety = 0.8;  ///< share of the rigorous bound (VALIDATION A8) that is used
  double max_step_s = std::numeric_limits<double>::infinity();
  /// Below this step the run stops and names the elements to blame [s]; 0 chooses end time / 5e7.
  double min_step_s = 0;
  double max_inverted_share = 0.25;  ///< stop if more than this share of all tets is inverted [–]
  int strain_refresh_steps =
      16;  ///< steps between two looks at 1 + 1.5‖ε‖, by which strained elements shorten the step
  /// Lengths of step that a step may consist of, each half of the one before (step_classes.hpp); 1: one clock for all
  /// elements; 0: as many as save work where every material is damped, else one.
  int step_classes = 0;
  /// Nodes change their owners where the busiest rank has more than this times the mean work, and it pays; 1: whether
  /// it pays or not; 0: never. No bit of the result depends on it.
  double rebalance_above = 1.1;
  /// Elements are sorted in memory once cuts have made so many new ones, and a fifth of all; 0: never. Sums have
  /// another order from then on.
  std::int64_t sort_after_tets = 100000;
  // implicit steps
  double step_s = 0;         ///< their length [s]; must be given for them
  int crack_steps = 16;      ///< most short ones in a row while something cracks, of implicit motion
  int load_steps = 10;       ///< of statics, from nothing to the end of the run
  double hht_alpha = -0.05;  ///< of hht: 0 keeps energy, −1/3 takes most of what is faster than the step [–]
  Strain strain = Strain::corotational;
  double mass_damping_per_s =
      0;  ///< α of the damping force −α M v [1/s]: the paper's diagonal matrix; slows rigid motion
  double stiffness_damping_s = 0;  ///< β of the damping force −β K v [s]: λ, μ times it are added to φ, ψ
  Solver solver = Solver::lattice;
  double solver_tolerance = 1e-9;  ///< residual of a step's equations over their right-hand side [–]
  /// [OBH02] section 5: also shorten the step while the total energy grows, lengthen it while it does not. An implicit
  /// step that gains energy out of nothing is taken again at half its length.
  bool watch_energy = false;
  double energy_watch_limit = 1;  ///< over the stable step: how long explicit steps may become while it does not [–]
};

}  // namespace brisance::dynamics
