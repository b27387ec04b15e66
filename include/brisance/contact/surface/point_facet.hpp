/// Narrow phase of surface contact: one point against one facet, and the choice of the facet that a point presses on.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace brisance::contact {

/// Corners of a boundary triangle, counter-clockwise seen from outside [m].
using FacetCorners = std::array<Vec3, 3>;

/// A facet as seen from a point.
struct FacetView {
  Vec3 gap = Vec3::Zero();     ///< from the point to its closest point of the facet, the foot [m]
  double distance = 0;         ///< |gap| [m]
  Vec3 normal = Vec3::Zero();  ///< outward unit normal; zero where the facet has no area
  /// Barycentric coordinates of the foot: foot = Σ wₖ xₖ, Σ wₖ = 1.
  std::array<double, 3> weight{};

  /// Signed distance from the facet's plane over the distance from the facet, negative in front of it: 1 where the
  /// point is straight behind, 0 beside it [–].
  [[nodiscard]] double behind() const { return distance > 0 ? normal.dot(gap) / distance : 1; }
};

/// Closest point of the facet by the Voronoi regions of its parts. Local; does not throw.
[[nodiscard]] FacetView view_facet(const FacetCorners& facet, const Vec3& point);

/// Least FacetView::behind of a point that has passed through a facet: beyond an edge where two facets meet in a
/// hollow the foot may lie up to 60° off the normal.
inline constexpr double kLeastBehind = 0.5;

/// One facet near a point.
struct NearFacet {
  FacetView view;
  std::int64_t key = 0;  ///< of the facet, the same on all ranks
  bool opposes = false;  ///< its normal points against the point's own
};

/// The facet that a point has penetrated: the nearest of those that oppose it, if the point is behind it. Where the
/// foot lies on an edge or corner that facets share, which all are equally near, the one that sees the point most
/// straight decides whether it is in front or behind, whether it opposes the point or not; the lowest key of equals. A
/// function of the set alone: the order of `near` does not matter, nor facets that are farther away than the nearest.
/// Local; does not throw.
[[nodiscard]] std::optional<std::size_t> penetrated_facet(std::span<const NearFacet> near);

}  // namespace brisance::contact
