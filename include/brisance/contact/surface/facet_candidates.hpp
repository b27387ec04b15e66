/// Which facets may touch which points: a Verlet list of points against facets that is renewed node by node.
#pragma once

#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/contact/surface/node_grid.hpp"

#include <algorithm>
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

/// Farthest that a facet counts for a point [m].
[[nodiscard]] inline double deepest(const ContactPoint& point, const ContactFacet& facet) {
  return kDeepestShare * std::min(point.edge_m, facet.edge_m);
}

/// Each node of the surface has a reference position, from which it is no farther than half the skin distance, in a
/// frame that goes along with the mean of the points. Listed are all pairs that are within `deepest` and the skin of
/// each other in the reference.
class FacetCandidates {
public:
  struct Candidate {
    std::int32_t facet;  ///< of ContactSurface::facets; it may be gone
    float distance_m;    ///< no more than the distance in the reference
  };

  FacetCandidates() = default;
  explicit FacetCandidates(double skin_m) : skin_m_(skin_m) {}

  /// Lists all pairs, with references where nodes are now. `position` by node. Local.
  void detect(const ContactSurface& surface, std::span<const Vec3> position);

  /// Lists facets that are new since, with new nodes, and takes references of nodes that have left theirs where they
  /// are now. Local.
  void renew(const ContactSurface& surface, std::span<const Vec3> position);

  [[nodiscard]] std::span<const Candidate> of(std::size_t point) const { return candidates_[point]; }
  /// What a candidate's distance in the reference may have shrunk by [m].
  [[nodiscard]] double skin_m() const { return skin_m_; }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  [[nodiscard]] Vec3 mean_of_first(const ContactSurface& surface, std::span<const Vec3> position) const;
  [[nodiscard]] std::vector<std::int32_t> nodes_to_renew(const ContactSurface& surface, std::span<const Vec3> position);
  [[nodiscard]] std::vector<std::int32_t> facets_to_list(const ContactSurface& surface,
                                                         std::span<const std::int32_t> nodes);
  void take_reference(std::int32_t node, const Vec3& position);
  void list_all(const ContactSurface& surface, std::span<const Vec3> position);
  void note_length(const ContactSurface& surface, std::int32_t facet);
  void list_facets_near(const ContactSurface& surface, std::int32_t point);
  void list_among_points_near(const ContactSurface& surface, std::int32_t facet, bool is_new);

  double skin_m_ = 0;
  std::vector<std::vector<Candidate>> candidates_;  ///< by point
  std::vector<Vec3> reference_;                     ///< by node, in the frame [m]
  std::vector<std::uint8_t> has_reference_;         ///< by node
  Vec3 frame_ = Vec3::Zero(), first_mean_ = Vec3::Zero();
  std::size_t num_first_ = 0;          ///< points whose mean the frame follows
  double long_m_ = 0;                  ///< facets with a longer edge in the reference are long
  std::vector<std::uint8_t> is_long_;  ///< by facet
  std::vector<std::int32_t> long_facets_;
  NodeGrid grid_;
  std::size_t num_listed_ = 0;            ///< facets from here on are new
  std::vector<std::uint8_t> is_renewed_;  ///< by node, while renewing
  std::vector<std::uint32_t> seen_;       ///< by facet: the search that saw it last
  std::uint32_t search_ = 0;
};

}  // namespace brisance::contact
