/// Surface triangles of one size, whatever the input's were.
#pragma once

#include "brisance/mesh/surface.hpp"

namespace brisance::mesh {

/// Isotropic remeshing (CGAL) of a closed, manifold surface to a wanted edge length. Edges sharper than 50° stay edges:
/// they are cut or joined to the wanted length but not rounded. New vertices lie on the input surface; source_face
/// carries on from the input triangle nearest to the middle of each new one. Crossings that remeshing made are repaired
/// where CGAL can; where the body is thinner than an edge some may stay: check. Deterministic. Local.
[[nodiscard]] Surface remesh(const Surface& surface, double edge_length_m);

}  // namespace brisance::mesh
