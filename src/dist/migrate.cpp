#include "brisance/dist/distribute.hpp"
#include "brisance/dist/division.hpp"
#include "brisance/dist/home_elements.hpp"

#include "records.hpp"

#include <algorithm>
#include <map>

namespace brisance::dist {

namespace {

/// Virtual nodes go with their vertex, whose owner holds all tets around it, or, where that has left the mesh, with the
/// lowest of them. (Only while a mesh is read may the vertex have another owner; then the caller knows the new one.)
void keep_with_vertices(const Mesh& mesh, NodeField<std::int32_t>& next) {
  if (mesh.find_field(kVertex) == nullptr) return;
  std::map<GlobalNode, std::vector<LocalNode>> alone;  // by vertex
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n) || is_real(mesh, n)) continue;
    const LocalNode vertex = mesh.find(vertex_of(mesh, n));
    if (!vertex.valid())
      alone[vertex_of(mesh, n)].push_back(n);
    else if (mesh.is_owned(vertex))
      next[n] = next[vertex];
  }
  for (const auto& entry : alone) {
    const LocalNode lowest = *std::ranges::min_element(entry.second, {}, [&](LocalNode n) { return mesh.node_id[n]; });
    for (const LocalNode n : entry.second) next[n] = next[lowest];
  }
}

}  // namespace

void migrate(Mesh& mesh, const NodeField<std::int32_t>& new_owner, Sorting sorting) {
  // Ghosts get their new owners, so that the new holders of every held element are known here.
  NodeField<std::int32_t> next = new_owner;
  keep_with_vertices(mesh, next);
  mesh.halo().update_ghosts(next.span());
  mesh.update_ghost_fields();

  // The old owner sends a node to all its new holders; an element is sent by its old home.
  std::map<int, Records> outgoing;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    std::vector<std::int32_t> holders;
    for (std::int32_t e : mesh.star(n))
      for (LocalNode c : mesh.corners(LocalElement(e))) holders.push_back(next[c]);
    std::sort(holders.begin(), holders.end());
    holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
    NodeRecord record = mesh.node_record(n);
    record.owner = next[n];
    const std::vector<std::byte> fields = mesh.field_row(n);
    for (std::int32_t rank : holders) {
      outgoing[rank].nodes.push_back(record);
      append(outgoing[rank].node_fields, fields);
    }
  }
  for (const std::int32_t i : home_elements(mesh)) {
    const LocalElement e(i);
    std::array<std::int32_t, 4> ranks;
    const auto corners = mesh.corners(e);
    for (int k = 0; k < 4; ++k) ranks[k] = next[corners[k]];
    std::sort(ranks.begin(), ranks.end());
    const auto last = std::unique(ranks.begin(), ranks.end());
    const ElementRecord record = mesh.element_record(e);
    const std::vector<std::byte> fields = mesh.field_row(e);
    for (auto rank = ranks.begin(); rank != last; ++rank) {
      outgoing[*rank].elements.push_back(record);
      append(outgoing[*rank].element_fields, fields);
    }
  }
  const core::Comm comm = mesh.comm();
  const bool caps_damping_ratio = mesh.caps_damping_ratio();
  const FieldList fields = mesh.field_list();
  std::vector<material::Material> materials = mesh.materials;
  MeshFacts facts = mesh.facts;
  if (sorting == Sorting::anew) facts.sorted_below = facts.next_element_id;
  { const Mesh gone = std::move(mesh); }  // records and both meshes at once would be half of a run's memory
  const Records mine = exchange_records(comm, std::move(outgoing));
  mesh = Mesh(comm, std::move(materials), std::move(facts), caps_damping_ratio, fields, mine);
}

}  // namespace brisance::dist
