/// Nested lattices of control points around a body: the coarse spaces of the multigrid of implicit steps.
///
/// Level 0 has cubic cells some edge lengths wide, each further level cells twice as wide, all with one corner in
/// common. A lattice point carries three unknowns and a function that is trilinear in the cells around it. Cells are
/// those that hold a node at rest; rest positions make affine motions of it, and with them all rigid ones of a body
/// that has moved rigidly, combinations of these functions. Every piece has lattices of its own, so that what a crack
/// has set free moves freely on each level; a crack that goes not all the way through is not seen.
///
/// All ranks hold all lattices, and their numbering follows from positions and pieces alone.
#pragma once

#include "brisance/dist/mesh.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

/// How a point stands between those of the next coarser level.
struct LatticeLink {
  std::int32_t parent;
  double weight;  ///< [–]
};

/// Points of one level; those of one piece stand together.
struct LatticeLevel {
  struct Range {
    std::int32_t first, end;
    [[nodiscard]] std::int32_t size() const { return end - first; }
  };
  std::int32_t num_points = 0;
  std::vector<Range> solved;  ///< pieces with so few points that their equations are solved at once
  // the others, whose points hang on the next level
  std::vector<LatticeLink> links;
  std::vector<std::int32_t> first_link{0};  ///< of each point; none of solved pieces

  [[nodiscard]] std::span<const LatticeLink> links_of(std::int32_t point) const {
    const auto p = static_cast<std::size_t>(point);
    return std::span(links).subspan(static_cast<std::size_t>(first_link[p]),
                                    static_cast<std::size_t>(first_link[p + 1] - first_link[p]));
  }
};

class Lattice {
public:
  static constexpr std::int32_t kSolvedAtOnce = 64;  ///< points of a piece, at most

  /// @param spacing  width of the finest cells in mean edge lengths; below 1 there would be less than a node a cell
  /// Collective; throws core::Error where the spacing is below 1, or more points come out than can be held.
  Lattice(const dist::Mesh& mesh, double spacing);

  [[nodiscard]] std::span<const LatticeLevel> levels() const { return levels_; }
  [[nodiscard]] double cell_m() const { return cell_m_; }  ///< width of the finest cells [m]

  // The finest level and the nodes.
  [[nodiscard]] std::span<const std::array<std::int32_t, 8>> cells() const { return cells_; }  ///< points of each
  /// The cell that a node held here is in, by slot; −1 of unused slots.
  [[nodiscard]] std::int32_t cell_of(std::size_t slot) const { return cell_of_[slot]; }
  /// How much of each point's motion a node takes, by slot, in the order of its cell's points. The largest weight of a
  /// point is 1, whichever node has it: scales of points do not matter, and so none is nearly without matter.
  [[nodiscard]] const std::array<double, 8>& weights_of(std::size_t slot) const { return weights_of_[slot]; }
  /// Nodes in the neighbourhood of a point, at most.
  [[nodiscard]] std::int64_t most_nodes() const { return most_nodes_; }

private:
  std::vector<double> place_nodes(const dist::Mesh& mesh);
  void coarsen(std::vector<double> scale);

  /// A point or a cell of a level: the piece, and whole numbers of cells from the common corner.
  struct Key {
    std::int32_t piece, z, y, x;
    auto operator<=>(const Key&) const = default;
  };
  std::vector<Key> points_;  ///< of the coarsest level so far, ascending
  std::vector<LatticeLevel> levels_;
  std::vector<std::array<std::int32_t, 8>> cells_;
  std::vector<std::int32_t> cell_of_;
  std::vector<std::array<double, 8>> weights_of_;
  double cell_m_ = 0;
  std::int64_t most_nodes_ = 1;
};

}  // namespace brisance::dynamics
