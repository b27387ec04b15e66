/// After cuts or a migration: ask the owners where their nodes live now, and rebuild the star forest.
#include "brisance/core/byte_stream.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include <algorithm>

namespace brisance::dist {

void Mesh::relink() {
  // Ghosts there were, and those that came; a slot that was freed, or freed and taken by a node of ours, drops out.
  std::vector<LocalNode> ghosts(halo_.ghosts().begin(), halo_.ghosts().end());
  ghosts.insert(ghosts.end(), new_ghosts_.begin(), new_ghosts_.end());
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  std::erase_if(ghosts, [&](LocalNode n) { return !is_used(n) || is_owned(n); });

  // Only ghosts without a known slot ask; an owner's slots are stable as long as it owns the node.
  std::map<int, std::vector<GlobalNode>> wanted;
  for (LocalNode n : ghosts)
    if (!remote_slot_[n].valid()) wanted[owner[n]].push_back(node_id[n]);

  if (comm_.size() > 1) {
    std::map<int, std::vector<std::byte>> requests;
    for (const auto& [rank, ids] : wanted) {
      core::ByteWriter out;
      out.put_all(ids);
      requests[rank] = std::move(out.bytes());
    }
    std::map<int, std::vector<std::byte>> replies;
    for (const la::Message& message : la::sparse_exchange(comm_, std::move(requests))) {
      std::vector<LocalNode> slots;
      for (GlobalNode id : core::ByteReader(message.bytes).get_all<GlobalNode>()) slots.push_back(find(id));
      core::ByteWriter out;
      out.put_all(slots);
      replies[message.rank] = std::move(out.bytes());
    }
    for (const la::Message& message : la::sparse_exchange(comm_, std::move(replies))) {
      const auto slots = core::ByteReader(message.bytes).get_all<LocalNode>();
      const auto& ids = wanted[message.rank];
      for (std::size_t k = 0; k < ids.size(); ++k) remote_slot_[find(ids[k])] = slots[k];
    }
  }

  std::vector<GhostLink> links;
  links.reserve(ghosts.size());
  for (LocalNode n : ghosts) links.push_back({n, owner[n], remote_slot_[n]});
  halo_ = Halo(comm_, node_id.size(), links);
  neighbours_.clear();
  for (LocalNode n : ghosts) neighbours_.push_back(owner[n]);
  std::sort(neighbours_.begin(), neighbours_.end());
  neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
  new_ghosts_.clear();
  ghosts_changed_ = false;
}

}  // namespace brisance::dist
