/// Narrow phase of surface contact: the facet that each point has passed through, if any.
#pragma once

#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/contact/surface/facet_bounds.hpp"
#include "brisance/contact/surface/facet_grid.hpp"
#include "brisance/contact/surface/point_facet.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace brisance::contact {

/// Distance over the edge length: a point of the same body that lies behind the facet at rest, nearer than this, is on
/// the other side of the same wall or wedge and never counts as behind the facet [–].
inline constexpr double kWallShare = 1.0;

/// Can this point be in contact with this facet at all: is it neither a corner of the facet nor a part of the wall
/// behind it? Depends on ids and rest positions alone. Local.
[[nodiscard]] bool may_touch(const ContactPoint& point, const ContactFacet& facet);

/// Largest distance at which a facet counts for a point [m].
[[nodiscard]] inline double deepest(const ContactPoint& point, const ContactFacet& facet) {
  return std::min(point.deepest_m, facet.deepest_m);
}

/// A facet within `deepest` of a point that opposes it and that it may touch.
struct OpposingFacet {
  std::int32_t facet;     ///< of ContactSurface::facets
  FacetView view;         ///< of the facet, seen from the point
  bool has_come_through;  ///< Is the point behind the surface there?
};

/// Finds the nearest opposing facet of a point. Bounds of facets in single precision, rounded
/// outward, make most exact distances unnecessary.
class PenetrationSearch {
public:
  /// Sets facets, their present bounds and positions by node, which must stay valid until the next call. Local.
  void update(const ContactSurface& surface, const FacetGrid& grid, FacetBounds& bounds,
              std::span<const Vec3> position);

  /// The nearest opposing facet; nothing if there is none. Local.
  [[nodiscard]] std::optional<OpposingFacet> nearest(std::size_t point);

  /// The facet of this key (ContactFacet::key), which was the nearest before; nothing if it is now farther away than
  /// `deepest`, or the point so near to its rim that another one may be nearer. Local.
  [[nodiscard]] std::optional<OpposingFacet> kept(std::size_t point, std::int64_t key);

  /// The nearest opposing facet among that of this key, which was the nearest before, and those with a common corner;
  /// nothing if there is none, or if the foot lies where facets may meet that have no common corner. Local.
  [[nodiscard]] std::optional<OpposingFacet> nearest_around(std::size_t point, std::int64_t key);

  [[nodiscard]] std::size_t memory_bytes() const;

private:
  [[nodiscard]] FacetCorners corners(const std::array<std::int32_t, 3>& node) const;
  /// A point that searches its nearest facet.
  struct Seeker {
    const ContactPoint& point;
    Eigen::Vector3f place;                                     ///< position relative to the origin [m]
    float rounding;                                            ///< rounding error of single precision [m]
    float reach;                                               ///< farther facets do not count [m]
    double nearest = std::numeric_limits<double>::infinity();  ///< distance of the nearest facet so far [m]
    bool has_normal = false;
    Vec3 normal = Vec3::Zero();  ///< of the surface around the point, not of unit length
    Eigen::Vector3f direction = Eigen::Vector3f::Zero();
  };
  [[nodiscard]] Seeker seek(std::size_t point);
  void find_opposing(std::size_t point);
  void fetch_ahead(std::size_t place) const;
  [[nodiscard]] bool knows(std::size_t point, std::int64_t key);
  void add_if_it_opposes(Seeker& seeker, std::int32_t facet);
  void take_normal(Seeker& seeker) const;
  [[nodiscard]] OpposingFacet opposing(const ContactPoint& point, std::int32_t facet, const FacetView& view);
  void find_around(const ContactPoint& point, std::int32_t facet, const FacetView& view);

  const ContactSurface* surface_ = nullptr;
  const FacetGrid* grid_ = nullptr;
  FacetBounds* bounds_ = nullptr;
  std::span<const Vec3> position_;
  std::vector<std::int32_t> last_;   ///< by point: the nearest facet at the last search; −1: none
  std::vector<NearFacet> near_;      ///< facets that oppose the point
  std::vector<std::int32_t> facet_;  ///< facet numbers, parallel to near_
  std::vector<NearFacet> around_;
  std::vector<std::int32_t> met_;  ///< scratch: facets near the point
};

}  // namespace brisance::contact
