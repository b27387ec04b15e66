/// The distributed tet mesh. Every node has one owner rank. A rank holds the whole star (all elements) of each node it
/// owns, and as ghosts the other corners of these elements; an element may be held by several ranks.
///
/// Slots are local indices. Node slot 0 is a placeholder without mass, "nobody", to which unused SIMD lanes point. Node
/// slots do not change while the node is held, and are used again when freed. Elements held by several ranks have the
/// same order of slots on all of them, so sums over a star in slot order have the same bits on every rank. Elements
/// with ids below MeshFacts::sorted_below are ordered by kPlace, then by id; all others follow, ordered by id. New
/// elements get ever larger ids and are appended. A dropped element leaves a hole (volume 0, corners nobody) until the
/// next compaction.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/field.hpp"
#include "brisance/core/types.hpp"
#include "brisance/dist/element_block.hpp"
#include "brisance/dist/fields.hpp"
#include "brisance/dist/halo.hpp"
#include "brisance/dist/surface.hpp"
#include "brisance/elements/rest_shape.hpp"
#include "brisance/la/sparse_exchange.hpp"
#include "brisance/material/material.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace brisance::dist {

/// A node as messages and files hold it, without its fields (Records).
struct NodeRecord {
  GlobalNode id;
  std::int32_t owner = -1;                               ///< rank
  std::array<double, 3> rest{}, position{}, velocity{};  ///< [m], [m], [m/s]
};

/// An element as messages and files hold it, without its fields (Records). Gradients and volume are recomputed from the
/// rest positions.
struct ElementRecord {
  GlobalElement id;
  std::array<GlobalNode, 4> corners;
  std::int32_t material = 0;  ///< index in Mesh::materials
};

/// Nodes and elements with all data that another rank or a file needs to rebuild them. Row i of the fields belongs to
/// entry i and has NodeFields::row_bytes() or ElementFields::row_bytes() bytes.
struct Records {
  std::vector<NodeRecord> nodes;
  std::vector<std::byte> node_fields;
  std::vector<ElementRecord> elements;
  std::vector<std::byte> element_fields;
};

/// Facts about the whole mesh, equal on all ranks.
struct MeshFacts {
  std::int64_t next_node_id = 0, next_element_id = 0;  ///< ids that the next cut gives
  std::vector<double> max_inverse_altitudes_squared;   ///< per material, of the uncut mesh [1/m²]; caps damping ratios
  std::int64_t num_cracks = 0;                         ///< node splits by cracks so far
  std::int64_t num_uncut = 0;                          ///< elements before the first cut
  std::int64_t sorted_below = 0;  ///< elements with lower ids are sorted by kPlace, for locality in memory
  std::vector<mesh::GradedRegion> graded = {};  ///< graded materials of the run, beyond the scene's materials
  mesh::Groups groups = {};                     ///< named by the input files (kTetGroup, kFaceSource)
};

/// A copy takes its share of the material that the original has.
inline void divide_material(double& original, double& copy, double share) {
  copy = share * original;
  original -= copy;
}

/// Share of an element's volume that is filled with material. It is 1 with the remeshing cutter; a cutter that leaves
/// elements whole divides their material among copies.
inline constexpr ElementFieldDeclaration<double> kMaterialShare{
    .name = "material_share", .unit = "-", .initial = 1, .at_copy = divide_material};

/// Key by which elements are sorted in memory: position on Morton's space-filling curve of the middle of the element of
/// the uncut mesh from which this one was cut.
inline constexpr ElementFieldDeclaration<std::int64_t> kPlace{.name = "place", .unit = "-"};

/// One rank's part of the mesh; it owns all its arrays. Methods are local unless they say otherwise.
class Mesh {
public:
  /// Builds a rank's part from its records, ghosts included: any order, each node and each element once, and every
  /// corner among the nodes. `cap_damping_ratio`: elements made by cuts get at most the largest damping ratio of
  /// their material in the uncut mesh. Collective.
  Mesh(const core::Comm& comm, std::vector<material::Material> materials, MeshFacts facts, bool cap_damping_ratio,
       const FieldList& fields, const Records& records);
  Mesh(Mesh&&) = default;
  Mesh& operator=(Mesh&&) = default;
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  [[nodiscard]] const core::Comm& comm() const { return comm_; }
  [[nodiscard]] const Halo& halo() const { return halo_; }
  /// Owner of a node held here, and the node's slot on that rank. Local.
  [[nodiscard]] GhostLink link_of(LocalNode n) const { return {n, owner[n], is_owned(n) ? n : remote_slot_[n]}; }

