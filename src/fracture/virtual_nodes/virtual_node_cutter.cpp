/// Cutting with virtual nodes: divide blocks of vertices, copy tets, then give each connected part nodes of its own.
#include "virtual_node_cutter.hpp"

#include "brisance/fracture/fields.hpp"
#include "brisance/fracture/fronts.hpp"

#include "crack_front.hpp"
#include "fracture/cutters/node_splits.hpp"
#include "fracture/cutters/ready_times.hpp"
#include "node_classes.hpp"
#include "virtual_node_plan.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace brisance::fracture {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

int place_of(const std::array<GlobalNode, 4>& vertices, GlobalNode v) {
  return static_cast<int>(std::ranges::find(vertices, v) - vertices.begin());
}

std::array<GlobalNode, 4> vertices_of(const dist::Mesh& mesh, LocalElement e) {
  std::array<GlobalNode, 4> vertices;
  for (int i = 0; i < 4; ++i) vertices[at(i)] = dist::vertex_of(mesh, mesh.corner(e, i));
  return vertices;
}

/// Bits of edges of a tet whose vertices are among those of a face, by the bits of the message.
std::uint8_t edges_of(const VirtualNodeMessage::FirstCutFace& face, const std::array<GlobalNode, 4>& vertices) {
  std::uint8_t bits = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if ((face.opposite >> k & 1) == 0) continue;
    const int i = place_of(vertices, face.vertices[(k + 1) % 3]), j = place_of(vertices, face.vertices[(k + 2) % 3]);
    bits |= static_cast<std::uint8_t>(1U << elements::kTetEdgeOf[at(i)][at(j)]);
  }
  return bits;
}

/// The tet's partition after the crack, as every holder of one of its copies computes it.
elements::Partition updated(elements::Partition p, GlobalElement tet, const std::array<GlobalNode, 4>& vertices,
                            const VirtualNodeMessage& cut) {
  for (const VirtualNodeMessage::Edge& edge : cut.edges) {
    const int i = place_of(vertices, edge.low), j = place_of(vertices, edge.high);
    if (i == 4 || j == 4) continue;
    const int e = elements::kTetEdgeOf[at(i)][at(j)];
    p.placed |= static_cast<std::uint8_t>(1U << e);
    p.cut_at[at(e)] = i < j ? edge.t : 1 - edge.t;
  }
  for (const VirtualNodeMessage::Split& split : cut.splits)
    if (split.tet == tet) p = elements::divided(p, split.block, static_cast<std::uint8_t>(split.second));
  if (p.first == 0) p.first = p.separated();
  for (const VirtualNodeMessage::FirstCutFace& face : cut.faces) {
    int opposite = -1;
    for (int i = 0, found = 0; i < 4; ++i) {
      if (std::ranges::find(face.vertices, vertices[at(i)]) != face.vertices.end())
        ++found;
      else
        opposite = i;
      if (i == 3 && found < 3) opposite = -1;
    }
    if (opposite >= 0 && p.face_first[at(opposite)] == 0) p.face_first[at(opposite)] = edges_of(face, vertices);
  }
  return p;
}

class VirtualNodeCutter final : public Cutter {
public:
  explicit VirtualNodeCutter(const Parameters& parameters)
      : parameters_(parameters), splitter_(parameters), ready_(parameters) {}

  void rebuild(const dist::Mesh& mesh) override { virtual_nodes_ = VirtualNodes(mesh); }

  [[nodiscard]] std::vector<LocalNode> plan(dist::Mesh& mesh, std::span<const LocalNode> nodes,
                                            const std::map<LocalNode, Failure>& failing, Counters& counters) override {
    std::vector<LocalNode> refused, planned;
    std::vector<Vec3> normals;
    for (const LocalNode n : nodes) {
      if (plans_.contains(n)) continue;
      if (!dist::is_real(mesh, n)) {
        refused.push_back(n);
        continue;
      }
      planned.push_back(n);
      normals.push_back(failing.at(n).normal);
    }
    for (VirtualNodePlan& plan : plan_virtual_cracks(mesh, virtual_nodes_, planned, normals, parameters_))
      plans_[plan.node] = std::move(plan);
    for (std::size_t k = 0; k < planned.size(); ++k) {
      if (plans_.contains(planned[k])) continue;
      ++counters.refused_one_sided;
      mesh.field(kRefusal)[planned[k]] = {normals[k].x(), normals[k].y(), normals[k].z()};
      refused.push_back(planned[k]);
    }
    return refused;
  }
  void forget(std::span<const LocalNode> nodes) override {
    for (const LocalNode n : nodes) plans_.erase(n);
  }
  void forget_all() override { plans_.clear(); }

  [[nodiscard]] std::vector<IdRequest> requests(const dist::Mesh& mesh,
                                                std::span<const LocalNode> chosen) const override {
    std::vector<IdRequest> list;
    for (const LocalNode n : chosen)
      list.push_back({mesh.node_id[n], 0, static_cast<std::int64_t>(plans_.at(n).message.splits.size())});
    return list;
  }

