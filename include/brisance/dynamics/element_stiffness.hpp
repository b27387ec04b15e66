/// Stiffness and damping of one tet in the matrix of an implicit step.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/parameters.hpp"
#include "brisance/dynamics/step_equation.hpp"
#include "brisance/elements/simplex.hpp"

#include <span>

namespace brisance::dynamics {

/// damping_weight C + stiffness_weight K of the tet [kg], C times `inertia`: those of corotational_forces at `motion`
/// with the tet's rotation fixed, except for `equation.turns`, which neglects plastic strain.
/// @param motion  by node slot
/// Local; does not throw.
[[nodiscard]] elements::StiffnessMatrix<3> element_stiffness(const dist::Mesh& mesh, LocalElement e,
                                                             std::span<const dist::NodeMotion> motion,
                                                             Strain strain_measure, const StepEquation& equation);

}  // namespace brisance::dynamics
