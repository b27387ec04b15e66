/// Converts between ownership and slabs of ascending global id. When reading, a node is first owned by the rank whose
/// slab has it, so that every rank knows all owners; then the mesh migrates to its final owners.
#include "brisance/dist/slabs.hpp"

#include "brisance/core/blocks.hpp"
#include "brisance/core/error.hpp"
#include "brisance/dist/balanced_owners.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dist/division.hpp"
#include "brisance/dist/home_elements.hpp"

#include "records.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace brisance::dist {

namespace {

/// A slab's records with their rows, for queries by id.
class Slab {
public:
  Slab(const core::Comm& comm, const Records& records) : comm_(comm), records_(records) {
    constexpr auto kNone = std::numeric_limits<std::int64_t>::max();
    const std::int64_t first = records.nodes.empty() ? kNone : records.nodes.front().id.value;
    first_ = comm.all_gather(std::span(&first, 1));
    for (std::size_t r = first_.size() - 1; r-- > 0;) first_[r] = std::min(first_[r], first_[r + 1]);
  }
  /// The rank whose slab covers this node id, if any.
  [[nodiscard]] int rank_of(GlobalNode id) const {
    const auto next = std::upper_bound(first_.begin(), first_.end(), id.value);
    return std::max(0, static_cast<int>(next - first_.begin()) - 1);
  }
  /// Adds the node to `to`, owned by this rank; false if it is not here.
  bool copy_node(GlobalNode id, Records& to) const {
    const auto& nodes = records_.nodes;
    const auto found = std::lower_bound(nodes.begin(), nodes.end(), id,
                                        [](const NodeRecord& node, GlobalNode wanted) { return node.id < wanted; });
    if (found == nodes.end() || found->id != id) return false;
    to.nodes.push_back(*found);
    to.nodes.back().owner = comm_.rank();
    copy_row(records_.node_fields, nodes.size(), static_cast<std::size_t>(found - nodes.begin()), to.node_fields);
    return true;
  }
  void copy_element(std::size_t i, Records& to) const {
    to.elements.push_back(records_.elements[i]);
    copy_row(records_.element_fields, records_.elements.size(), i, to.element_fields);
  }

private:
  static void copy_row(const std::vector<std::byte>& rows, std::size_t count, std::size_t i,
                       std::vector<std::byte>& to) {
    const auto bytes = static_cast<std::ptrdiff_t>(rows.size() / count);
    const auto row = rows.begin() + static_cast<std::ptrdiff_t>(i) * bytes;
    to.insert(to.end(), row, row + bytes);
  }