  [[nodiscard]] std::map<int, std::vector<std::byte>> messages(const dist::Mesh& mesh,
                                                               std::span<const LocalNode> chosen,
                                                               const FirstIds& first_ids, double time_s,
                                                               Counters& counters) override {
    std::map<int, core::ByteWriter> outgoing;
    for (const LocalNode n : chosen) {
      VirtualNodePlan& plan = plans_.at(n);
      VirtualNodeMessage& cut = plan.message;
      cut.time_s = time_s;
      cut.ready_time_s = ready_.of_copies(mesh, n, time_s);
      cut.crack_speed_m_per_s = ready_.crack_speed(mesh, n);
      std::int64_t next = first_ids.at(cut.node).second;
      for (VirtualNodeMessage::Split& split : cut.splits) split.copy = GlobalElement(next++);
      for (const int rank : plan.holders) pack(outgoing[rank], cut);
      ++counters.cracks;
      counters.cracks_at_fronts += plan.is_at_front ? 1 : 0;
      counters.cracks_across_ranks += plan.holders.size() > 1 ? 1 : 0;
    }
    return bytes_of(std::move(outgoing));
  }

  void apply(dist::Mesh& mesh, const std::vector<la::Message>& received, const Services&, Counters&) override {
    std::vector<VirtualNodeMessage> cuts;
    for (const la::Message& message : received)
      for (core::ByteReader in(message.bytes); !in.done();) cuts.push_back(unpack_virtual_node_message(in));
    std::ranges::sort(cuts, {}, &VirtualNodeMessage::node);
    std::vector<Touched> touched;
    for (const VirtualNodeMessage& cut : cuts) note_touched(mesh, cut, touched);
    for (const VirtualNodeMessage& cut : cuts) {
      set_ready(mesh, cut.node, cut.ready_time_s);
      divide(mesh, cut);
    }
    divide_nodes(mesh, touched);
    for (const Touched& each : touched)
      if (!each.was_at_front && is_at_front(mesh, virtual_nodes_, each.vertex))
        limit_speed(mesh, each.vertex, *each.cut);
  }

  /// Fronts of cracks, and at vertices that no crack divides those of the uncut mesh.
  void note_fronts(dist::Mesh& mesh, std::span<const LocalNode> nodes, double time_s) const override {
    for (const LocalNode n : nodes) {
      std::optional<Front> front;
      if (dist::is_real(mesh, n)) {
        const std::vector<StarTet> star = tets_around(mesh, virtual_nodes_, mesh.node_id[n]);
        front = crack_front(mesh, star);
        if (!front && std::ranges::all_of(star, [](const StarTet& t) { return t.partition.is_whole(); }))
          front = front_at(mesh, n);
      }
      note_front(mesh, n, front, time_s);
    }
  }

  void append_neighbours(const dist::Mesh& mesh, LocalNode n, std::vector<LocalNode>& list) const override {
    std::vector<GlobalNode> vertices;
    for (const LocalNode sibling : virtual_nodes_.nodes_at(mesh, dist::vertex_of(mesh, n)))
      for (const std::int32_t slot : mesh.star(sibling))
        for (const GlobalNode v : vertices_of(mesh, LocalElement(slot))) vertices.push_back(v);
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    for (const GlobalNode v : vertices)
      for (const LocalNode other : virtual_nodes_.nodes_at(mesh, v))
        if (other != n) list.push_back(other);
  }
  [[nodiscard]] bool has_fixed_neighbours() const override { return false; }

private:
  /// Copies the divided blocks and updates the partitions of all tets around.
  void divide(dist::Mesh& mesh, const VirtualNodeMessage& cut) {
    std::map<GlobalElement, elements::Partition> cut_tets;
    const auto update = [&](LocalElement e) {
      const GlobalElement tet = dist::tet_of(mesh, e);
      dist::Division& division = mesh.field(dist::kDivision)[e];
      division.partition = updated(division.partition, tet, vertices_of(mesh, e), cut);
      if (std::ranges::any_of(cut.splits, [&](auto& split) { return split.tet == tet; }))
        cut_tets[tet] = division.partition;
    };
    for (const GlobalElement id : cut.elements)
      if (const LocalElement e = mesh.find(id); e.valid()) update(e);
    for (const VirtualNodeMessage::Split& split : cut.splits) {
      constexpr double kAnyShare = 0.5;  // the shares are set below
      const LocalElement copy = mesh.copy_element(split.original, split.copy, kAnyShare);
      if (!copy.valid()) continue;
      dist::Division& division = mesh.field(dist::kDivision)[copy];
      division.tet = split.tet.value;
      division.block = split.copy_block;
    }
    set_shares(mesh, cut, cut_tets);
  }

