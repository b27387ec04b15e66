/// Verlet list of the facets that each point may touch.
#pragma once

#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/contact/surface/sphere_grid.hpp"

#include <algorithm>
#include <cstdint>
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

/// Directions within an angle of an axis.
struct NormalCone {
  Eigen::Vector3f axis = Eigen::Vector3f::Zero();
  float sine = 1, cosine = 0;  ///< of the angle; cosine 0: all directions
};

/// Is there a direction in one cone that opposes one in the other, to rounding? Local.
[[nodiscard]] bool may_oppose(const NormalCone& a, const NormalCone& b);

/// Each node of the surface has a reference position, from which it is at most half the skin distance away, in a frame
/// that moves with the mean of the nodes. The list has every pair that such motion may bring within `deepest` of each
/// other with opposing normals, and some others.
class FacetCandidates {
public:
  struct Candidate {
    std::int32_t facet;  ///< index in ContactSurface::facets; the facet may be gone
    /// Twice the value of travel_m() at the last distance calculation, plus the lower bound of the distance then: while
    /// twice travel_m() is smaller, the difference is a lower bound of the distance [m].
    float apart_until_m;
  };

  FacetCandidates() = default;
  explicit FacetCandidates(double skin_m) : skin_m_(skin_m) {}

  /// Invalidates all lists and sets references to the present positions. `position` by node. Local.
  void detect(const ContactSurface& surface, std::span<const Vec3> position);

  /// Updates for new nodes and facets and for nodes that have left their reference: invalidates the lists of such
  /// points, and adds such facets to the lists of other points. Invalidates all lists if that is less work. Local.
  /// @param all_pairs  invalidate all lists in any case: expensive updates should happen on all ranks in the same step
  void renew(const ContactSurface& surface, std::span<const Vec3> position, bool all_pairs);

  /// Should all lists be invalidated in the next step?
  [[nodiscard]] bool wants_all() const { return wants_all_; }

  /// Facets near a point. An invalid list is made anew on demand, since most points search rarely. Local.
  [[nodiscard]] std::span<const Candidate> of(const ContactSurface& surface, std::size_t point);
  /// Stores a lower bound of the present distance [m].
  void note_distance(std::size_t point, std::size_t place, float distance_m) {
    constexpr float kInward = 1 - 4e-7F;  // more than the sum is rounded up by
    facets_of_[point][place].apart_until_m = kInward * (distance_m + 2 * travel_m_);
  }
  /// Upper bound of any node's travelled distance in the frame, summed over steps, since all lists were invalidated
  /// [m].
  [[nodiscard]] float travel_m() const { return travel_m_; }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  void resize(const ContactSurface& surface);
  void renew_all(const ContactSurface& surface, std::span<const Vec3> position);
  void sort_facets(const ContactSurface& surface);
  void sort_points(const ContactSurface& surface);
  void move_frame(const ContactSurface& surface, std::span<const Vec3> position);
  void follow(const ContactSurface& surface, std::span<const Vec3> position);
  [[nodiscard]] std::vector<std::int32_t> nodes_to_renew(const ContactSurface& surface, std::span<const Vec3> position);
  [[nodiscard]] std::vector<std::int32_t> facets_to_list(const ContactSurface& surface,
                                                         std::span<const std::int32_t> nodes);
  [[nodiscard]] std::vector<std::int32_t> points_to_list(const ContactSurface& surface,
                                                         std::span<const std::int32_t> nodes,
                                                         std::span<const std::int32_t> facets);
  /// Data of a facet, with its nodes at their references, for the test whether it is listed.
  struct alignas(64) Entry {
    NormalCone cone;  ///< cone of its normal
    float height;     ///< of the plane along the cone's axis, from the origin of the frame [m]
    float deepest;    ///< ContactFacet::deepest_m [m]
    std::array<std::int32_t, 3> node{-1, -1, -1};
    [[nodiscard]] bool has(std::int32_t n) const { return node[0] == n || node[1] == n || node[2] == n; }
  };
  /// Data of a point for the test of which facets it lists.
  struct Seeker {
    std::int32_t node;
    Eigen::Vector3f place;    ///< reference position [m]
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
  std::vector<std::uint8_t> is_outdated_;          ///< by point: whether its list is invalid
  std::vector<Vec3> reference_;                    ///< by node, in the frame [m]
  std::vector<std::uint8_t> has_reference_;        ///< by node
  std::vector<Entry> entries_;                     ///< by facet
  std::vector<NormalCone> point_cone_;             ///< cone of the facets' normals around each point
  Vec3 origin_ = Vec3::Zero();                     ///< origin of single-precision positions, in the frame [m]
  SphereGrid facets_, points_;                     ///< at their reference positions
  std::vector<Vec3> last_;                         ///< by node, last measured position [m]
  float travel_m_ = 0;
  bool wants_all_ = false;
  std::size_t num_known_points_ = 0;
  std::size_t num_nodes_ = 0;                                ///< of the surface that this rank knows
  Vec3 frame_ = Vec3::Zero(), frame_step_ = Vec3::Zero();    ///< [m]
  std::size_t num_entered_ = 0;                              ///< number of facets known; those after it are new
  std::vector<Candidate> near_;                              ///< scratch of list_facets_near
  std::vector<std::int32_t> met_;                            ///< scratch: facets or points that a sphere meets
  std::vector<std::uint8_t> is_renewed_point_, is_entered_;  ///< scratch, by point and by facet
};

}  // namespace brisance::contact
