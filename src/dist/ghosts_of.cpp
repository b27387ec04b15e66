/// Updates the ghosts of a few chosen nodes, by id: the communication of a crack, whatever the size of the halo.
#include "brisance/dist/mesh.hpp"

namespace brisance::dist {

bool Mesh::is_shared(LocalNode n) const {
  Sharing& known = sharing_[n];
  if (known == Sharing::unknown) known = holders(n).size() > 1 ? Sharing::shared : Sharing::own;
  return known == Sharing::shared;
}

std::vector<la::Message> Mesh::exchange_with_neighbours(std::map<int, std::vector<std::byte>> outgoing) const {
  return la::neighbour_exchange(comm_, neighbours_, std::move(outgoing));
}

std::vector<LocalNode> Mesh::exchange_rows(std::span<const LocalNode> nodes, std::size_t row_bytes,
                                           const std::function<void(LocalNode, std::byte*)>& pack,
                                           const std::function<void(LocalNode, const std::byte*)>& unpack) const {
  std::vector<LocalNode> taken;
  if (comm_.size() == 1) return taken;
  const std::size_t entry_bytes = sizeof(GlobalNode) + row_bytes;
  std::map<int, std::vector<std::byte>> outgoing;
  for (LocalNode n : nodes) {
    if (!is_shared(n)) continue;
    for (int rank : holders(n)) {
      if (rank == comm_.rank()) continue;
      std::vector<std::byte>& bytes = outgoing[rank];
      bytes.resize(bytes.size() + entry_bytes);
      std::byte* entry = bytes.data() + bytes.size() - entry_bytes;
      std::memcpy(entry, &node_id[n], sizeof(GlobalNode));
      pack(n, entry + sizeof(GlobalNode));
    }
  }
  for (const la::Message& message : exchange_with_neighbours(std::move(outgoing)))
    for (std::size_t at = 0; at < message.bytes.size(); at += entry_bytes) {
      GlobalNode id;
      std::memcpy(&id, &message.bytes[at], sizeof(GlobalNode));
      const LocalNode n = find(id);
      if (!n.valid()) continue;
      unpack(n, &message.bytes[at] + sizeof(GlobalNode));
      taken.push_back(n);
    }
  return taken;
}

void Mesh::update_ghost_fields_of(std::span<const LocalNode> nodes) {
  std::size_t row_bytes = 0;
  for (const auto& column : node_fields_.columns())
    if (column->ghosts == Ghosts::refreshed) row_bytes += column->bytes_each;
  const auto for_each_part = [&](LocalNode n, auto&& copy) {
    std::size_t at = 0;
    for (const auto& column : node_fields_.columns()) {
      if (column->ghosts != Ghosts::refreshed) continue;
      copy(column->data() + static_cast<std::size_t>(n.value) * column->bytes_each, at, column->bytes_each);
      at += column->bytes_each;
    }
  };
  exchange_rows(
      nodes, row_bytes,
      [&](LocalNode n, std::byte* row) {
        for_each_part(
            n, [&](std::byte* value, std::size_t at, std::size_t bytes) { std::memcpy(row + at, value, bytes); });
      },
      [&](LocalNode n, const std::byte* row) {
        for_each_part(
            n, [&](std::byte* value, std::size_t at, std::size_t bytes) { std::memcpy(value, row + at, bytes); });
      });
}

}  // namespace brisance::dist
