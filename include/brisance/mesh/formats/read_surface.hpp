/// Surfaces from files: Wavefront OBJ, STL (both forms), PLY (ASCII and both byte orders), OFF; and
/// through Assimp glTF (text and binary), FBX, COLLADA, 3DS, X3D, 3MF.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <filesystem>

namespace brisance::mesh {

/// Whether the file has an ending of those formats. Local.
[[nodiscard]] bool is_surface_file(const std::filesystem::path& file);

/// Reads a polygon surface: polygons are triangulated (concave ones too); nothing is welded, oriented or dropped
/// (`clean` does that). The format follows from the file's first bytes or, where these are ambiguous, from its
/// extension. Coordinates are taken as metres, and as they are in the file; formats with an axis that is up are turned
/// so that it is z (as in brisance's own exports); on return every index is in range and every coordinate finite.
/// Throws core::Error "FILE:LINE: what is wrong. What to do." ("FILE, byte N:" in binary files). Local.
[[nodiscard]] Surface read_surface(const std::filesystem::path& file);

}  // namespace brisance::mesh
