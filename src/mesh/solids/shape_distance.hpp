/// Largest distance of one shape from another, by samples.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <array>
#include <span>
#include <vector>

namespace brisance::mesh::solids {

using Segments = std::vector<std::array<Vec3, 2>>;

/// Points on triangles and segments, at most about the spacing apart.
[[nodiscard]] std::vector<Vec3> samples(const Surface& surface, double spacing_m);
[[nodiscard]] std::vector<Vec3> samples(const Segments& segments, double spacing_m);

/// The largest distance of a point from the surface or the segments [m]; 0 if there are no points, or no surface and
/// segments. Local.
[[nodiscard]] double largest_distance_m(std::span<const Vec3> points, const Surface& surface);
[[nodiscard]] double largest_distance_m(std::span<const Vec3> points, const Segments& segments);

/// Share of the segments' length that is farther than a distance from the surface, evaluated on parts no longer than
/// the spacing; 0 for no segments.
[[nodiscard]] double share_farther(const Segments& segments, const Surface& surface, double distance_m,
                                   double spacing_m);

}  // namespace brisance::mesh::solids
