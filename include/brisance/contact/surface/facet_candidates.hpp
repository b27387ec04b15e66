/// Which facets may touch which points: a Verlet list of points against facets.
#pragma once

#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/contact/surface/sphere_grid.hpp"
#include "brisance/contact/surface/travel.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// A point of the same body that lies behind the facet at rest, nearer than this share of the edge length, is on the
/// other side of the same wall or wedge and has never come through the facet [–].
inline constexpr double kWallShare = 1.0;

/// Can this point press on this facet at all: not one of its corners, and not a part of the wall behind it? By ids and
/// rest positions alone. Local.
[[nodiscard]] bool may_touch(const ContactPoint& point, const ContactFacet& facet);

/// Farthest that a facet counts for a point [m].
[[nodiscard]] inline double deepest(const ContactPoint& point, const ContactFacet& facet) {
  return std::min(point.deepest_m, facet.deepest_m);
}

/// Directions within an angle of an axis.
struct NormalCone {
  Eigen::Vector3f axis = Eigen::Vector3f::Zero();
  float sine = 1, cosine = 0;  ///< of the angle; without cosine: all directions
};

/// Is there a direction in one cone that opposes one in the other, to rounding? Local.
[[nodiscard]] bool may_oppose(const NormalCone& a, const NormalCone& b);

/// Each node of the surface has a reference position, from which it is no farther than half the skin distance, in a
/// frame that goes along with the mean of the points. Listed is every pair that such motion may bring within `deepest`
/// of each other with normals that oppose, and some others.
class FacetCandidates {
public:
  struct Candidate {
    std::int32_t facet;  ///< of ContactSurface::facets; it may be gone
    // By travel of the two (travel_of) [m]:
    float near_from_m = 0;    ///< they are no nearer to each other than this less their travel
    float counts_from_m = 0;  ///< they are farther than the facet's own depth, or do not oppose, before
  };

  FacetCandidates() = default;
  explicit FacetCandidates(double skin_m) : skin_m_(skin_m) {}

  /// Lists all pairs, with references where nodes are now. `position` by node. Local.
  void detect(const ContactSurface& surface, std::span<const Vec3> position);

  /// Lists what is new and what has left its reference, node by node, or all pairs where that would be much. Local.
  /// @param all_pairs  list all in any case: what takes long is best done by all ranks in the same step
  void renew(const ContactSurface& surface, std::span<const Vec3> position, bool all_pairs);

  /// Is it time to list all pairs, in the next step?
  [[nodiscard]] bool wants_all() const { return wants_all_; }

  /// All points: those that are near each other in space follow each other, then those that are new.
  [[nodiscard]] std::span<const std::int32_t> points_by_place() const { return by_place_; }

