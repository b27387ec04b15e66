/// Accounts per node, and the list of all fields of a run.
#pragma once

#include "brisance/dist/fields.hpp"
#include "brisance/sim/parameters.hpp"

#include <array>
#include <cstdint>

namespace brisance::sim {

/// Work that viscous forces have dissipated at the node since the start; nodes born in a cut start from zero.
inline constexpr dist::NodeFieldDeclaration<double> kViscousWork{
    .name = "viscous_work", .unit = "J", .copy = dist::AtCopy::initial};

/// Work that regions of the scene have done on the node since the start.
inline constexpr dist::NodeFieldDeclaration<double> kSuppliedWork{
    .name = "supplied_work", .unit = "J", .copy = dist::AtCopy::initial};

/// Energy that changes of the step's length have added at the node (EnergyLedger::book_change_of_step).
inline constexpr dist::NodeFieldDeclaration<double> kStepChangeWork{
    .name = "step_change_work", .unit = "J", .copy = dist::AtCopy::initial};

/// Integrator hht: the node's mean acceleration by elasticity, damping and weight in its last step, with which the next
/// step begins; not valid after a cut (RunState::knows_accelerations).
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kAcceleration{.name = "acceleration",
                                                                                 .unit = "m/s2"};

/// Integrator hht: the node's acceleration by contact and loads in its last step. The sum with kAcceleration is the
/// total acceleration, by which positions are shifted.
inline constexpr dist::NodeFieldDeclaration<std::array<double, 3>> kOuterAcceleration{.name = "outer_acceleration",
                                                                                      .unit = "m/s2"};

/// Id of the piece that the element was part of in the last frame, and of the piece that this one was part of before;
/// −1: none. They are the names of pieces in frames and change nothing else.
inline constexpr dist::ElementFieldDeclaration<std::int32_t> kPieceId{.name = "piece_id", .unit = "id", .initial = -1};
inline constexpr dist::ElementFieldDeclaration<std::int32_t> kPieceParent{
    .name = "piece_parent", .unit = "id", .initial = -1};

/// All fields of dist, fracture, contact, dynamics and sim that can influence a later bit of a run of this scene.
[[nodiscard]] dist::FieldList fields(const Scene& scene);

}  // namespace brisance::sim
