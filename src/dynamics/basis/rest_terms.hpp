/// Stiffness, damping and mass of tets at rest, of which cells are made.
#pragma once

#include "brisance/dynamics/element_stiffness.hpp"

namespace brisance::dynamics {

/// Equations whose matrix is K alone, or C alone.
inline constexpr StepEquation kStiffness{.step_s = 1, .position_per_velocity = 1, .inertia = 0};
inline constexpr StepEquation kDamping{.step_s = 1, .position_per_velocity = 0};

[[nodiscard]] inline elements::StiffnessMatrix<3> at_rest(const dist::Mesh& mesh, LocalElement e,
                                                          const StepEquation& equation) {
  return element_stiffness(mesh, e, mesh.motion.span(), Strain::linear, equation);
}

[[nodiscard]] inline double corner_mass(const dist::Mesh& mesh, LocalElement e) {
  return mesh.material(e).density * mesh.volume(e) / 4;
}

}  // namespace brisance::dynamics
