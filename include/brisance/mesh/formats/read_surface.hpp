/// Surfaces from files: Wavefront OBJ, STL (both forms), PLY (ASCII and both byte orders), OFF.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <filesystem>

namespace brisance::mesh {

/// Reads a polygon surface: polygons are triangulated (concave ones too); nothing is welded, oriented or dropped
/// (`clean` does that). The format follows from the file's first bytes or, where these are ambiguous, from its
/// extension. Coordinates are taken as metres; on return every index is in range and every coordinate finite. Throws
/// core::Error "FILE:LINE: what is wrong. What to do." ("FILE, byte N:" in binary files). Local.
[[nodiscard]] Surface read_surface(const std::filesystem::path& file);

}  // namespace brisance::mesh
