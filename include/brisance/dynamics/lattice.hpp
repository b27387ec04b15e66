/// Nested lattices of control points around a body: the coarse spaces of the multigrid of implicit steps.
///
/// Level 0 has cubic cells some edge lengths wide, each further level cells twice as wide, all with one corner in
/// common. A lattice point carries three unknowns and a function that is trilinear in the cells around it. Cells are
/// those that contain a node at rest; affine motions of the rest positions, and so all rigid motions of a body that has
/// moved rigidly, are combinations of these functions. Every piece has its own lattices, so that separated pieces move
/// independently on each level; a crack that does not go all the way through has no effect.
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

/// Weight of a point of the next coarser level in the interpolation at a point.
struct LatticeLink {
  std::int32_t parent;
  double weight;  ///< [–]
};

/// Points of one level; those of one piece are contiguous.
struct LatticeLevel {
  struct Range {
    std::int32_t first, end;
    [[nodiscard]] std::int32_t size() const { return end - first; }
  };
  std::int32_t num_points = 0;
  std::vector<Range> solved;  ///< pieces with so few points that their equations are solved directly
  // the other pieces, whose points are interpolated from the next level
  std::vector<LatticeLink> links;
  std::vector<std::int32_t> first_link{0};  ///< by point; no links in directly solved pieces

  [[nodiscard]] std::span<const LatticeLink> links_of(std::int32_t point) const {
    const auto p = static_cast<std::size_t>(point);
    return std::span(links).subspan(static_cast<std::size_t>(first_link[p]),
                                    static_cast<std::size_t>(first_link[p + 1] - first_link[p]));
  }
};

class Lattice {
public:
  static constexpr std::int32_t kSolvedAtOnce = 64;  ///< largest number of points of a piece that is solved directly

  /// @param spacing  width of the finest cells in mean edge lengths; below 1 there would be less than a node per cell
  /// Collective; throws core::Error where the spacing is below 1, or the number of points is too large.
  Lattice(const dist::Mesh& mesh, double spacing);

  [[nodiscard]] std::span<const LatticeLevel> levels() const { return levels_; }
  [[nodiscard]] double cell_m() const { return cell_m_; }  ///< width of the finest cells [m]

  // The finest level and the nodes.
  [[nodiscard]] std::span<const std::array<std::int32_t, 8>> cells() const { return cells_; }  ///< points of each
  /// The cell that contains a node held here, by slot; −1 for unused slots.
  [[nodiscard]] std::int32_t cell_of(std::size_t slot) const { return cell_of_[slot]; }
  /// Interpolation weights of a node, by slot, in the order of its cell's points. The largest weight of a point over
  /// all nodes is 1: scales of points do not matter, and so no point is nearly without mass.
  [[nodiscard]] const std::array<double, 8>& weights_of(std::size_t slot) const { return weights_of_[slot]; }
  /// Largest number of nodes in the neighbourhood of a point.
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