  // -- nodes
  /// Number of slots, with nobody and the free ones.
  [[nodiscard]] std::int32_t num_node_slots() const { return static_cast<std::int32_t>(node_id.size()); }
  [[nodiscard]] bool is_owned(LocalNode n) const { return owner[n] == comm_.rank(); }
  [[nodiscard]] bool is_used(LocalNode n) const { return owner[n] >= 0; }  ///< neither nobody nor a free slot
  /// Slot of a node held here, or an invalid index. Local.
  [[nodiscard]] LocalNode find(GlobalNode id) const;
  /// Elements of the node's star held here (all of them for an owned node), in ascending slot. Local.
  [[nodiscard]] std::span<const std::int32_t> star(LocalNode n) const { return stars_[n]; }
  /// Ranks that hold an element of the node's star: the owners of the star's corners, ascending. Owned nodes only.
  /// Local.
  [[nodiscard]] std::vector<int> holders(LocalNode n) const;

  // -- elements
  /// Number of slots, with holes.
  [[nodiscard]] std::int32_t num_element_slots() const { return static_cast<std::int32_t>(element_id.size()); }
  [[nodiscard]] bool is_held(LocalElement e) const { return corner(e, 0).value != kNobody; }
  [[nodiscard]] LocalNode corner(LocalElement e, int i) const {
    return LocalNode(blocks[e.value / kBatch].corner[i][e.value % kBatch]);
  }
  [[nodiscard]] std::array<LocalNode, 4> corners(LocalElement e) const {
    return {corner(e, 0), corner(e, 1), corner(e, 2), corner(e, 3)};
  }
  /// Rest volume of the material in the element, from which mass and stiffness follow [m³].
  [[nodiscard]] double volume(LocalElement e) const { return blocks[e.value / kBatch].volume[e.value % kBatch]; }
  /// Rest volume of the tet, filled or not (kMaterialShare) [m³].
  [[nodiscard]] double own_volume(LocalElement e) const { return volume(e) / field(kMaterialShare)[e]; }
  /// Slot of an element held here, or an invalid index. Local.
  [[nodiscard]] LocalElement find(GlobalElement id) const;
  /// The one rank that counts and writes an element held by several: the owner of its lowest-id node. Local.
  [[nodiscard]] int home(LocalElement e) const;
  [[nodiscard]] bool is_home(LocalElement e) const { return home(e) == comm_.rank(); }
  /// 1 for the elements whose home is this rank, else 0, by slot; as of the last finish_cuts. Local.
  [[nodiscard]] const ElementField<std::uint8_t>& homes() const { return homes_; }
  [[nodiscard]] const material::Material& material(LocalElement e) const { return materials[material_of[e]]; }

  // -- fields declared by modules (fields.hpp), by node or element slot; the mesh must have the field
  template <class T>
  [[nodiscard]] NodeField<T>& field(const NodeFieldDeclaration<T>& which) {
    return node_fields_.of(which);
  }
  template <class T>
  [[nodiscard]] const NodeField<T>& field(const NodeFieldDeclaration<T>& which) const {
    return node_fields_.of(which);
  }
  template <class T>
  [[nodiscard]] ElementField<T>& field(const ElementFieldDeclaration<T>& which) {
    return element_fields_.of(which);
  }
  template <class T>
  [[nodiscard]] const ElementField<T>& field(const ElementFieldDeclaration<T>& which) const {
    return element_fields_.of(which);
  }
  /// Null where the run does not use the field.
  template <class T>
  [[nodiscard]] const ElementField<T>* find_field(const ElementFieldDeclaration<T>& which) const {
    return element_fields_.find(which);
  }
  template <class T>
  [[nodiscard]] NodeField<T>* find_field(const NodeFieldDeclaration<T>& which) {
    return node_fields_.find(which);
  }
  template <class T>
  [[nodiscard]] const NodeField<T>* find_field(const NodeFieldDeclaration<T>& which) const {
    return node_fields_.find(which);
  }
  /// Empty where the run does not use the field.
  template <class Block>
  [[nodiscard]] std::span<Block> field(const ElementLanesDeclaration<Block>& which) {
    return element_fields_.of(which);
  }
  template <class Block>
  [[nodiscard]] std::span<const Block> field(const ElementLanesDeclaration<Block>& which) const {
    return element_fields_.of(which);
  }
  [[nodiscard]] const FieldList& field_list() const { return field_list_; }
  /// All fields, for code that carries them without knowing what they mean.
  [[nodiscard]] const NodeFields& node_fields() const { return node_fields_; }
  [[nodiscard]] const ElementFields& element_fields() const { return element_fields_; }

