/// A moment of a simulation as the plain arrays a snapshot is made of.
#pragma once

#include "brisance/dist/pieces.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/sim/simulation.hpp"

namespace brisance::sim {

/// What the scene's output asks for of a whole frame, or of one of the surface alone. Local.
[[nodiscard]] io::FrameForm frame_form(const OutputParameters& output, bool surface_only);

/// This rank's part: home elements in ascending id with the nodes they touch, or the boundary alone, and where the
/// scene asks for it (output.state_fields) every field that a module has declared. Collective.
[[nodiscard]] io::SnapshotPart snapshot_part(const Simulation& simulation, const dist::Pieces& pieces,
                                             const io::FrameForm& form);

/// What is the same on all ranks. Collective.
[[nodiscard]] io::SnapshotHeader snapshot_header(const Simulation& simulation, const dist::Pieces& pieces,
                                                 const io::FrameForm& form, std::int64_t frame,
                                                 const std::string& scene_toml);

/// Physical Cauchy stress J⁻¹ F (σ/2) Fᵀ of an element state (the papers' σ is twice the 2nd Piola–Kirchhoff stress);
/// zero where det F ≤ 0, for which there is none.
[[nodiscard]] SymMat3 cauchy_stress(const dynamics::ElementState& state);

}  // namespace brisance::sim
