/// Narrow phase of surface contact: the facet that each point has passed through, if any.
#pragma once

#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/contact/surface/facet_candidates.hpp"
#include "brisance/contact/surface/point_facet.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace brisance::contact {

/// A facet within `deepest` of a point that opposes it and that it may touch.
struct OpposingFacet {
  std::int32_t facet;     ///< of ContactSurface::facets
  FacetView view;         ///< of the facet, seen from the point
  bool has_come_through;  ///< Is the point behind the surface there?
};

/// Finds the nearest opposing facet of a point among its candidates. Bounds of facets in single precision, rounded
/// outward, make most exact distances unnecessary.
class PenetrationSearch {
public:
  /// Sets candidates and positions by node, which must stay valid until the next call. Local.
  void update(const ContactSurface& surface, FacetCandidates& candidates, std::span<const Vec3> position);

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
  /// A facet at the present positions of its nodes, relative to the origin, in one cache line.
  struct alignas(64) Bound {
    std::array<float, 3> centre;  ///< [m]
    float radius;                 ///< around the centre [m]
    std::array<float, 3> normal;
    std::array<std::int32_t, 3> node;  ///< ContactFacet::node
    std::uint32_t update = 0;          ///< number of the update() that it belongs to
    double deepest_m;                  ///< ContactFacet::deepest_m
    std::int64_t key;                  ///< ContactFacet::key
  };
  [[nodiscard]] FacetCorners corners(const std::array<std::int32_t, 3>& node) const;
  [[nodiscard]] Bound bound_of(std::int32_t facet) const;
  [[nodiscard]] const Bound& bound(std::int32_t facet);
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
  [[nodiscard]] bool knows(std::size_t point, std::int64_t key);
  float add_if_it_opposes(Seeker& seeker, std::int32_t facet);
  void take_normal(Seeker& seeker) const;
  [[nodiscard]] OpposingFacet opposing(const ContactPoint& point, std::int32_t facet, const FacetView& view);
  void find_around(const ContactPoint& point, std::int32_t facet, const FacetView& view);

  const ContactSurface* surface_ = nullptr;
  FacetCandidates* candidates_ = nullptr;
  std::span<const Vec3> position_;
  Vec3 origin_ = Vec3::Zero();
  std::uint32_t num_updates_ = 0;
  std::vector<Bound> bounds_;        ///< by facet, computed on demand since the last update
  std::vector<std::int32_t> last_;   ///< by point: the nearest facet at the last search; −1: none
  std::vector<NearFacet> near_;      ///< facets that oppose the point
  std::vector<std::int32_t> facet_;  ///< facet numbers, parallel to near_
  std::vector<NearFacet> around_;
};

}  // namespace brisance::contact