  // -- records: copies of a node or element held here, for messages and files
  [[nodiscard]] NodeRecord node_record(LocalNode n) const;
  [[nodiscard]] ElementRecord element_record(LocalElement e) const;
  /// All field values of a node or element, packed. Local.
  [[nodiscard]] std::vector<std::byte> field_row(LocalNode n) const;
  [[nodiscard]] std::vector<std::byte> field_row(LocalElement e) const;

  /// The cutting primitives on this rank's part. The caller gives new ids; all ranks that hold an element or node must
  /// be given the same lists, and skip the entries that they do not hold. Local.
  /// split_edge makes the node `created` at (1−t) a + t b and bisects each parent: the parent keeps a and gets the new
  /// node in place of b, the child the reverse. Returns the new node's slot, or an invalid index where it is not held.
  LocalNode split_edge(GlobalNode a, GlobalNode b, double t, GlobalNode created, std::int32_t owner_of_created,
                       std::span<const std::pair<GlobalElement, GlobalElement>> children);
  /// Gives an element a copy at the same corners with `share` in (0, 1) of its material; `split_node` then gives the
  /// copy nodes of its own. Fields follow their rule at_copy. Returns the copy, invalid where the original is not held.
  LocalElement copy_element(GlobalElement original, GlobalElement copy, double share);
  /// Sets the share of material of an element held here, and what follows from it (kMaterialShare).
  void set_material_share(LocalElement e, double share);
  /// Replaces n by the given copy of it in each listed element; elements not listed keep n.
  void split_node(GlobalNode n, std::span<const std::pair<GlobalElement, GlobalNode>> assignments);

  /// To be called after the cuts of a round: recomputes masses of the owned nodes of changed elements, applies AtTouch
  /// to their fields, drops elements without an owned corner, frees unused ghosts, and closes the holes if they are
  /// many (element slots change then). Until relink_ghosts() the halo is outdated: of the ghost updates only those for
  /// given nodes (…_of) work. Local.
  void finish_cuts();
  /// Removes whole pieces: their elements, and the nodes that have no element then. Every rank that holds one of the
  /// elements must name it; call after finish_cuts(), and relink_ghosts() afterwards on all ranks. Element slots may
  /// change; ids are not used again. Local.
  void remove_elements(std::span<const LocalElement> elements);
  /// To be called after the last round of cuts in a step: rebuilds the halo if any rank's ghosts changed. Collective.
  void relink_ghosts();
  /// Boundary triangles of the elements held here, as of the last finish_cuts. Local.
  [[nodiscard]] const BoundarySurface& surface() const { return surface_; }
  /// Owned nodes of elements that the last round of cuts changed, by ascending slot; valid until the next cut.
  [[nodiscard]] std::span<const LocalNode> touched_nodes() const { return touched_nodes_; }
  /// Their masses before those cuts; 0 for new nodes. Parallel to touched_nodes().
  [[nodiscard]] std::span<const double> masses_before() const { return masses_before_; }

  /// Elements that this rank dropped in the last finish_cuts, as no corner was owned any more.
  [[nodiscard]] std::span<const GlobalElement> dropped_elements() const { return dropped_elements_; }

