/// The boundary of the distributed mesh for contact: the points that this rank owns, and the facets that may come near
/// them, of any owner.
#pragma once

#include "brisance/contact/surface/rank_boxes.hpp"
#include "brisance/core/types.hpp"
#include "brisance/dist/halo.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace brisance::contact {

/// Penetration over the uncut edge length above which a point no longer counts as behind a facet, about half the
/// thickness of the elements behind it. Behind a thinner element, as cuts make them, the limit is that element's
/// altitude, but at least kLeastDeepestShare [–].
inline constexpr double kDeepestShare = 0.5;
inline constexpr double kLeastDeepestShare = 0.2;

/// A facet around a point, by its two other nodes in turn.
struct FacetAround {
  std::int64_t key;                     ///< ContactFacet::key
  std::array<std::int32_t, 2> corners;  ///< nodes of contact
};

/// A boundary node that this rank owns.
struct ContactPoint {
  GlobalNode id;
  std::int32_t node;                   ///< its slot in the mesh
  double deepest_m = 0;                ///< facets farther away do not count [m]
  double edge_m = 0;                   ///< dist::kUncutEdgeLength [m]
  double rest_area = 0;                ///< a third of the boundary facets around it, at rest [m²]
  std::int64_t body;                   ///< contact::kBody of an element around it
  Vec3 rest;                           ///< [m]
  std::vector<FacetAround> around;     ///< ascending key; empty: no longer a boundary node, or no node
  std::vector<std::int32_t> facets{};  ///< this rank's facets of which it is the node with the lowest id
};

/// A boundary facet. Members that every step reads come first.
struct ContactFacet {
  std::int64_t key;                           ///< 4 · element id + the corner opposite; −1: the facet is gone
  std::array<std::int32_t, 3> node;           ///< numbers of its nodes in ContactSurface
  double deepest_m;                           ///< largest depth behind it that counts as contact [m]
  double edge_m;                              ///< least dist::kUncutEdgeLength of its nodes [m]
  std::int64_t body;                          ///< contact::kBody
  std::array<GlobalNode, 3> id;               ///< counter-clockwise seen from outside
  std::array<std::array<double, 3>, 3> rest;  ///< [m]

  [[nodiscard]] bool is_gone() const { return key < 0; }
};

/// A node that is owned here is numbered by its slot in the mesh, others from first_foreign() on. Facets of other ranks
/// are copied here if they may come near an element that this rank holds, before nodes have moved relative to each
/// other by `allowance`.
class ContactSurface {
public:
  ContactSurface() = default;
  /// Gathers the boundary. Collective.
  /// @param skin_m  facets are copied within this distance plus their `deepest_m` from a point [m]
  /// @param allowance_m  relative motion of nodes for which the copies suffice [m]
  ContactSurface(const dist::Mesh& mesh, double skin_m, double allowance_m);

  /// Updates the boundary after cuts that touched or removed these nodes, which are or were owned (different slots).
  /// The cost grows with their number alone. New facets come after all others. Collective.
  void take_in_cuts(const dist::Mesh& mesh, std::span<const std::int32_t> touched);

  /// Numbers whose maximum over all ranks is needed before a step.
  struct Wear {
    /// 1 if there are so many new nodes, or facets that are gone, that the boundary must be gathered anew.
    double is_outdated = 0;
    RankBoxes::Displacements moved{};
  };
  /// Local.
  [[nodiscard]] Wear wear(const dist::Mesh& mesh) const;
  /// Have nodes moved relative to each other by more than the allowance?
  [[nodiscard]] bool boxes_are_outdated(const Wear& of_all_ranks) const {
    return boxes_.are_outdated(of_all_ranks.moved);
  }
  /// Exchanges boxes and facets at the present positions of elements. Collective.
  void exchange_boxes(const dist::Mesh& mesh);

