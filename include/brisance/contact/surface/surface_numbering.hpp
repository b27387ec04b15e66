/// Numbers of the nodes and embedded points of contact on one rank.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dist/halo.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace brisance::contact {

/// A point of the surface inside a face or an edge of an element, or inside the element: no node, but a sum of nodes.
struct EmbeddedPoint {
  std::int32_t number;  ///< of contact, beyond those of nodes owned here
  std::int32_t count;   ///< of nodes
  std::array<std::int32_t, 4> node;
  std::array<double, 4> weight;
  std::array<std::int64_t, 4> id;  ///< of the nodes, ascending; −1 past the last
};

/// A node that is owned here has its slot in the mesh as its number. Nodes of other ranks and embedded points are
/// numbered from first_foreign() on, in the order in which they are named; a number is never given up.
class SurfaceNumbering {
public:
  SurfaceNumbering() = default;
  /// @param first_foreign  more than any slot of an owned node that will be numbered
  explicit SurfaceNumbering(std::size_t first_foreign) : first_foreign_(first_foreign) {}

  /// Number of a node of another rank, whose slot is `slot_there` at its owner. Local.
  [[nodiscard]] std::int32_t number(GlobalNode id, int owner, LocalNode slot_there);
  /// Number of a node of the mesh. Local.
  [[nodiscard]] std::int32_t number(const dist::Mesh& mesh, LocalNode n);
  /// Number of the embedded point of these nodes. Local.
  [[nodiscard]] std::int32_t embed(EmbeddedPoint point);
  /// Brings halo() up to date with the nodes numbered since the last call. Collective.
  void link_new_nodes(const core::Comm& comm);

  /// One more than the largest number.
  [[nodiscard]] std::size_t size() const { return first_foreign_ + places_.size(); }
  [[nodiscard]] std::size_t first_foreign() const { return first_foreign_; }
  [[nodiscard]] bool is_own(std::int32_t number) const { return static_cast<std::size_t>(number) < first_foreign_; }
  [[nodiscard]] std::span<const EmbeddedPoint> embedded_points() const { return embedded_; }
  /// Null if the number is that of a node.
  [[nodiscard]] const EmbeddedPoint* embedded(std::int32_t number) const {
    if (is_own(number) || place(number) >= 0) return nullptr;
    return &embedded_[static_cast<std::size_t>(-1 - place(number))];
  }
  /// Owner and slot there of a node that is not owned here.
  [[nodiscard]] const dist::GhostLink& link(std::int32_t number) const {
    return links_[static_cast<std::size_t>(place(number))];
  }
  /// From owned nodes to the same nodes elsewhere.
  [[nodiscard]] const dist::Halo& halo() const { return halo_; }
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  [[nodiscard]] std::int32_t place(std::int32_t number) const {
    return places_[static_cast<std::size_t>(number) - first_foreign_];
  }

  std::size_t first_foreign_ = 0;
  std::unordered_map<GlobalNode, std::int32_t> foreign_;
  std::vector<std::int32_t> places_;  ///< by number from first_foreign_ on: index in links_, or −1 − that in embedded_
  std::vector<dist::GhostLink> links_;  ///< owners of foreign nodes
  std::size_t num_linked_ = 0;          ///< number of those that are in the halo
  dist::Halo halo_;
  std::vector<EmbeddedPoint> embedded_;
  std::map<std::array<std::int64_t, 4>, std::int32_t> number_of_ids_;  ///< of embedded points, by ids of their nodes
};

}  // namespace brisance::contact
