/// On which side of each other points, edges and triangles of two surfaces lie, decided exactly and never "on".
///
/// One of the surfaces counts as moved by an infinitesimal vector (ε, ε², ε³), so that no corner of it lies in a plane
/// of the other one and no edges meet: surfaces that share triangles cross in well defined curves, too.
#pragma once

#include "brisance/core/types.hpp"

namespace brisance::exports {

/// Sign of (b − a) × (c − a) · (x + ε − a): 1 if the moved point x is on the side to which the triangle's normal
/// points. 0 only if a, b and c are in line. Exact. Local.
[[nodiscard]] int side_of_moved_point(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& x);

/// The same for a point and a moved triangle.
[[nodiscard]] int side_of_moved_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& x);

/// Sign of (v − u) × (p + ε − u) · (q + ε − u): how the moved edge pq passes the edge uv. 0 only if they are parallel.
[[nodiscard]] int turn_of_edges(const Vec3& u, const Vec3& v, const Vec3& p, const Vec3& q);

}  // namespace brisance::exports
