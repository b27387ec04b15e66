/// The boundary of the distributed mesh for contact: the points that this rank owns, and the facets that may come near
/// them, of any owner.
#pragma once

#include "brisance/contact/surface/divided_surface.hpp"
#include "brisance/contact/surface/rank_cells.hpp"
#include "brisance/contact/surface/surface_numbering.hpp"
#include "brisance/core/types.hpp"
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

/// A boundary node that this rank owns, or a point where a crack cuts an edge of elements that stay whole, of which
/// this rank owns the lower node.
struct ContactPoint {
  GlobalNode id;                    ///< of the node, or of the edge's lower node
  std::int32_t node;                ///< its number; that of a node is its slot in the mesh
  double deepest_m = 0;             ///< facets farther away do not count [m]
  double edge_m = 0;                ///< dist::kUncutEdgeLength [m]
  double rest_area = 0;             ///< a third of the boundary facets around it, at rest [m²]
  std::int64_t body;                ///< contact::kBody of an element around it
  Vec3 rest;                        ///< [m]
  std::vector<FacetAround> around;  ///< ascending key; empty: no longer a boundary node, or no node
  /// This rank's facets of which it is the node with the lowest id; empty in divided meshes (own_facets()).
  std::vector<std::int32_t> facets{};
  GlobalNode other{};     ///< the edge's higher node; invalid for a node
  std::int32_t slot = 0;  ///< slot of `id` in the mesh

  [[nodiscard]] bool is_on_edge() const { return other.valid(); }
};

/// A boundary facet. Members that every step reads come first.
struct ContactFacet {
  /// 4 · element id + the corner opposite, in divided meshes 32 · id + the triangle's number; −1: the facet is gone
  std::int64_t key;
  std::array<std::int32_t, 3> node;           ///< numbers of its nodes in ContactSurface
  double deepest_m;                           ///< largest depth behind it that counts as contact [m]
  double edge_m;                              ///< least dist::kUncutEdgeLength of its nodes [m]
  std::int64_t body;                          ///< contact::kBody
  std::array<GlobalNode, 3> id;               ///< counter-clockwise seen from outside; invalid: an embedded point
  std::array<std::array<double, 3>, 3> rest;  ///< [m]

  [[nodiscard]] bool is_gone() const { return key < 0; }
};

/// Has a facet stayed what it was? Local.
[[nodiscard]] bool is_same_facet(const ContactFacet& a, const ContactFacet& b);

/// In meshes with dist::kDivision facets are the triangles of the surface inside elements, and points are boundary
/// nodes and cut edges; points on faces and in elements are means of these, and no points of contact. Facets of other
/// ranks are copied here if they may come near an element that this rank holds, before nodes have moved relative to
/// each other by `allowance`.
class ContactSurface {
public:
  ContactSurface() = default;
  /// Gathers the boundary. Collective.
  /// @param mean_edge_m  a length on which no result depends [m]
  /// @param allowance_m  relative motion of nodes for which the copies of other ranks' facets suffice [m]
  ContactSurface(const dist::Mesh& mesh, double mean_edge_m, double allowance_m);

  /// Updates the boundary after cuts that touched or removed these nodes, which are or were owned (different slots).
  /// The cost grows with their number alone. New facets come after all others. Collective.
  void take_in_cuts(const dist::Mesh& mesh, std::span<const std::int32_t> touched);

  /// Numbers whose maximum over all ranks is needed before a step.
  struct Wear {
    /// 1 if there are so many new nodes, or facets that are gone, that the boundary must be gathered anew.
    double is_outdated = 0;
    RankCells::Displacements moved{};
  };
  /// Local.
  [[nodiscard]] Wear wear(const dist::Mesh& mesh) const;
  /// Follows the motion of all ranks' nodes. False if they have moved relative to each other by more than the
  /// allowance: an exchange is due. Local.
  [[nodiscard]] bool follow_ranks(const Wear& of_all_ranks) { return cells_.follow(of_all_ranks.moved); }
  /// Exchanges cells and facets at the present positions of elements. Collective.
  void exchange_cells(const dist::Mesh& mesh);

