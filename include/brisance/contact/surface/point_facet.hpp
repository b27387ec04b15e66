/// Narrow phase of surface contact: one point against one facet, and the choice of the facet that a point is in contact
/// with.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace brisance::contact {

/// Corners of a boundary triangle, counter-clockwise seen from outside [m].
using FacetCorners = std::array<Vec3, 3>;

/// Position of a point relative to a facet.
struct FacetView {
  Vec3 gap = Vec3::Zero();     ///< from the point to its closest point of the facet, the foot [m]
  double distance = 0;         ///< |gap| [m]
  Vec3 normal = Vec3::Zero();  ///< outward unit normal; zero where the facet has no area
  /// Barycentric coordinates of the foot: foot = Σ wₖ xₖ, Σ wₖ = 1.
  std::array<double, 3> weight{};

  /// Signed distance from the facet's plane over the distance from the facet, negative in front of it: 1 straight
  /// behind the facet, 0 beside it [–].
  [[nodiscard]] double behind() const { return distance > 0 ? normal.dot(gap) / distance : 1; }
};

/// Closest point of the facet, by the Voronoi regions of its parts. Of a facet that is farther than `within` only gap
/// and distance are set. Local; does not throw.
[[nodiscard]] FacetView view_facet(const FacetCorners& facet, const Vec3& point,
                                   double within = std::numeric_limits<double>::infinity());

/// Least FacetView::behind of a point that has passed through a facet: at a concave edge between two facets the foot
/// may lie up to 60° off the normal.
inline constexpr double kLeastBehind = 0.5;

/// One facet near a point.
struct NearFacet {
  FacetView view;
  std::int64_t key = 0;  ///< ContactFacet::key, the same on all ranks
};

/// Of the facets that oppose a point (their normals point against its own), the one that it may have passed through:
/// the nearest; of several with the same foot, which are equally near, the one whose normal is nearest to the direction
/// of the point; of equals the one with the lowest key. Depends on the set alone: neither on its order, nor on facets
/// that are farther away. Nothing without facets. Local; does not throw.
[[nodiscard]] std::optional<std::size_t> nearest_facet(std::span<const NearFacet> opposing);

/// Has the facet's corner k a weight in the foot? One corner has where the foot is that corner, two on an edge. Local.
[[nodiscard]] bool weighs(const FacetView& view, std::size_t k);

/// Is the point as far behind this facet's plane as has_come_through() requires? Local.
[[nodiscard]] inline bool may_be_behind(const NearFacet& nearest) { return nearest.view.behind() >= kLeastBehind; }

/// Is the point behind the surface at its foot? It must be behind the nearest facet; if the foot is on an edge or a
/// corner, the facet there whose normal is nearest to the point's direction decides, even if the point does not oppose
/// it.
/// @param around  facets with all corners of the nearest one that have a weight; those with another foot do not count
/// Local; does not throw.
[[nodiscard]] bool has_come_through(const NearFacet& nearest, std::span<const NearFacet> around);

}  // namespace brisance::contact
