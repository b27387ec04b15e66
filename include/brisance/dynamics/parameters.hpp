/// Settings of time integration. Filled by app from the scene's [time] table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace brisance::dynamics {

enum class Integrator : std::uint8_t {
  symplectic_euler,  ///< v += dt f/m, then p += dt v: the default; keeps momentum exactly and energy on average
  forward_euler,     ///< [OH99]; unstable without damping (VALIDATION A9)
  taylor2,           ///< second-order Taylor with the force's rate of change [OH99]; unstable without damping
  implicit_euler,    ///< linear implicit Euler [RSR]: steps of a given length, stable at any; dissipates energy
  hht,               ///< Hilber, Hughes and Taylor: implicit, of second order (step_equation.hpp)
  statics,           ///< no motion: equilibrium at each of several loads
};

/// What scenes, checks and steps ask about an integrator.
struct IntegratorKind {
  const char* name;           ///< value of the key time.integrator
  const char* sentence;       ///< for the scene reference
  bool is_implicit = false;   ///< its steps solve equations
  bool is_leap_frog = false;  ///< velocities are those of the middle of a step: sub-cycling, cohesive tractions and the
                              ///< account at half steps need that
  bool bodies_can_touch = false;      ///< supports contact between deformable bodies
  bool moves_by_new_velocity = true;  ///< the step's last move was by the velocities that the nodes have now
};

/// One row for each value of Integrator, in its order.
inline constexpr std::array kIntegratorKinds{
    IntegratorKind{.name = "symplectic_euler", .sentence = "explicit", .is_leap_frog = true, .bodies_can_touch = true},
    IntegratorKind{.name = "forward_euler",
                   .sentence = "explicit, of the 1999 paper, needs damping",
                   .moves_by_new_velocity = false},
    IntegratorKind{
        .name = "taylor2", .sentence = "explicit, of the 1999 paper, needs damping", .moves_by_new_velocity = false},
    IntegratorKind{.name = "implicit_euler",
                   .sentence = "implicit, steps of step_s at any stiffness",
                   .is_implicit = true,
                   .bodies_can_touch = true},
    IntegratorKind{.name = "hht",
                   .sentence = "implicit, of second order, steps of step_s at any stiffness",
                   .is_implicit = true,
                   .bodies_can_touch = true},
    IntegratorKind{
        .name = "static", .sentence = "equilibrium at each of load_steps (docs/IMPLICIT.md)", .is_implicit = true},
};

[[nodiscard]] constexpr const IntegratorKind& kind_of(Integrator integrator) {
  return kIntegratorKinds[static_cast<std::size_t>(integrator)];
}
/// Whether the steps solve equations.
[[nodiscard]] constexpr bool is_implicit(Integrator integrator) { return kind_of(integrator).is_implicit; }

/// Strain measure of implicit steps.
enum class Strain : std::uint8_t {
  corotational,  ///< small strain in each element's own rotated frame: unaffected by rotations of any size
  linear,        ///< small strain from the rest shape [RSR]: a rotation by θ counts as a contraction by 1 − cos θ
};

/// Solver of the equations of implicit steps.
enum class Solver : std::uint8_t {
  automatic,  ///< PETSc's ILU(0) where that suffices: agrees on any number of ranks to its tolerance
  lattice,    ///< lattice_solver.hpp: the same bits on any number of ranks; with short steps up to twice as slow as
              ///< ILU(0), with long ones many times faster (docs/PERFORMANCE.md)
};

/// Functions that the unknowns of implicit steps belong to.
enum class BasisKind : std::uint8_t {
  nodal,         ///< one function for each node
  hierarchical,  ///< functions of lattices where the body moves smoothly, of nodes elsewhere (basis/functions.hpp)
};

struct Parameters {
  Integrator integrator = Integrator::symplectic_euler;
  double step_safety = 0.8;  ///< share of the rigorous bound (VALIDATION A8)
  double max_step_s = std::numeric_limits<double>::infinity();
  /// Below this step the run stops and names the elements that need it [s]; 0 chooses end time / 5e7.
  double min_step_s = 0;
  double max_inverted_share = 0.25;  ///< stop if more than this share of all tets is inverted [–]
  int strain_refresh_steps =
      16;  ///< steps between two evaluations of 1 + 1.5‖ε‖, by which strained elements shorten the step
  /// Largest number of step lengths with sub-cycling, each half of the one before (step_classes.hpp); 1: one step for
  /// all elements; 0: as many as save work if every material is damped, else one.
  int step_classes = 0;
  /// Nodes change their owners if the busiest rank has more than this times the mean work, and it pays; 1: even if it
  /// does not pay; 0: never. No bit of the result depends on it.
  double rebalance_above = 1.1;
  /// Elements are sorted in memory once cuts have made so many new ones, and a fifth of all; 0: never. Sums have
  /// another order afterwards.
  std::int64_t sort_after_tets = 100000;
  // implicit steps
  double step_s = 0;         ///< step length; must be given [s]
  int crack_steps = 16;      ///< most consecutive short steps while something cracks, in implicit dynamics
  int load_steps = 10;       ///< of statics, from zero load to the end of the run
  double hht_alpha = -0.05;  ///< of hht: 0 keeps energy, −1/3 damps vibrations shorter than the step most [–]
  Strain strain = Strain::corotational;
  double mass_damping_per_s =
      0;  ///< α of the damping force −α M v [1/s]: the paper's diagonal matrix; damps rigid motion, too
  double stiffness_damping_s = 0;  ///< β of the damping force −β K v [s]: λ, μ times it are added to φ, ψ
  Solver solver = Solver::lattice;
  double solver_tolerance = 1e-9;  ///< residual of a step's equations over their right-hand side [–]
  BasisKind basis = BasisKind::nodal;
  // hierarchical basis
  double basis_cell_m = 0;          ///< width of the coarsest cells [m]; 0: the finest have 2.5 mean edge lengths
  int basis_levels = 2;             ///< number of lattices, each with cells half as wide as the one before
  double basis_active_share = 0.1;  ///< number of active functions over that of nodes; 1: all nodes [–]
  int basis_renew_every = 8;        ///< steps between two choices of the active functions
  /// [OBH02] section 5: also shorten the step while the total energy grows, lengthen it while it does not. An implicit
  /// step whose energy grows without a source is repeated at half its length.
  bool watch_energy = false;
  double energy_watch_limit = 1;  ///< largest explicit step over the stable one while energy does not grow [–]
};

}  // namespace brisance::dynamics
