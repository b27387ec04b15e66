/// Accounts kept by node, and the list of all fields of a run.
#pragma once

#include "brisance/dist/fields.hpp"
#include "brisance/sim/parameters.hpp"

#include <array>

namespace brisance::sim {

/// Work that viscous forces have taken at the node since the start; nodes that a cut makes start from nothing.
inline constexpr dist::NodeFieldDeclaration<double> kViscousWork{
    .name = "viscous_work", .unit = "J", .copy = dist::AtCopy::initial};

/// Work that regions of the scene have done on the node since the start.
inline constexpr dist::NodeFieldDeclaration<double> kSuppliedWork{
    .name = "supplied_work", .unit = "J", .copy = dist::AtCopy::initial};

/// What changes of the step's length have put in at the node (Simulation::book_change_of_step).
inline constexpr dist::NodeFieldDeclaration<double> kStepChangeWork{
    .name = "step_change_work", .unit = "J", .copy = dist::AtCopy::initial};

/// Of integrator hht: the mean acceleration that elasticity, damping and weight gave the node in its last step, by
/// which the next one begins; of no meaning after a cut (RunState::knows_accelerations).
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kAcceleration{.name = "acceleration",
                                                                                 .unit = "m/s2"};

/// Of integrator hht: the acceleration that contact and loads gave the node in its last step. With the one above it is
/// the whole, by which positions are shifted.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kOuterAcceleration{.name = "outer_acceleration",
                                                                                      .unit = "m/s2"};

/// Every field that can influence a later bit of a run of this scene: of dist, fracture, contact, dynamics and sim.
[[nodiscard]] dist::FieldList fields(const Scene& scene);

}  // namespace brisance::sim
