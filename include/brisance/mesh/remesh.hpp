/// Surface triangles of one size, whatever the input's were.
#pragma once

#include "brisance/mesh/surface.hpp"

namespace brisance::mesh {

/// What becomes of edges sharper than 50°.
enum class Creases {
  kept,  ///< they are cut or joined to the wanted length but stay edges, unless the whole crease is under four of them
  rounded,  ///< they are remeshed like all others: for scans, whose noise is as sharp as a feature
};

/// Isotropic remeshing (CGAL) of a closed, manifold surface to a wanted edge length. New vertices lie on the input
/// surface; source_face carries on from the input triangle nearest to the middle of each new one. Crossings that
/// remeshing made are repaired where CGAL can; where the body is thinner than an edge some may stay: check.
/// Deterministic. Local.
[[nodiscard]] Surface remesh(const Surface& surface, double edge_length_m, Creases creases = Creases::kept);

}  // namespace brisance::mesh
