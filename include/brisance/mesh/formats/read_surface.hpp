/// Surfaces from files: Wavefront OBJ, STL (both forms), PLY (ASCII and both byte orders), OFF.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <filesystem>

namespace brisance::mesh {

/// Reads a polygon surface as it stands in the file: polygons triangulated (concave ones too), nothing welded, oriented
/// or dropped (that is `clean`). The format follows the file's first bytes and, where they do not tell, its extension.
/// Coordinates are taken as metres; every index is in range and every coordinate finite on return.
/// Throws core::Error "FILE:LINE: what is wrong. What to do." ("FILE, byte N:" in binary files). Local.
[[nodiscard]] Surface read_surface(const std::filesystem::path& file);

}  // namespace brisance::mesh
