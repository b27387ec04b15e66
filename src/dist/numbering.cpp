#include "brisance/dist/numbering.hpp"

#include "brisance/core/blocks.hpp"

#include <algorithm>
#include <vector>

namespace brisance::dist {

NodeNumbering number_nodes(const Mesh& mesh) {
  std::vector<LocalNode> owned;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) owned.emplace_back(i);
  std::sort(owned.begin(), owned.end(), [&](LocalNode a, LocalNode b) { return mesh.node_id[a] < mesh.node_id[b]; });

  NodeNumbering numbering;
  numbering.count = static_cast<std::int64_t>(owned.size());
  numbering.first = core::rows_before(mesh.comm(), numbering.count);
  numbering.total = mesh.comm().sum(numbering.count);
  numbering.number.assign(static_cast<std::size_t>(mesh.num_node_slots()), -1);
  std::int64_t next = numbering.first;
  for (LocalNode n : owned) numbering.number[n] = next++;
  mesh.halo().update_ghosts(numbering.number.span());
  return numbering;
}

}  // namespace brisance::dist
