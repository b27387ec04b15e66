/// The middles of all edges that a rank holds, while tets are divided into eight.
#pragma once

#include "brisance/dist/distribute.hpp"
#include "brisance/dist/mesh.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace brisance::dist {

/// An edge, and what becomes of its middle.
struct Middle {
  LocalNode low, high;  ///< its ends, by their ids
  GlobalNode id;
  std::int32_t way = -1;  ///< in Middles::ways; none: it stays in the middle
};

/// Where a middle goes, and how much of that is given up for the sake of the tets there.
struct Way {
  Vec3 by = Vec3::Zero();        ///< [m]
  Vec3 velocity = Vec3::Zero();  ///< what that adds to its velocity, the tets' field going on [m/s]
  std::int32_t halvings = 0;     ///< 1: half of the way, kMostHalvings: none

  static constexpr std::int32_t kMostHalvings = 2;
  [[nodiscard]] double share() const { return halvings == 0 ? 1 : (halvings < kMostHalvings ? 0.5 : 0); }
};

/// By slot of the lower end, then by id of the other. An owner of a lower end sees all edges up from it, and says what
/// becomes of their middles.
class Middles {
public:
  /// All edges of held tets, each once. Local.
  explicit Middles(const Mesh& mesh);

  [[nodiscard]] std::span<const Middle> edges() const { return edges_; }
  /// Of an edge that is held.
  [[nodiscard]] std::int32_t find(LocalNode a, LocalNode b) const;
  [[nodiscard]] bool is_own(std::int32_t edge) const { return mesh_->is_owned(edges_[edge].low); }

  /// Gives the middles ids: those up from a node follow its new id. Collective.
  void number(const NodeField<std::int64_t>& new_id);

  [[nodiscard]] const Way* way(std::int32_t edge) const {
    return edges_[edge].way < 0 ? nullptr : &ways_[edges_[edge].way];
  }
  /// The other holders learn of it by `tell`.
  void set_way(std::int32_t edge, const Way& way);
  /// What their owners say of these edges becomes known to all who hold them. After `number`. Collective.
  void tell(std::span<const std::int32_t> own_edges);

  [[nodiscard]] Vec3 straight(std::int32_t edge) const {
    return 0.5 * (mesh_->rest[edges_[edge].low] + mesh_->rest[edges_[edge].high]);
  }
  /// Rest position [m].
  [[nodiscard]] Vec3 place(std::int32_t edge) const {
    const Way* w = way(edge);
    return w == nullptr || w->share() == 0 ? straight(edge) : Vec3(straight(edge) + w->share() * w->by);
  }

private:
  [[nodiscard]] bool before(const Middle& a, const Middle& b) const {
    return a.low != b.low ? a.low < b.low : mesh_->node_id[a.high] < mesh_->node_id[b.high];
  }

  const Mesh* mesh_;
  std::vector<Middle> edges_;
  std::vector<Way> ways_;
  /// Edges of others' that this rank holds, by owner; and its own that others hold, by holder: in one order.
  std::map<int, std::vector<std::int32_t>> asked_, answered_;
};

}  // namespace brisance::dist