  [[nodiscard]] std::span<const ContactPoint> points() const { return points_; }
  /// An owned node on which the surface has weight, and the area that has: of a node alone ContactPoint::rest_area.
  struct BoundaryNode {
    std::int32_t node;
    double rest_area_m2;
  };
  [[nodiscard]] std::span<const BoundaryNode> boundary_nodes() const { return boundary_nodes_; }
  [[nodiscard]] std::span<const ContactFacet> facets() const { return facets_; }
  /// Those of this rank, each once; some may be gone.
  [[nodiscard]] std::vector<std::int32_t> own_facets() const;
  /// Numbers of nodes and embedded points, by which points and facets name them.
  [[nodiscard]] const SurfaceNumbering& numbering() const { return numbering_; }
  [[nodiscard]] bool is_divided() const { return is_divided_; }
  /// In divided meshes: this owned node and the cut edges of which it is the lower one, as indices of points().
  [[nodiscard]] std::span<const std::int32_t> points_of(std::int32_t slot) const;
  /// The facet with this key; −1 if this rank knows none.
  [[nodiscard]] std::int32_t find(std::int64_t key) const {
    const auto found = facet_of_key_.find(key);
    return found == facet_of_key_.end() ? -1 : found->second;
  }
  /// The point with this number; −1 if there is none.
  [[nodiscard]] std::int32_t point_of(std::int32_t node) const {
    return static_cast<std::size_t>(node) < point_of_.size() ? point_of_[static_cast<std::size_t>(node)] : -1;
  }
  [[nodiscard]] std::span<const std::int32_t> facets_of(std::int32_t node) const {
    return facets_of_[static_cast<std::size_t>(node)];
  }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  struct FacetRecord;
  using Outgoing = std::map<int, std::vector<FacetRecord>>;  ///< by rank
  struct AroundWithArea {
    FacetAround around;
    double area;  ///< of the facet, at rest [m²]
  };
  void take_in(const dist::Mesh& mesh, LocalNode n, Outgoing& outgoing);
  void retire(std::int32_t point, Outgoing& outgoing);
  [[nodiscard]] std::vector<AroundWithArea> boundary_around(const dist::Mesh& mesh, LocalNode n);
  /// Removes those of `held` that are not wanted, and leaves in `wanted` those that are not held. Local.
  void keep_wanted(std::vector<std::int32_t>& held, std::vector<ContactFacet>& wanted, Outgoing& outgoing);
  void remove_old_facets(const dist::Mesh& mesh, std::int32_t point, Outgoing& outgoing);
  void add_new_facets(const dist::Mesh& mesh, Outgoing& outgoing);
  [[nodiscard]] ContactFacet facet_at(const dist::Mesh& mesh, LocalElement e, int opposite);
  std::int32_t add_facet(const ContactFacet& facet);
  void remove_facet(std::int32_t facet);
  /// Ranks whose points a facet may come near before cells are exchanged again, ascending; valid until
  /// the next call.
  [[nodiscard]] const std::vector<int>& ranks_near(const dist::Mesh& mesh, const ContactFacet& facet);
  void offer(const dist::Mesh& mesh, const ContactFacet& facet, Outgoing& outgoing);
  void withdraw(std::int64_t key, Outgoing& outgoing);
  void exchange(const core::Comm& comm, const Outgoing& outgoing);

  void list_boundary_nodes();

  // Divided meshes: divided_contact_surface.cpp
  /// What this rank has for an owned node of elements with a surface.
  struct NodeShare {
    GlobalNode id;
    double rest_area_m2 = 0;           ///< BoundaryNode
    std::vector<std::int32_t> points;  ///< the node, and edges of which it is the lower node
    std::vector<std::int32_t> facets;  ///< of elements of which it is the lowest corner
  };
  struct Around;
  /// The surface inside an element; cached during an update, since the stars of four nodes hold the element.
  struct ElementSurface {
    std::vector<DividedTriangle> triangles;
    std::vector<ContactFacet> facets;  ///< parallel; key −1: not needed by this rank so far
  };
  [[nodiscard]] ElementSurface& surface_of(const dist::Mesh& mesh, LocalElement e);
  void take_in_divided(const dist::Mesh& mesh, LocalNode n, Outgoing& outgoing);
  void retire(const NodeShare& share, Outgoing& outgoing);
  void renew_points(const dist::Mesh& mesh, LocalNode n, const Around& around, NodeShare& share);
  void renew_facets(LocalNode n, std::vector<ContactFacet> wanted, NodeShare& share, Outgoing& outgoing);
  [[nodiscard]] Around surface_around(const dist::Mesh& mesh, LocalNode n);
  [[nodiscard]] ContactFacet facet_of(const dist::Mesh& mesh, LocalElement e, const DividedTriangle& triangle);
  [[nodiscard]] std::int32_t number(const dist::Mesh& mesh, const DividedCorner& corner);
  void take_corner(const core::Comm& comm, const EmbeddedPoint& sent, std::span<const std::int32_t> owners,
                   ContactFacet& facet, std::size_t corner);
  [[nodiscard]] Vec3 position_at(const dist::Mesh& mesh, const ContactFacet& facet, std::size_t corner) const;

  bool is_divided_ = false;
  std::vector<ContactPoint> points_;
  std::vector<BoundaryNode> boundary_nodes_;
  std::vector<std::int32_t> point_of_;  ///< by number; −1
  std::vector<ContactFacet> facets_;
  std::unordered_map<std::int64_t, std::int32_t> facet_of_key_;
  std::size_t num_gone_ = 0;
  /// With their points, in divided meshes slots, during an update after cuts.
  std::vector<std::pair<std::int32_t, ContactFacet>> new_facets_;
  std::vector<std::vector<std::int32_t>> facets_of_;  ///< by node
  SurfaceNumbering numbering_;
  RankCells cells_;
  std::vector<int> near_;                                    ///< scratch of ranks_near
  std::map<std::int32_t, NodeShare> shares_;                 ///< by slot
  std::unordered_map<std::int32_t, ElementSurface> found_;   ///< by element slot; empty between updates
  std::unordered_map<std::int64_t, std::vector<int>> sent_;  ///< ranks that have a facet of this one's, by key
  std::unordered_map<std::int64_t, std::int32_t> received_;  ///< facets of other ranks by key and sender
};

/// Sum of the outward area vectors of the facets around a point, times two; `position` by node of contact [m²]. Local.
[[nodiscard]] Vec3 normal_at(const ContactPoint& point, std::span<const Vec3> position);

}  // namespace brisance::contact