  /// Facets near a point.
  [[nodiscard]] std::span<Candidate> of(std::size_t point) { return facets_of_[point]; }
  /// Those that are close, as sort() has found them, and the others.
  [[nodiscard]] std::span<Candidate> close_to(std::size_t point) { return of(point).first(sorted_[point].num_close); }
  [[nodiscard]] std::span<Candidate> others_of(std::size_t point) {
    return of(point).subspan(sorted_[point].num_close);
  }
  /// Sum of the paths of the two, since all pairs were listed [m].
  [[nodiscard]] double travel_of(std::size_t point, const Candidate& candidate) const {
    return travel_.of_point(point) + travel_.of_facet(static_cast<std::size_t>(candidate.facet));
  }
  /// Brings those first that are close: nearer than `reach_m` and a margin, with normals that oppose, or fast.
  void sort(std::size_t point, double reach_m, double margin_m);
  /// Others than those that are close are no nearer than this, or do not count; not above 0: that is not known [m].
  [[nodiscard]] double others_apart_m(std::size_t point) const {
    const Sorted& sorted = sorted_[point];
    const double slow = travel_.of_slow();
    if (travel_.is_fast_point(point) || !(slow < sorted.others_until_m)) return 0;
    return sorted.others_apart_m - 2 * slow;
  }
  /// Is the point out of the reach of all facets? [m]
  [[nodiscard]] bool is_alone(std::size_t point, double reach_m) const {
    return sorted_[point].num_close == 0 && others_apart_m(point) > reach_m;
  }
  /// Has any point listed this facet since all pairs were listed?
  [[nodiscard]] bool is_listed(std::size_t facet) const { return is_listed_[facet] != 0; }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  void resize(const ContactSurface& surface);
  void list_all(const ContactSurface& surface, std::span<const Vec3> position);
  [[nodiscard]] std::vector<std::int32_t> nodes_to_renew(const ContactSurface& surface, std::span<const Vec3> position);
  [[nodiscard]] std::vector<std::int32_t> facets_to_list(const ContactSurface& surface,
                                                         std::span<const std::int32_t> nodes);
  [[nodiscard]] std::vector<std::int32_t> points_to_list(const ContactSurface& surface,
                                                         std::span<const std::int32_t> nodes,
                                                         std::span<const std::int32_t> facets);
  /// What of a facet decides whether it is listed, where its nodes have their references.
  struct alignas(64) Entry {
    NormalCone cone;  ///< of its normal
    float height;     ///< of the plane along the cone's axis, from the origin of the frame [m]
    float deepest;    ///< ContactFacet::deepest_m [m]
    std::array<std::int32_t, 3> node{-1, -1, -1};
    [[nodiscard]] bool has(std::int32_t n) const { return node[0] == n || node[1] == n || node[2] == n; }
  };
  /// What of a point decides which facets it lists.
  struct Seeker {
    std::int32_t node;
    Eigen::Vector3f place;    ///< of the reference [m]
    float deepest, rounding;  ///< [m]
    const NormalCone& cone;
  };
  void take_references(const ContactSurface& surface, std::span<const Vec3> position);
  [[nodiscard]] Vec3 reference(std::int32_t node) const { return reference_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] Sphere reach_of(const ContactFacet& facet) const;
  [[nodiscard]] NormalCone cone_of(const ContactPoint& point) const;
  [[nodiscard]] NormalCone cone_of(const Vec3& doubled_area, double longest_m) const;
  void list_facets_near(const ContactSurface& surface, std::int32_t point);
  void list_for_points_near(const ContactSurface& surface, std::int32_t facet);
  void enter(const ContactFacet& facet, Entry& entry) const;
  [[nodiscard]] Seeker seeker_of(const ContactPoint& point, std::size_t number) const;
  [[nodiscard]] bool is_near(const Seeker& point, const Entry& facet) const;

  double skin_m_ = 0, size_m_ = 1;
  std::vector<std::vector<Candidate>> facets_of_;  ///< by point
  std::vector<std::uint8_t> is_listed_;            ///< by facet
  std::vector<Vec3> reference_;                    ///< by node, in the frame [m]
  std::vector<std::uint8_t> has_reference_;        ///< by node
  std::vector<Entry> entries_;                     ///< by facet
  std::vector<NormalCone> point_cone_;             ///< of the normals around a point
  Vec3 origin_ = Vec3::Zero();                     ///< of single precision, in the frame [m]
  SphereGrid facets_, points_;                     ///< at their references
  Travel travel_;
  /// Of a point's list.
  struct Sorted {
    double others_apart_m = 0;  ///< no nearer than this less twice Travel::of_slow, ...
    double others_until_m = 0;  ///< ... or counting only after so much of it
    std::size_t num_close = 0;
  };
  void wake(std::size_t point) { sorted_[point] = {}; }
  void wake_points_near_fast_facets(const ContactSurface& surface);
  std::vector<Sorted> sorted_;  ///< by point
  bool wants_all_ = false;
  std::vector<std::int32_t> by_place_;
  std::size_t num_listed_points_ = 0;                        ///< in by_place_
  std::size_t num_entered_ = 0;                              ///< facets from here on are new
  std::vector<std::uint8_t> is_renewed_point_, is_entered_;  ///< scratch, by point and by facet
};

}  // namespace brisance::contact
