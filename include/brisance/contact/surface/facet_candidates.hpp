/// Which facets may touch which points: a Verlet list of points against facets.
#pragma once

#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/contact/surface/sphere_grid.hpp"

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
/// frame that goes along with the mean of the nodes. Listed is every pair that such motion may bring within `deepest`
/// of each other with normals that oppose, and some others.
class FacetCandidates {
public:
  struct Candidate {
    std::int32_t facet;  ///< of ContactSurface::facets; it may be gone
    /// What travel_m() was when the two were last measured, twice, and the distance that they had then at least: until
    /// twice travel_m() has come so near to it, they are apart by the rest [m].
    float apart_until_m;
  };

  FacetCandidates() = default;
  explicit FacetCandidates(double skin_m) : skin_m_(skin_m) {}

  /// Outdates all lists, with references where nodes are now. `position` by node. Local.
  void detect(const ContactSurface& surface, std::span<const Vec3> position);

  /// Takes in what is new and what has left its reference: lists of points there are outdated, and facets there are
  /// added to the lists of other points; or all is outdated where that would be much. Local.
  /// @param all_pairs  outdate all in any case: what takes long is best done by all ranks in the same step
  void renew(const ContactSurface& surface, std::span<const Vec3> position, bool all_pairs);

  /// Is it time to outdate all lists, in the next step?
  [[nodiscard]] bool wants_all() const { return wants_all_; }

  /// Facets near a point. An outdated list is made anew when it is asked for: most points search seldom. Local.
  [[nodiscard]] std::span<const Candidate> of(const ContactSurface& surface, std::size_t point);
  /// Notes a lower bound of the distance now [m].
  void note_distance(std::size_t point, std::size_t place, float distance_m) {
    constexpr float kInward = 1 - 4e-7F;  // more than the sum is rounded up by
    facets_of_[point][place].apart_until_m = kInward * (distance_m + 2 * travel_m_);
  }
  /// The farthest that any node may have moved in the frame, step by step, since all lists were outdated [m].
  [[nodiscard]] float travel_m() const { return travel_m_; }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  void resize(const ContactSurface& surface);
  void renew_all(const ContactSurface& surface, std::span<const Vec3> position);
  void move_frame(const ContactSurface& surface, std::span<const Vec3> position);
  void follow(const ContactSurface& surface, std::span<const Vec3> position);
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
  std::vector<std::uint8_t> is_outdated_;          ///< by point: its list
  std::vector<Vec3> reference_;                    ///< by node, in the frame [m]
  std::vector<std::uint8_t> has_reference_;        ///< by node
  std::vector<Entry> entries_;                     ///< by facet
  std::vector<NormalCone> point_cone_;             ///< of the normals around a point
  Vec3 origin_ = Vec3::Zero();                     ///< of single precision, in the frame [m]
  SphereGrid facets_, points_;                     ///< at their references
  std::vector<Vec3> last_;                         ///< by node, where it has been measured last [m]
  float travel_m_ = 0;
  bool wants_all_ = false;
  std::size_t num_known_points_ = 0;
  Vec3 frame_ = Vec3::Zero(), frame_step_ = Vec3::Zero();    ///< [m]
  std::size_t num_entered_ = 0;                              ///< facets from here on are new
  std::vector<std::uint8_t> is_renewed_point_, is_entered_;  ///< scratch, by point and by facet
};

}  // namespace brisance::contact
