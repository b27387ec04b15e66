/// Closed surfaces that bound regions of space.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <filesystem>

namespace brisance::mesh {

/// Reads a surface in metres times `scale`, and cleans it. Throws core::Error if it is open or crosses itself, or if
/// the scale is not positive and finite. Local.
[[nodiscard]] Surface read_closed_surface(const std::filesystem::path& file, double scale);

/// Winding number of a closed surface around a point, by the solid angles of its triangles: 1 inside, 0 outside. Cost
/// proportional to the number of triangles. Local.
[[nodiscard]] double winding_number(const Surface& surface, const Vec3& x);

}  // namespace brisance::mesh
