/// Closed surfaces as regions of space.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <filesystem>

namespace brisance::mesh {

/// A surface from a file in metres times `scale`, cleaned. Throws core::Error unless it is closed and does not cross
/// itself, or where the scale is none. Local.
[[nodiscard]] Surface read_closed_surface(const std::filesystem::path& file, double scale);

/// How often a closed surface goes around a point, by the solid angles of its triangles: 1 inside, 0 outside. Takes
/// time with the number of triangles. Local.
[[nodiscard]] double winding_number(const Surface& surface, const Vec3& x);

}  // namespace brisance::mesh