  void set_shares(dist::Mesh& mesh, const VirtualNodeMessage& cut,
                  const std::map<GlobalElement, elements::Partition>& cut_tets) {
    std::set<GlobalElement> copies(cut.elements.begin(), cut.elements.end());
    for (const VirtualNodeMessage::Split& split : cut.splits) copies.insert(split.copy);
    for (const GlobalElement id : copies) {
      const LocalElement e = mesh.find(id);
      if (!e.valid()) continue;
      const auto found = cut_tets.find(dist::tet_of(mesh, e));
      if (found == cut_tets.end()) continue;
      const auto materials = elements::block_materials(found->second);
      mesh.set_material_share(e, materials[at(static_cast<int>(mesh.field(dist::kDivision)[e].block))].share);
    }
  }

  /// An owned vertex of a tet that a crack divides.
  struct Touched {
    GlobalNode vertex;
    const VirtualNodeMessage* cut;
    bool was_at_front;
  };

  /// All nodes at a vertex have one owner, also where the real one has left the mesh.
  [[nodiscard]] bool owns(const dist::Mesh& mesh, GlobalNode vertex) const {
    const std::vector<LocalNode> nodes = virtual_nodes_.nodes_at(mesh, vertex);
    return !nodes.empty() && mesh.is_owned(nodes.front());
  }

  /// Each vertex once: cuts of one round have no tet in common. Before any cut is carried out.
  void note_touched(const dist::Mesh& mesh, const VirtualNodeMessage& cut, std::vector<Touched>& touched) const {
    std::set<GlobalNode> vertices;
    for (const VirtualNodeMessage::Split& split : cut.splits)
      if (const LocalElement e = mesh.find(split.original); e.valid())
        for (const GlobalNode v : vertices_of(mesh, e))
          if (owns(mesh, v)) vertices.insert(v);
    for (const GlobalNode v : vertices) touched.push_back({v, &cut, is_at_front(mesh, virtual_nodes_, v)});
  }

  /// The crack goes on at this vertex no earlier than it can have come so far.
  static void limit_speed(dist::Mesh& mesh, GlobalNode vertex, const VirtualNodeMessage& cut) {
    const LocalNode n = mesh.find(vertex);
    if (vertex == cut.node || !n.valid() || !(cut.crack_speed_m_per_s > 0)) return;
    const double distance = (mesh.rest[n] - Vec3(cut.rest.data())).norm();
    set_ready(mesh, vertex, cut.time_s + distance / cut.crack_speed_m_per_s);
  }

  /// Splits the nodes of owned vertices whose copies are no longer connected, on all holders. Collective.
  void divide_nodes(dist::Mesh& mesh, std::span<const Touched> touched) {
    std::vector<NodeSplit> splits;
    std::vector<IdRequest> requests;
    for (const Touched& each : touched)
      for (NodeSplit& split : splits_at(mesh, tets_around(mesh, virtual_nodes_, each.vertex))) {
        requests.push_back({split.node, num_copies(split), 0});
        splits.push_back(std::move(split));
      }
    const FirstIds first_ids = give_out_ids(mesh, requests);
    std::map<int, core::ByteWriter> outgoing;
    for (NodeSplit& split : splits) {
      for (auto& [element, node] : split.assignments)
        node = GlobalNode(first_ids.at(split.node).first - 1 - node.value);
      for (const int rank : mesh.holders(mesh.find(split.node))) pack(outgoing[rank], split);
    }
    std::vector<NodeSplit> received;
    for (const la::Message& message : mesh.exchange_with_neighbours(bytes_of(std::move(outgoing))))
      for (core::ByteReader in(message.bytes); !in.done();) received.push_back(unpack_node_split(in));
    std::ranges::sort(received, {}, &NodeSplit::node);
    for (const NodeSplit& split : received) take_split(mesh, split);
  }

  static std::int64_t num_copies(const NodeSplit& split) {
    std::int64_t count = 0;
    for (const auto& entry : split.assignments) count = std::max(count, -entry.second.value);
    return count;
  }

  void take_split(dist::Mesh& mesh, const NodeSplit& split) {
    const LocalNode original = mesh.find(split.node);
    if (!original.valid()) return;
    const GlobalNode vertex = dist::vertex_of(mesh, original);
    splitter_.split(mesh, split);
    std::set<GlobalNode> copies;
    for (const auto& entry : split.assignments)
      if (mesh.find(entry.second).valid()) copies.insert(entry.second);
    for (const GlobalNode id : copies) {
      const LocalNode copy = mesh.find(id);
      mesh.field(dist::kVertex)[copy] = vertex.value;
      mesh.field(kReadyTime)[copy] = kNever;  // only real nodes fail
      virtual_nodes_.add(vertex, id);
    }
  }

  Parameters parameters_;
  NodeSplitter splitter_;
  ReadyTimes ready_;
  VirtualNodes virtual_nodes_;
  std::map<LocalNode, VirtualNodePlan> plans_;  ///< of nodes that wait for their cut
};

}  // namespace

dist::FieldList virtual_node_fields() { return dist::division_fields().add(kFrontOffset); }

std::unique_ptr<Cutter> make_virtual_node_cutter(const Parameters& parameters) {
  return std::make_unique<VirtualNodeCutter>(parameters);
}

}  // namespace brisance::fracture
