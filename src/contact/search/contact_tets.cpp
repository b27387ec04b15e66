#include "brisance/contact/search/contact_tets.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/core/byte_stream.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "contact/array_vec.hpp"
#include "contact/box_list.hpp"
#include "contact/box_tree.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace brisance::contact {

namespace {

/// Exponent: ranks send each other the extent of their tets as two to this power boxes.
constexpr int kBoxDepth = 6;

struct BoxOfRank {
  std::int32_t rank;
  std::array<double, 3> low, high;
};

Box box_of(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, LocalElement e) {
  std::array<Vec3, 4> corner;
  for (int k = 0; k < 4; ++k)
    corner[static_cast<std::size_t>(k)] = Vec3(motion[static_cast<std::size_t>(mesh.corner(e, k).value)].position);
  return box_around(corner);
}

}  // namespace

/// A tet on its way to another rank.
struct ContactTets::GhostRecord {
  ContactTet tet;
  std::array<std::int32_t, 4> owner, slot_there;  ///< of its nodes
};

bool share_a_node(const ContactTet& a, const ContactTet& b) {
  return std::ranges::any_of(a.node, [&](GlobalNode n) { return std::ranges::find(b.node, n) != b.node.end(); });
}

ContactTets::ContactTets(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, const ContactLayer& layer,
                         double skin_m)
    : first_foreign_(static_cast<std::size_t>(mesh.num_node_slots())) {
  add_members(mesh, layer);
  if (mesh.comm().size() > 1) exchange_ghosts(mesh, motion, skin_m);
  std::ranges::sort(tets_, {}, &ContactTet::id);
  if (mesh.comm().size() > 1) halo_ = dist::Halo(mesh.comm(), num_nodes(), links_);
}

std::int32_t ContactTets::number(const dist::GhostLink& at_owner, GlobalNode id, int this_rank) {
  if (at_owner.owner == this_rank) return at_owner.remote_slot.value;
  const auto [place, is_new] = foreign_.try_emplace(id, static_cast<std::int32_t>(num_nodes()));
  if (is_new) links_.push_back({LocalNode(place->second), at_owner.owner, at_owner.remote_slot});
  return place->second;
}

void ContactTets::add_members(const dist::Mesh& mesh, const ContactLayer& layer) {
  for (std::size_t i = 0; i < layer.tets.size(); ++i) {
    const LocalElement e = layer.tets[i];
    ContactTet tet{.id = mesh.element_id[e],
                   .node = {},
                   .number = {},
                   .element = e,
                   .home = mesh.home(e),
                   .is_home = mesh.is_home(e),
                   .body = mesh.field(kBody)[e],
                   .volume = mesh.own_volume(e),
                   .mass = mesh.material(e).density * mesh.volume(e),
                   .depths = layer.depths.empty() ? TetDepths{} : layer.depths[i]};
    const auto corners = mesh.corners(e);
    for (std::size_t k = 0; k < 4; ++k) {
      tet.node[k] = mesh.node_id[corners[k]];
      tet.number[k] = number(mesh.link_of(corners[k]), tet.node[k], mesh.comm().rank());
      if (mesh.is_owned(corners[k])) owned_nodes_.push_back(corners[k].value);
    }
    tets_.push_back(tet);
  }
  std::ranges::sort(owned_nodes_);
  owned_nodes_.erase(std::unique(owned_nodes_.begin(), owned_nodes_.end()), owned_nodes_.end());
}

// The home rank of a tet sends it to ranks that have a tet near it which it may overlap.
void ContactTets::exchange_ghosts(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, double skin_m) {
  const core::Comm& comm = mesh.comm();
  std::vector<Box> boxes;
  for (const ContactTet& tet : tets_) boxes.push_back(box_of(mesh, motion, tet.element));
  std::vector<BoxOfRank> told;
  for (const Box& box : BoxTree(boxes).parts(kBoxDepth))
    told.push_back({comm.rank(), numbers(box.low), numbers(box.high)});
  const std::vector<BoxOfRank> heard = comm.all_gather(std::span<const BoxOfRank>(told));

  std::map<int, std::vector<GhostRecord>> records;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const ContactTet& tet = tets_[i];
    if (!tet.is_home) continue;
    GhostRecord record{.tet = tet, .owner = {}, .slot_there = {}};
    const auto corners = mesh.corners(tet.element);
    for (std::size_t k = 0; k < 4; ++k) {
      const dist::GhostLink link = mesh.link_of(corners[k]);
      record.owner[k] = link.owner;
      record.slot_there[k] = link.remote_slot.value;
    }
    int last = comm.rank();
    for (const BoxOfRank& there : heard) {  // boxes of a rank are consecutive
      if (there.rank == last || there.rank == comm.rank()) continue;
      if (!meet(boxes[i], {vec(there.low), vec(there.high)}, skin_m)) continue;
      last = there.rank;
      records[last].push_back(record);
    }
  }
  for (const auto& [rank, received] : la::exchange_arrays(comm, records))
    for (const GhostRecord& record : received) {
      if (mesh.find(record.tet.id).valid()) continue;  // it is held here, too
      ContactTet tet = record.tet;
      tet.element = {};
      tet.is_home = false;
      for (std::size_t k = 0; k < 4; ++k) {
        const LocalNode there(record.slot_there[k]);
        tet.number[k] = number({there, record.owner[k], there}, tet.node[k], comm.rank());
      }
      tets_.push_back(tet);
    }
}

std::int32_t ContactTets::find(GlobalElement id) const {
  const auto place = std::ranges::lower_bound(tets_, id, {}, &ContactTet::id);
  return place != tets_.end() && place->id == id ? static_cast<std::int32_t>(place - tets_.begin()) : -1;
}

std::size_t ContactTets::memory_bytes() const { return core::bytes_of(tets_, owned_nodes_, links_); }

}  // namespace brisance::contact
