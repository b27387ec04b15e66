/// The state of a simulation as the plain arrays of a snapshot.
#pragma once

#include "brisance/dist/pieces.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/sim/simulation.hpp"

namespace brisance::sim {

/// The contents that the scene's output requests for a whole frame, or for one of the surface alone. Local.
[[nodiscard]] io::FrameForm frame_form(const OutputParameters& output, bool surface_only);

/// This rank's part: home elements in ascending id with their nodes, or the boundary alone; with output.state_fields
/// also every field that a module has declared. Collective.
[[nodiscard]] io::SnapshotPart snapshot_part(const Simulation& simulation, const dist::Pieces& pieces,
                                             const io::FrameForm& form);

/// The part of a snapshot that is the same on all ranks. Collective.
[[nodiscard]] io::SnapshotHeader snapshot_header(const Simulation& simulation, const dist::Pieces& pieces,
                                                 const io::FrameForm& form, std::int64_t frame,
                                                 const std::string& scene_toml);

/// Physical Cauchy stress J⁻¹ F (σ/2) Fᵀ of an element state (the papers' σ is twice the 2nd Piola–Kirchhoff stress);
/// zero where det F ≤ 0, where it is undefined.
[[nodiscard]] SymMat3 cauchy_stress(const dynamics::ElementState& state);

}  // namespace brisance::sim
