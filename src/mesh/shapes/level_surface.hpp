/// The zero level set of a function of position.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <functional>

namespace brisance::mesh {

/// The level set f = 0 in a box, by marching through the six tetrahedra of each cube of a grid: closed, manifold and
/// free of crossings, normals towards f > 0; vertices lie on it, but for those that would be nearer to a grid point
/// than a twentieth of a grid edge. f must be positive on the boundary of the box. Triangles number themselves in
/// source_face. Deterministic. Local.
[[nodiscard]] Surface level_surface(const std::function<double(const Vec3&)>& f, const Vec3& low, const Vec3& high,
                                    double spacing_m);

}  // namespace brisance::mesh
