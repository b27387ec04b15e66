/// Files of rigid pieces for simulators and games.
#pragma once

#include "exports/writers/rigid_scene.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brisance::exports {

/// Names of the files that write_houdini and write_vat make in their folder.
[[nodiscard]] std::vector<std::filesystem::path> houdini_files(const std::filesystem::path& folder,
                                                               const std::vector<std::filesystem::path>& frames);
[[nodiscard]] std::vector<std::filesystem::path> vat_files(const std::filesystem::path& folder);

/// Pieces at rest (pieces.geo), and for each frame a point for each piece (points/) and the bonds as two-point curves
/// between anchors (constraints/), broken ones in a group. y is up. Local; throws core::Error.
/// @param frames  whose names the files have
void write_houdini(const std::filesystem::path& folder, const RigidScene& scene,
                   const std::vector<std::filesystem::path>& frames);

/// Pieces at rest with the attributes by which Houdini Engine makes a Geometry Collection of Unreal: unreal_gc_piece is
/// the level, from 1 without gaps, unreal_gc_cluster the cluster. y is up. Local; throws core::Error.
void write_unreal(const std::filesystem::path& file, const RigidScene& scene);

/// Rigid-body vertex animation textures: one mesh, a texture of positions and one of rotations with a column for each
/// piece, and numbers as JSON. y is up. Local; throws core::Error.
void write_vat(const std::filesystem::path& folder, const RigidScene& scene, const WriteImage& write_image);

}  // namespace brisance::exports
