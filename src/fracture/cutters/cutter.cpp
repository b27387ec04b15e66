#include "brisance/fracture/cutters/cutter.hpp"

#include "brisance/fracture/fronts.hpp"

#include <algorithm>

namespace brisance::fracture {

void Cutter::append_neighbours(const dist::Mesh& mesh, LocalNode n, std::vector<LocalNode>& list) const {
  for (const std::int32_t e : mesh.star(n))
    for (const LocalNode c : mesh.corners(LocalElement(e)))
      if (c != n && std::find(list.begin(), list.end(), c) == list.end()) list.push_back(c);
}

void Cutter::note_fronts(dist::Mesh& mesh, std::span<const LocalNode> nodes, double time_s) const {
  fracture::note_fronts(mesh, nodes, time_s);
}

FirstIds give_out_ids(dist::Mesh& mesh, std::span<const IdRequest> mine) {
  std::vector<IdRequest> all = mesh.comm().all_gather(mine);
  std::sort(all.begin(), all.end(), [](auto& x, auto& y) { return x.chosen < y.chosen; });
  FirstIds first;
  for (const IdRequest& r : all) {
    first[r.chosen] = {mesh.facts.next_node_id, mesh.facts.next_element_id};
    mesh.facts.next_node_id += r.num_nodes;
    mesh.facts.next_element_id += r.num_elements;
  }
  return first;
}

}  // namespace brisance::fracture