  /// Sends bytes to ranks that share elements with this one, and returns the messages that arrive from such ranks. They
  /// are determined when ghosts are linked; cuts add none. Collective.
  [[nodiscard]] std::vector<la::Message> exchange_with_neighbours(std::map<int, std::vector<std::byte>> outgoing) const;
  /// Owner → ghost for the fields declared Ghosts::refreshed; to be called before a round of cuts. Collective.
  void update_ghost_fields();
  /// The same for these owned nodes alone, in messages as long as the list. Works between cuts and relink_ghosts().
  /// Collective.
  void update_ghost_fields_of(std::span<const LocalNode> nodes);
  /// Owner → ghost for the values of these owned nodes, `values` being indexed by node slot; returns the ghosts of this
  /// rank that were updated. Collective.
  template <class T>
  std::vector<LocalNode> update_ghosts_of(std::span<const LocalNode> nodes, std::span<T> values) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return exchange_rows(
        nodes, sizeof(T), [&](LocalNode n, std::byte* row) { std::memcpy(row, &values[n.value], sizeof(T)); },
        [&](LocalNode n, const std::byte* row) { std::memcpy(&values[n.value], row, sizeof(T)); });
  }
  /// Owner → ghost for all positions and velocities. Collective.
  void update_ghost_motion() { halo_.update_ghosts(motion.span()); }
  /// As given to the constructor.
  [[nodiscard]] bool caps_damping_ratio() const { return cap_damping_ratio_; }

  /// Bytes of this rank's part, all arrays included.
  [[nodiscard]] std::size_t memory_bytes() const;

  // Node arrays, indexed by slot.
  NodeField<GlobalNode> node_id;
  NodeField<std::int32_t> owner;        ///< rank; −1: free slot
  NodeField<Vec3> rest;                 ///< [m]
  AlignedNodeField<NodeMotion> motion;  ///< position, velocity
  NodeField<double> mass;               ///< lumped mass of owned nodes; 0 elsewhere [kg]
  NodeField<double> inverse_mass;       ///< 0 for ghosts and nobody, so that no force moves them [1/kg]

  // Element arrays, indexed by slot.
  core::AlignedVector<ElementBlock> blocks;  ///< corners, gradients, volumes (element_block.hpp)
  ElementField<GlobalElement> element_id;
  ElementField<material::Index> material_of;  ///< index in materials; padded to whole blocks

  std::vector<material::Material> materials;  ///< the same on all ranks
  MeshFacts facts;

private:
  /// Sends a row of each node to all ranks that hold it and stores the rows received; returns the nodes received,
  /// sender by sender. Collective.
  std::vector<LocalNode> exchange_rows(std::span<const LocalNode> nodes, std::size_t row_bytes,
                                       const std::function<void(LocalNode, std::byte*)>& pack,
                                       const std::function<void(LocalNode, const std::byte*)>& unpack) const;
  /// Does another rank hold this owned node? Cached until its star changes. Local.
  [[nodiscard]] bool is_shared(LocalNode n) const;
  /// Indices of the records in the order of their slots.
  [[nodiscard]] std::vector<std::size_t> order_of_elements(const Records& records) const;
  [[nodiscard]] std::vector<std::size_t> order_of_nodes(const Records& records,
                                                        std::span<const std::size_t> element_order) const;
  void index_sorted();
  LocalNode add_node(const NodeRecord& node);
  LocalElement add_element(GlobalElement id, std::int32_t material, const std::array<LocalNode, 4>& corners);
  void compute_rest_shape(LocalElement e);
  void compute_mass(LocalNode n);
  void remove_from_star(LocalNode n, LocalElement e);
  void insert_into_star(LocalNode n, LocalElement e);
  void touch(LocalElement e);
  void drop_element(LocalElement e);
  void clear_lane(LocalElement e);
  void free_node(LocalNode n);
  void free_emptied_nodes();
  void relink();
  /// Requests the slots of new ghosts from their owners; returns those ghosts. Collective.
  std::vector<LocalNode> locate_new_ghosts();
  [[nodiscard]] std::vector<GhostLink> links_of(std::span<const LocalNode> ghosts) const;
  void compact();

  core::Comm comm_;
  Halo halo_;
  bool cap_damping_ratio_;
  FieldList field_list_;
  NodeFields node_fields_;
  ElementFields element_fields_;
  NodeField<LocalNode> remote_slot_;  ///< ghosts: slot at the owner; invalid until linked
  NodeField<std::vector<std::int32_t>> stars_;
  enum class Sharing : std::uint8_t { unknown, own, shared };
  mutable NodeField<Sharing> sharing_;  ///< of owned nodes
  std::unordered_map<GlobalNode, LocalNode> slot_of_;
  /// Elements below MeshFacts::sorted_below by ascending id; empty where all slots ascend with the id.
  std::vector<LocalElement> sorted_by_id_;
  std::vector<LocalNode> free_slots_;
  std::vector<LocalElement> touched_elements_;
  std::vector<GlobalElement> dropped_elements_;  ///< by the last finish_cuts
  std::vector<LocalNode> touched_nodes_;
  std::vector<double> masses_before_;
  std::vector<int> neighbours_;         ///< other ranks that hold an element of this rank's owned nodes; ascending
  std::vector<LocalNode> new_ghosts_;   ///< not linked yet
  std::vector<LocalNode> gone_ghosts_;  ///< free slots that the halo still writes to
  std::vector<LocalNode> emptied_;      ///< nodes whose star lost its last element since finish_cuts
  BoundarySurface surface_;
  ElementField<std::uint8_t> homes_;
  std::int32_t num_holes_ = 0;
  bool cuts_finished_ = true;
};

}  // namespace brisance::dist
