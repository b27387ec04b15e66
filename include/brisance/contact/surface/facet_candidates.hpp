/// Which facets may touch which points until something has moved too far: a Verlet list of points against facets.
#pragma once

#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/core/comm.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// Of a facet's edge length and of a point's: penetration beyond which a point no longer counts as having come through
/// a facet, half the thickness of the elements behind it [–].
inline constexpr double kDeepestShare = 0.5;

/// A point of the same body that lies behind the facet at rest, nearer than this share of the edge length, is on the
/// other side of the same wall or wedge and has never come through the facet [–].
inline constexpr double kWallShare = 1.0;

/// Can this point press on this facet at all: not one of its corners, and not a part of the wall behind it? By ids and
/// rest positions alone. Local.
[[nodiscard]] bool may_touch(const ContactPoint& point, const ContactFacet& facet);

class FacetCandidates {
public:
  struct Candidate {
    std::int32_t facet;  ///< of ContactSurface::facets
    float distance_m;    ///< no more than its distance from the point at detection
  };

  /// All pairs nearer than the deepest penetration and the skin distance. `position` by slot. Local.
  void detect(const ContactSurface& surface, std::span<const Vec3> position, double skin_m);

  /// Largest change since detection of the distance of two nodes anywhere [m]: the diagonal of the box around all
  /// displacements, so that a common translation does not count. Collective.
  [[nodiscard]] double travel(const core::Comm& comm, const ContactSurface& surface,
                              std::span<const Vec3> position) const;

  /// Ascending distance at detection.
  [[nodiscard]] std::span<const Candidate> of(std::size_t point) const {
    return {candidates_.data() + first_[point], candidates_.data() + first_[point + 1]};
  }
  [[nodiscard]] std::size_t size() const { return candidates_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  std::vector<Candidate> candidates_;
  std::vector<std::size_t> first_;  ///< by point, and the end
  std::vector<Vec3> detected_at_;   ///< by point [m]
};

}  // namespace brisance::contact