  const core::Comm& comm_;
  const Records& records_;
  std::vector<std::int64_t> first_;  ///< lowest id of each rank's slab; for an empty slab, that of the next
};

/// Sends every element to the ranks whose slabs have a corner of it. Collective.
Records elements_of_slab_nodes(const core::Comm& comm, const Slab& slab, const Records& records) {
  std::map<int, Records> outgoing;
  for (std::size_t i = 0; i < records.elements.size(); ++i) {
    std::array<int, 4> ranks;
    for (std::size_t k = 0; k < 4; ++k) ranks[k] = slab.rank_of(records.elements[i].corners[k]);
    std::sort(ranks.begin(), ranks.end());
    const auto last = std::unique(ranks.begin(), ranks.end());
    for (auto rank = ranks.begin(); rank != last; ++rank) slab.copy_element(i, outgoing[*rank]);
  }
  return exchange_records(comm, std::move(outgoing));
}

/// The nodes of a rank's slab and the other corners of its elements. Collective; throws core::Error on all ranks.
Records nodes_of(const core::Comm& comm, const Slab& slab, const Records& records, const Records& held) {
  std::map<int, std::vector<std::int64_t>> wanted;
  for (const NodeRecord& node : records.nodes) wanted[comm.rank()].push_back(node.id.value);
  for (const ElementRecord& element : held.elements)
    for (const GlobalNode corner : element.corners)
      if (const int rank = slab.rank_of(corner); rank != comm.rank()) wanted[rank].push_back(corner.value);
  for (auto& [rank, ids] : wanted) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  std::map<int, Records> answers;
  const auto asked = la::exchange_arrays(comm, wanted);
  core::agree(comm, [&] {
    for (const auto& [rank, ids] : asked)
      for (const std::int64_t id : ids)
        if (!slab.copy_node(GlobalNode(id), answers[rank]))
          throw core::Error("the mesh has no node " + std::to_string(id) + ", but an element has it for a corner");
  });
  return exchange_records(comm, std::move(answers));
}

/// Owners by slot, as named in the slab's records.
NodeField<std::int32_t> named_owners(const Mesh& mesh, const std::vector<NodeRecord>& nodes) {
  NodeField<std::int32_t> owner(mesh.node_id.size(), -1);
  for (const NodeRecord& node : nodes) owner[mesh.find(node.id)] = node.owner;
  return owner;
}

NodeField<std::int32_t> even_owners(const Mesh& mesh) {
  std::vector<double> work(mesh.node_id.size());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    work[static_cast<std::size_t>(i)] = static_cast<double>(mesh.star(LocalNode(i)).size());
  return balanced_owners(mesh, {.num_kinds = 1, .work = std::move(work)});
}

/// A virtual node that asks for the owner of its vertex.
struct VertexQuestion {
  std::int64_t vertex, node;
  std::int64_t owner;  ///< that the node would have
};

/// Gives virtual nodes the owner of their vertex, which other ranks' slabs may have; where the vertex has left the
/// mesh, that of the lowest of them. Collective.
void keep_with_vertices(const Slab& slab, const Mesh& mesh, NodeField<std::int32_t>& owner) {
  if (mesh.find_field(kVertex) == nullptr) return;
  std::map<int, std::vector<VertexQuestion>> wanted;
  std::map<int, std::vector<LocalNode>> asking;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n) || is_real(mesh, n)) continue;
    const int rank = slab.rank_of(vertex_of(mesh, n));
    wanted[rank].push_back({vertex_of(mesh, n).value, mesh.node_id[n].value, owner[n]});
    asking[rank].push_back(n);
  }
  const auto asked = la::exchange_arrays(mesh.comm(), wanted);
  std::map<std::int64_t, VertexQuestion> lowest;  // by vertex
  for (const auto& [rank, questions] : asked)
    for (const VertexQuestion& question : questions) {
      VertexQuestion& known = lowest.try_emplace(question.vertex, question).first->second;
      if (question.node < known.node) known = question;
    }
  std::map<int, std::vector<std::int64_t>> answers;
  for (const auto& [rank, questions] : asked)
    for (const VertexQuestion& question : questions) {
      const LocalNode vertex = mesh.find(GlobalNode(question.vertex));
      answers[rank].push_back(vertex.valid() ? owner[vertex] : lowest.at(question.vertex).owner);
    }
  for (const auto& [rank, owners] : la::exchange_arrays(mesh.comm(), answers))
    for (std::size_t k = 0; k < owners.size(); ++k) owner[asking[rank][k]] = static_cast<std::int32_t>(owners[k]);
}

}  // namespace

Records slab_of(const Mesh& mesh) {
  std::map<int, Records> outgoing;
  const int size = mesh.comm().size();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    Records& to = outgoing[core::rank_of_row(mesh.facts.next_node_id, mesh.node_id[n].value, size)];
    to.nodes.push_back(mesh.node_record(n));
    append(to.node_fields, mesh.field_row(n));
  }
  for (const std::int32_t i : home_elements(mesh)) {
    const LocalElement e(i);
    Records& to = outgoing[core::rank_of_row(mesh.facts.next_element_id, mesh.element_id[e].value, size)];
    to.elements.push_back(mesh.element_record(e));
    append(to.element_fields, mesh.field_row(e));
  }
  Records slab = exchange_records(mesh.comm(), std::move(outgoing));
  sort_by_id(slab);
  return slab;
}

Mesh mesh_of_slabs(const core::Comm& comm, const WholeMesh& whole, Records slab, bool owners_fit) {
  Records held;
  const Slab lookup(comm, slab);
  {
    held = elements_of_slab_nodes(comm, lookup, slab);
    slab.elements = {};
    slab.element_fields = {};
    Records nodes = nodes_of(comm, lookup, slab, held);
    held.nodes = std::move(nodes.nodes);
    held.node_fields = std::move(nodes.node_fields);
  }
  Mesh mesh(comm, whole.materials, whole.facts, whole.cap_damping_ratio, whole.fields, held);
  held = {};
  if (comm.size() == 1) return mesh;
  NodeField<std::int32_t> owners = owners_fit ? named_owners(mesh, slab.nodes) : even_owners(mesh);
  keep_with_vertices(lookup, mesh, owners);
  migrate(mesh, owners);
  return mesh;
}

}  // namespace brisance::dist
