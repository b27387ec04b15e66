#include "middles.hpp"

#include "brisance/la/sparse_exchange.hpp"

#include <algorithm>
#include <cassert>

namespace brisance::dist {

namespace {

struct Ends {
  GlobalNode low, high;
};

/// A displacement, with the edge's position in the list of edges that two ranks share.
struct ToldWay {
  std::int64_t at, halvings;
  std::array<double, 3> by, velocity;
};

ToldWay told_way(std::size_t at, const Way& way) {
  return {static_cast<std::int64_t>(at),
          way.halvings,
          {way.by.x(), way.by.y(), way.by.z()},
          {way.velocity.x(), way.velocity.y(), way.velocity.z()}};
}

Way way_of(const ToldWay& told) {
  return {{told.by[0], told.by[1], told.by[2]},
          {told.velocity[0], told.velocity[1], told.velocity[2]},
          static_cast<std::int32_t>(told.halvings)};
}

}  // namespace

Middles::Middles(const Mesh& mesh) : mesh_(&mesh) {
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode low(i);
    if (!mesh.is_used(low)) continue;
    const std::size_t first = edges_.size();
    for (const std::int32_t e : mesh.star(low))
      for (const LocalNode c : mesh.corners(LocalElement(e)))
        if (mesh.node_id[low] < mesh.node_id[c]) edges_.push_back({low, c, {}});
    const auto begin = edges_.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, edges_.end(), [&](const Middle& a, const Middle& b) { return before(a, b); });
    edges_.erase(std::unique(begin, edges_.end(), [](const Middle& a, const Middle& b) { return a.high == b.high; }),
                 edges_.end());
  }
  edges_.shrink_to_fit();
}

std::int32_t Middles::find(LocalNode a, LocalNode b) const {
  if (mesh_->node_id[b] < mesh_->node_id[a]) std::swap(a, b);
  const auto found = std::lower_bound(edges_.begin(), edges_.end(), Middle{a, b, {}},
                                      [&](const Middle& x, const Middle& y) { return before(x, y); });
  return static_cast<std::int32_t>(found - edges_.begin());
}

void Middles::number(const NodeField<std::int64_t>& new_id) {
  std::map<int, std::vector<Ends>> questions;
  LocalNode low;
  std::int64_t next = 0;
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    Middle& edge = edges_[i];
    if (mesh_->is_owned(edge.low)) {
      next = edge.low == low ? next + 1 : new_id[edge.low] + 1;
      low = edge.low;
      edge.id = GlobalNode(next);
    } else {
      const int owner = mesh_->owner[edge.low];
      questions[owner].push_back({mesh_->node_id[edge.low], mesh_->node_id[edge.high]});
      asked_[owner].push_back(static_cast<std::int32_t>(i));
    }
  }
  std::map<int, std::vector<GlobalNode>> answers;
  for (const auto& [rank, wanted] : la::exchange_arrays(mesh_->comm(), questions))
    for (const Ends& edge : wanted) {
      answered_[rank].push_back(find(mesh_->find(edge.low), mesh_->find(edge.high)));
      answers[rank].push_back(edges_[answered_[rank].back()].id);
    }
  for (const auto& [rank, ids] : la::exchange_arrays(mesh_->comm(), answers))
    for (std::size_t i = 0; i < ids.size(); ++i) edges_[asked_[rank][i]].id = ids[i];
}

void Middles::set_way(std::int32_t edge, const Way& way) {
  std::int32_t& index = edges_[edge].way;
  if (index < 0) {
    index = static_cast<std::int32_t>(ways_.size());
    ways_.emplace_back();
  }
  ways_[index] = way;
}

void Middles::tell(std::span<const std::int32_t> own_edges) {
  assert(std::ranges::is_sorted(own_edges));
  std::map<int, std::vector<ToldWay>> told;
  for (const auto& [rank, edges] : answered_)
    for (std::size_t i = 0; i < edges.size(); ++i)
      if (std::ranges::binary_search(own_edges, edges[i])) told[rank].push_back(told_way(i, *way(edges[i])));
  for (const auto& [rank, ways] : la::exchange_arrays(mesh_->comm(), told))
    for (const ToldWay& heard : ways) set_way(asked_[rank][heard.at], way_of(heard));
}

}  // namespace brisance::dist
