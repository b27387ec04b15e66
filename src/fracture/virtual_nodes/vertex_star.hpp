/// The tets of the uncut mesh around one of its vertices, with all their copies: the star of the vertex and of all
/// virtual nodes at its place. The owner of a vertex owns these nodes, too, and so holds the whole star.
#pragma once

#include "brisance/dist/division.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

namespace brisance::fracture {

/// A place or bit as an index.
[[nodiscard]] constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Virtual nodes held here, by the vertex at whose place they are.
class VirtualNodes {
public:
  VirtualNodes() = default;
  /// Finds them in the whole mesh. Local.
  explicit VirtualNodes(const dist::Mesh& mesh);
  void add(GlobalNode vertex, GlobalNode node) { of_vertex_[vertex].push_back(node); }
  /// The vertex's node and the virtual nodes at its place, as far as they are held. Local.
  [[nodiscard]] std::vector<LocalNode> nodes_at(const dist::Mesh& mesh, GlobalNode vertex) const;

private:
  std::unordered_map<GlobalNode, std::vector<GlobalNode>> of_vertex_;  ///< some may be gone
};

/// A tet of the uncut mesh.
struct StarTet {
  GlobalElement tet;
  int at = 0;  ///< which of its vertices the star is about
  std::array<GlobalNode, 4> vertex;
  std::array<LocalElement, 4> copy{};  ///< of the block with this lowest vertex; invalid where there is none
  elements::Partition partition{};

  [[nodiscard]] int place_of(GlobalNode v) const {
    for (int i = 0; i < 4; ++i)
      if (vertex[static_cast<std::size_t>(i)] == v) return i;
    return -1;
  }
  [[nodiscard]] int block_of(int i) const { return partition.block[static_cast<std::size_t>(i)]; }
};

/// A face between two tets of the star: index of each, and the vertex opposite the face in each.
struct StarFace {
  int a, opposite_a, b, opposite_b;
};

/// All held tets around a vertex, complete at its owner, in ascending id. Local.
[[nodiscard]] std::vector<StarTet> tets_around(const dist::Mesh& mesh, const VirtualNodes& nodes, GlobalNode vertex);

/// The faces between them that hold the vertex; a < b. Local.
[[nodiscard]] std::vector<StarFace> faces_between(std::span<const StarTet> star);

}  // namespace brisance::fracture
