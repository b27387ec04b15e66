/// After cuts or a migration: obtains the slots of nodes at their owners, and links the ghosts to them.
#include "brisance/core/byte_stream.hpp"
#include "brisance/dist/mesh.hpp"

#include <algorithm>

namespace brisance::dist {

namespace {

/// Ratio of added and removed ghosts to all ghosts above which the halo is built anew.
constexpr double kMostPatched = 0.125;

using Buffers = std::map<int, std::vector<std::byte>>;

template <class T>
Buffers packed(const std::map<int, std::vector<T>>& lists) {
  Buffers result;
  for (const auto& [rank, list] : lists) {
    core::ByteWriter out;
    out.put_all(list);
    result[rank] = std::move(out.bytes());
  }
  return result;
}

}  // namespace

void Mesh::relink_ghosts() {
  if (comm_.size() == 1) return;
  enum : std::int32_t { nothing, more_ghosts, build_anew };
  const double patched = static_cast<double>(halo_.num_added() + new_ghosts_.size() + gone_ghosts_.size());
  std::int32_t mine = new_ghosts_.empty() ? nothing : more_ghosts;
  if (patched > kMostPatched * static_cast<double>(halo_.num_first())) mine = build_anew;
  const std::int32_t needed = comm_.max(mine);
  if (needed == build_anew) relink();
  if (needed == more_ghosts) halo_.add(comm_, node_id.size(), links_of(locate_new_ghosts()));
}

void Mesh::relink() {
  std::vector<LocalNode> ghosts;
  for (std::int32_t i = 1; i < num_node_slots(); ++i)
    if (const LocalNode n(i); is_used(n) && !is_owned(n)) ghosts.push_back(n);
  free_slots_.insert(free_slots_.end(), gone_ghosts_.begin(), gone_ghosts_.end());
  gone_ghosts_.clear();
  neighbours_.clear();
  for (LocalNode n : ghosts) neighbours_.push_back(owner[n]);
  std::sort(neighbours_.begin(), neighbours_.end());
  neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());

  locate_new_ghosts();
  halo_ = Halo(comm_, node_id.size(), links_of(ghosts));
}

std::vector<LocalNode> Mesh::locate_new_ghosts() {
  // A slot that was freed, or freed and reused by an owned node, is left out.
  std::vector<LocalNode> ghosts = std::move(new_ghosts_);
  new_ghosts_.clear();
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  std::erase_if(ghosts, [&](LocalNode n) { return !is_used(n) || is_owned(n); });
  if (comm_.size() == 1) return {};

  std::map<int, std::vector<GlobalNode>> wanted;
  for (LocalNode n : ghosts) wanted[owner[n]].push_back(node_id[n]);
  std::map<int, std::vector<LocalNode>> found;
  for (const la::Message& message : exchange_with_neighbours(packed(wanted)))
    for (GlobalNode id : core::ByteReader(message.bytes).get_all<GlobalNode>()) found[message.rank].push_back(find(id));
  for (const la::Message& message : exchange_with_neighbours(packed(found))) {
    const auto slots = core::ByteReader(message.bytes).get_all<LocalNode>();
    const auto& ids = wanted[message.rank];
    for (std::size_t k = 0; k < ids.size(); ++k) remote_slot_[find(ids[k])] = slots[k];
  }
  return ghosts;
}

std::vector<GhostLink> Mesh::links_of(std::span<const LocalNode> ghosts) const {
  std::vector<GhostLink> links;
  links.reserve(ghosts.size());
  for (LocalNode n : ghosts) links.push_back(link_of(n));
  return links;
}

}  // namespace brisance::dist
