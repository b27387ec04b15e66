/// The tets among which contact between deformable bodies is detected: those that a rank holds, and ghost tets, which
/// are copies of nearby tets of other ranks.
#pragma once

#include "brisance/contact/overlap/node_penetration.hpp"
#include "brisance/contact/search/contact_layer.hpp"
#include "brisance/core/ids.hpp"
#include "brisance/dist/mesh.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace brisance::contact {

struct ContactTet {
  GlobalElement id;
  std::array<GlobalNode, 4> node;
  std::array<std::int32_t, 4> number;  ///< numbers of its nodes in ContactTets
  LocalElement element;                ///< invalid: a ghost tet
  int home = 0;                        ///< home rank: the rank that counts it
  bool is_home = false;                ///< whether this rank is its home rank
  std::int64_t body = 0;               ///< kBody
  double volume = 0;                   ///< at rest [m³]
  double mass = 0;                     ///< [kg]
  TetDepths depths{};                  ///< for criterion node_penetration

  [[nodiscard]] bool is_ghost() const { return !element.valid(); }
};

/// Do the two have a node in common?
[[nodiscard]] bool share_a_node(const ContactTet& a, const ContactTet& b);

/// A node that is owned here is numbered by its slot in the mesh, others from first_foreign() on. Tets are in ascending
/// order of ids, so that pairs in the order of places are in the order of ids on all ranks.
class ContactTets {
public:
  ContactTets() = default;
  /// Collective.
  /// @param skin_m  tets of other ranks are copied if bounding boxes are at most that far apart [m]
  ContactTets(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, const ContactLayer& layer,
              double skin_m);

  [[nodiscard]] std::span<const ContactTet> tets() const { return tets_; }
  [[nodiscard]] std::size_t num_nodes() const { return first_foreign_ + links_.size(); }
  [[nodiscard]] std::size_t first_foreign() const { return first_foreign_; }
  /// Nodes of the tets that are owned here, ascending.
  [[nodiscard]] std::span<const std::int32_t> owned_nodes() const { return owned_nodes_; }
  /// From owned nodes to the same nodes elsewhere, by number.
  [[nodiscard]] const dist::Halo& halo() const { return halo_; }
  /// Place of a tet in tets(); −1: it is not among them.
  [[nodiscard]] std::int32_t find(GlobalElement id) const;
  [[nodiscard]] std::size_t memory_bytes() const;

private:
  struct GhostRecord;
  [[nodiscard]] std::int32_t number(const dist::GhostLink& at_owner, GlobalNode id, int this_rank);
  void add_members(const dist::Mesh& mesh, const ContactLayer& layer);
  void exchange_ghosts(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, double skin_m);

  std::vector<ContactTet> tets_;
  std::vector<std::int32_t> owned_nodes_;
  std::size_t first_foreign_ = 0;
  std::unordered_map<GlobalNode, std::int32_t> foreign_;
  std::vector<dist::GhostLink> links_;  ///< owners of foreign nodes
  dist::Halo halo_;
};

}  // namespace brisance::contact