  [[nodiscard]] std::span<const ContactPoint> points() const { return points_; }
  /// The data of present points that every step reads, without the rest of a ContactPoint.
  struct BoundaryNode {
    std::int32_t node;
    double rest_area_m2;  ///< ContactPoint::rest_area
  };
  [[nodiscard]] std::span<const BoundaryNode> boundary_nodes() const { return boundary_nodes_; }
  [[nodiscard]] std::span<const ContactFacet> facets() const { return facets_; }
  /// The facet with this key; −1 if this rank knows none.
  [[nodiscard]] std::int32_t find(std::int64_t key) const {
    const auto found = facet_of_key_.find(key);
    return found == facet_of_key_.end() ? -1 : found->second;
  }
  [[nodiscard]] std::size_t num_nodes() const { return num_nodes_; }
  [[nodiscard]] std::size_t first_foreign() const { return first_foreign_; }
  /// The point that is this node; −1 if there is none.
  [[nodiscard]] std::int32_t point_of(std::int32_t node) const {
    return static_cast<std::size_t>(node) < point_of_.size() ? point_of_[static_cast<std::size_t>(node)] : -1;
  }
  [[nodiscard]] std::span<const std::int32_t> facets_of(std::int32_t node) const {
    return facets_of_[static_cast<std::size_t>(node)];
  }
  /// Owner and slot there of a node that is not owned here.
  [[nodiscard]] const dist::GhostLink& link(std::int32_t node) const {
    return links_[static_cast<std::size_t>(node) - first_foreign_];
  }
  /// From owned nodes to the same nodes elsewhere, by the numbers of contact.
  [[nodiscard]] const dist::Halo& halo() const { return halo_; }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  struct FacetRecord;
  using Outgoing = std::map<int, std::vector<FacetRecord>>;  ///< by rank
  [[nodiscard]] std::int32_t number(GlobalNode id, int owner, LocalNode slot_there);
  [[nodiscard]] std::int32_t number(const dist::Mesh& mesh, LocalNode n);
  struct AroundWithArea {
    FacetAround around;
    double area;  ///< of the facet, at rest [m²]
  };
  void take_in(const dist::Mesh& mesh, LocalNode n, Outgoing& outgoing);
  void retire(std::int32_t point, Outgoing& outgoing);
  [[nodiscard]] std::vector<AroundWithArea> boundary_around(const dist::Mesh& mesh, LocalNode n);
  void remove_old_facets(const dist::Mesh& mesh, std::int32_t point, Outgoing& outgoing);
  void add_new_facets(const dist::Mesh& mesh, Outgoing& outgoing);
  [[nodiscard]] ContactFacet facet_at(const dist::Mesh& mesh, LocalElement e, int opposite);
  std::int32_t add_facet(const ContactFacet& facet);
  void remove_facet(std::int32_t facet);
  /// Ranks whose points a facet may come near before boxes are exchanged again, ascending.
  [[nodiscard]] std::vector<int> ranks_near(const dist::Mesh& mesh, const ContactFacet& facet) const;
  void offer(const dist::Mesh& mesh, const ContactFacet& facet, Outgoing& outgoing);
  void withdraw(std::int64_t key, Outgoing& outgoing);
  void exchange(const core::Comm& comm, const Outgoing& outgoing);
  void link_new_nodes(const core::Comm& comm);

  void list_boundary_nodes();

  double skin_m_ = 0;
  std::vector<ContactPoint> points_;
  std::vector<BoundaryNode> boundary_nodes_;
  std::vector<std::int32_t> point_of_;  ///< by owned node; −1
  std::vector<ContactFacet> facets_;
  std::unordered_map<std::int64_t, std::int32_t> facet_of_key_;
  std::size_t num_gone_ = 0;
  std::vector<std::pair<std::int32_t, ContactFacet>> new_facets_;  ///< with their points, during an update after cuts
  std::vector<std::vector<std::int32_t>> facets_of_;               ///< by node
  std::size_t first_foreign_ = 0, num_nodes_ = 0;
  std::unordered_map<GlobalNode, std::int32_t> foreign_;
  std::vector<dist::GhostLink> links_;  ///< owners of foreign nodes
  std::size_t num_linked_ = 0;          ///< number of those that are in the halo
  dist::Halo halo_;
  RankBoxes boxes_;
  std::unordered_map<std::int64_t, std::vector<int>> sent_;  ///< ranks that have a facet of this one's, by key
  std::unordered_map<std::int64_t, std::int32_t> received_;  ///< facets of other ranks by key and sender
};

/// Sum of the outward area vectors of the facets around a point, times two; `position` by node of contact [m²]. Local.
[[nodiscard]] Vec3 normal_at(const ContactPoint& point, std::span<const Vec3> position);

}  // namespace brisance::contact
