/// The middles of all edges of held tets, while tets are divided into eight.
#pragma once

#include "brisance/dist/distribute.hpp"
#include "brisance/dist/mesh.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace brisance::dist {

/// An edge, and the displacement of its middle.
struct Middle {
  LocalNode low, high;  ///< its ends, ordered by id
  GlobalNode id;
  std::int32_t way = -1;  ///< index into Middles::ways; −1: the middle is not displaced
};

/// The displacement of a middle, and how much of it is given up to keep the tets well shaped.
struct Way {
  Vec3 by = Vec3::Zero();        ///< [m]
  Vec3 velocity = Vec3::Zero();  ///< change of velocity that follows, from the tets' velocity field [m/s]
  std::int32_t halvings = 0;     ///< 1: half of the displacement, kMostHalvings: none

  static constexpr std::int32_t kMostHalvings = 2;
  [[nodiscard]] double share() const { return halvings == 0 ? 1 : (halvings < kMostHalvings ? 0.5 : 0); }
};

/// Sorted by slot of the lower end, then by id of the other. The owner of an edge's lower end sees all tets at the edge
/// and decides on the displacement of its middle.
class Middles {
public:
  /// All edges of held tets, each once. Local.
  explicit Middles(const Mesh& mesh);

  [[nodiscard]] std::span<const Middle> edges() const { return edges_; }
  /// Index of an edge of a held tet.
  [[nodiscard]] std::int32_t find(LocalNode a, LocalNode b) const;
  [[nodiscard]] bool is_own(std::int32_t edge) const { return mesh_->is_owned(edges_[edge].low); }

  /// Assigns ids to the middles: those of the edges up from a node follow its new id. Collective.
  void number(const NodeField<std::int64_t>& new_id);

  [[nodiscard]] const Way* way(std::int32_t edge) const {
    return edges_[edge].way < 0 ? nullptr : &ways_[edges_[edge].way];
  }
  /// The other holders are informed by `tell`.
  void set_way(std::int32_t edge, const Way& way);
  /// Sends the displacements of these edges from their owners to all holders. After `number`. Collective.
  void tell(std::span<const std::int32_t> own_edges);

  [[nodiscard]] Vec3 straight(std::int32_t edge) const {
    return 0.5 * (mesh_->rest[edges_[edge].low] + mesh_->rest[edges_[edge].high]);
  }
  /// Rest position of the middle [m].
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
  /// Edges of other ranks that this rank holds, by owner; own edges that others hold, by holder. Both sides use one
  /// order.
  std::map<int, std::vector<std::int32_t>> asked_, answered_;
};

}  // namespace brisance::dist
