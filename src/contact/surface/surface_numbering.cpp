#include "brisance/contact/surface/surface_numbering.hpp"

#include "brisance/core/memory.hpp"

namespace brisance::contact {

std::int32_t SurfaceNumbering::number(GlobalNode id, int owner, LocalNode slot_there) {
  const auto [place, is_new] = foreign_.try_emplace(id, static_cast<std::int32_t>(size()));
  if (is_new) {
    places_.push_back(static_cast<std::int32_t>(links_.size()));
    links_.push_back({LocalNode(place->second), owner, slot_there});
  }
  return place->second;
}

std::int32_t SurfaceNumbering::number(const dist::Mesh& mesh, LocalNode n) {
  if (mesh.is_owned(n)) return n.value;
  const dist::GhostLink link = mesh.link_of(n);
  return number(mesh.node_id[n], link.owner, link.remote_slot);
}

std::int32_t SurfaceNumbering::embed(EmbeddedPoint point) {
  const auto [place, is_new] = number_of_ids_.try_emplace(point.id, static_cast<std::int32_t>(size()));
  if (is_new) {
    point.number = place->second;
    places_.push_back(-1 - static_cast<std::int32_t>(embedded_.size()));
    embedded_.push_back(point);
  }
  return place->second;
}

void SurfaceNumbering::link_new_nodes(const core::Comm& comm) {
  const bool is_first = num_linked_ == 0 && halo_.num_first() == 0 && halo_.num_added() == 0;
  const std::span<const dist::GhostLink> fresh = std::span(links_).subspan(num_linked_);
  if (!comm.any(!fresh.empty())) return;
  if (comm.any(!is_first))
    halo_.add(comm, size(), fresh);
  else
    halo_ = dist::Halo(comm, size(), fresh);
  num_linked_ = links_.size();
}

std::size_t SurfaceNumbering::memory_bytes() const {
  constexpr std::size_t kBytesAnEntry = 48;  // of a hash table, and half of a tree's
  return core::bytes_of(places_, links_, embedded_) + kBytesAnEntry * (foreign_.size() + 2 * number_of_ids_.size());
}

}  // namespace brisance::contact
