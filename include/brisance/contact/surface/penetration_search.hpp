/// Narrow phase of surface contact: which facet, if any, each point has come through.
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
  FacetView view;         ///< of the facet from the point
  bool has_come_through;  ///< Is the point behind the surface there?
};

/// Looks for the opposing facet that is nearest to a point among those that are listed. Bounds of facets in single
/// precision, rounded outward, spare most exact distances.
class PenetrationSearch {
public:
  /// Takes candidates and positions by node, which are referred to until the next call. Local.
  void update(const ContactSurface& surface, FacetCandidates& candidates, std::span<const Vec3> position);

  /// The nearest; nothing without any. Local.
  [[nodiscard]] std::optional<OpposingFacet> nearest(std::size_t point);

  /// This one (ContactFacet::key), which was the nearest before; nothing where it is farther away than `deepest`
  /// now, or the point so near to its rim that another one may be nearer. Local.
  [[nodiscard]] std::optional<OpposingFacet> kept(std::size_t point, std::int64_t key);

  [[nodiscard]] std::size_t memory_bytes() const;

private:
  /// A facet where its nodes are now, from the origin, in one line of the cache.
  struct alignas(64) Bound {
    std::array<float, 3> centre;  ///< [m]
    float radius;                 ///< around the centre [m]
    std::array<float, 3> normal;
    std::array<std::int32_t, 3> node;  ///< ContactFacet::node
    std::uint32_t update = 0;          ///< of which call of update() it is
    double deepest_m;                  ///< ContactFacet::deepest_m
    std::int64_t key;                  ///< ContactFacet::key
  };
  [[nodiscard]] FacetCorners corners(const std::array<std::int32_t, 3>& node) const;
  [[nodiscard]] Bound bound_of(std::int32_t facet) const;
  [[nodiscard]] const Bound& bound(std::int32_t facet);
  /// A point that looks for its nearest facet.
  struct Seeker {
    const ContactPoint& point;
    Eigen::Vector3f place;                                     ///< from the origin [m]
    float rounding;                                            ///< of single precision [m]
    float reach;                                               ///< farther facets do not count [m]
    double nearest = std::numeric_limits<double>::infinity();  ///< of those found [m]
    bool has_normal = false;
    Vec3 normal = Vec3::Zero();  ///< of the surface around the point, not of unit length
    Eigen::Vector3f direction = Eigen::Vector3f::Zero();
  };
  void find_opposing(std::size_t point);
  float add_if_it_opposes(Seeker& seeker, std::int32_t facet);
  void take_normal(Seeker& seeker) const;
  [[nodiscard]] OpposingFacet opposing(const ContactPoint& point, std::int32_t facet, const FacetView& view);
  void find_around(const ContactPoint& point, std::int32_t facet, const FacetView& view);

  const ContactSurface* surface_ = nullptr;
  FacetCandidates* candidates_ = nullptr;
  std::span<const Vec3> position_;
  Vec3 origin_ = Vec3::Zero();
  std::uint32_t num_updates_ = 0;
  std::vector<Bound> bounds_;        ///< by facet, of those that were asked for since the last update
  std::vector<std::int32_t> last_;   ///< by point: the facet that was nearest; −1
  std::vector<NearFacet> near_;      ///< that oppose the point
  std::vector<std::int32_t> facet_;  ///< of near_
  std::vector<NearFacet> around_;
};

}  // namespace brisance::contact
