/// Whole runs as one file.
#pragma once

#include "exports/frames/rigid_tracks.hpp"
#include "exports/writers/frame_source.hpp"
#include "exports/writers/rigid_scene.hpp"

#include <filesystem>

namespace brisance::exports {

/// A node for each piece of the last frame, with keyframes of position and rotation. Particles are balls, hidden
/// (scale 0) before they exist. Local; throws core::Error.
void write_rigid_glb(const std::filesystem::path& file, const FragmentFrame& last, const RigidTracks& tracks);
/// Meshes of which those of one frame are visible at a time, by their scale. Through frames in which a piece keeps its
/// triangles it is one mesh with a morph target for each further frame. Local; throws core::Error.
void write_deforming_glb(const std::filesystem::path& file, const FrameSource& frames);

/// USD text: a transform for each piece, with time samples. Local; throws core::Error.
void write_rigid_usda(const std::filesystem::path& file, const FragmentFrame& last, const RigidTracks& tracks, Up up);
/// USD text for simulators: pieces as rigid bodies where they are in the first frame, bonds as fixed joints with
/// physics:breakForce [N]. Local; throws core::Error.
void write_bonded_usda(const std::filesystem::path& file, const RigidScene& scene, Up up);
/// One mesh whose points, normals, velocities, faces and primvars have time samples. Reads each frame once; holds one.
/// Local; throws core::Error.
void write_deforming_usda(const std::filesystem::path& file, const FrameSource& frames, Up up);

/// A Python script that imports the frames written beside it into Blender, and one that sets up ParaView.
[[nodiscard]] std::string blender_script();
[[nodiscard]] std::string paraview_script(const std::filesystem::path& run);
/// One frame for the Blender script: a line of JSON, then the arrays it names.
[[nodiscard]] std::string blender_frame(const FragmentFrame& frame);

}  // namespace brisance::exports
