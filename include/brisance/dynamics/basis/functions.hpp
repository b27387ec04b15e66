/// The hierarchical basis: functions in which a body may move between two choices of the active ones, for implicit
/// steps with fewer unknowns than nodes.
///
/// Nested lattices enclose the body at rest, each with cells half as wide as those of the one before. A lattice point
/// carries a function that is trilinear in the cells around it. All functions of level 0 are active; of a finer level
/// those at points that the coarser lattice does not have (details), where a node in their support asks for that level
/// (kBasisLevel). A node that asks for more than the finest lattice is free and carries its own function; functions of
/// lattices are zero there. So functions are refined instead of cells, and no hanging nodes arise (CHARMS: Grinspun,
/// Krysl and Schröder 2002).
///
/// A function has one copy for each connected part of the tets in its support: parts on both sides of a crack move
/// independently once the crack has crossed the support. Affine motions of the rest positions, and so all rigid
/// motions of a piece that has moved rigidly, are combinations of active functions.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/step_matrix.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

inline constexpr std::uint8_t kFree = 255;

/// The level that the node asks for; kFree: its own function. Nodes around a cut are free until the next choice.
inline constexpr dist::NodeFieldDeclaration<std::uint8_t> kBasisLevel{.name = "basis_level",
                                                                      .unit = "-",
                                                                      .initial = kFree,
                                                                      .copy = dist::AtCopy::initial,
                                                                      .touch = dist::AtTouch::initial};

/// Where the lattices are; the same throughout a run.
struct BasisGrid {
  std::array<double, 3> corner{};   ///< lowest coordinates of the body at rest [m]
  std::array<double, 3> width_m{};  ///< of the cells of level 0; finest cells fit in the body's box [m]
  int levels = 1;

  struct Place {
    std::array<std::int32_t, 3> cell;  ///< whole numbers of cells from the corner: x, y, z
    std::array<double, 3> inside;      ///< coordinates in the cell, 0 to 1
  };
  /// The cell of a level that contains a point at rest. Local.
  [[nodiscard]] Place place(const Vec3& rest, int level) const;
};

/// @param cell_m  width of the coarsest cells, more or less [m]; 0: the finest have 2.5 mean edge lengths
/// Collective; throws core::Error where the finest cells would be narrower than a mean edge.
[[nodiscard]] BasisGrid basis_grid(const dist::Mesh& mesh, double cell_m, int levels);

class Functions {
public:
  /// Weight of a function in the motion of a node.
  struct Link {
    std::int32_t function;
    double weight;  ///< [–]; the largest of a function over all nodes is 1
  };

  /// The active functions, by kBasisLevel of owned nodes. All ranks number them alike, coarse ones first, free nodes
  /// last. Functions that would move only a few nodes nearly depend on others: details of that kind are left out, and
  /// the nodes of such coarsest functions are free.
  /// @param held  by node slot, ghosts included; empty: none. Nodes that are held in all components do not count.
  /// Collective; throws core::Error where they are more than a rank can hold.
  Functions(const dist::Mesh& mesh, const BasisGrid& grid, std::span<const ConstrainedAxes> held = {});

  [[nodiscard]] std::int32_t count() const { return num_lattice_ + num_free_; }
  [[nodiscard]] std::int32_t num_lattice() const { return num_lattice_; }  ///< functions, before those of free nodes
  [[nodiscard]] std::int32_t num_free() const { return num_free_; }        ///< nodes
  [[nodiscard]] std::int64_t num_nodes() const { return num_nodes_; }
  /// Active functions of the coarsest lattices, the first numbers; with what num_coarse() adds at most 2¹⁴, or those of
  /// level 0. Steps solve for them directly.
  [[nodiscard]] std::int32_t num_direct() const { return num_direct_; }
  /// The same, and after them the shares of these lattices' functions in free nodes, active or not.
  [[nodiscard]] std::int32_t num_coarse() const { return num_coarse_; }
  /// The shares, from num_direct() on, that move a free node of any rank, ascending, by the node's number after
  /// num_lattice().
  [[nodiscard]] std::span<const Link> beneath(std::int32_t free_node) const {
    const auto i = static_cast<std::size_t>(free_node);
    return std::span(beneath_).subspan(first_beneath_[i], first_beneath_[i + 1] - first_beneath_[i]);
  }
  /// Rank of each function, which owns one of its nodes.
  [[nodiscard]] std::span<const std::int32_t> owners() const { return owner_; }
  /// The functions that move a node held here, by slot, ascending.
  [[nodiscard]] std::span<const Link> of(std::size_t slot) const {
    return std::span(links_).subspan(first_[slot], first_[slot + 1] - first_[slot]);
  }
  /// The functions of the direct solution that move a node held here, by slot, ascending.
  [[nodiscard]] std::span<const Link> in_direct_solution(std::size_t slot) const;
  [[nodiscard]] bool is_free(std::size_t slot) const { return finest_[slot] == kFree; }
  /// Finest level of the functions that move a node, by slot; kFree: its own.
  [[nodiscard]] std::uint8_t finest(std::size_t slot) const { return finest_[slot]; }

private:
  struct Key;
  struct Level;
  static Level found_at(const dist::Mesh& mesh, const BasisGrid& grid, int l);
  void count_nodes(const dist::Mesh& mesh, std::span<const ConstrainedAxes> held, int l, Level& level) const;
  void free_thin_supports(const dist::Mesh& mesh, std::span<const ConstrainedAxes> held, Level& coarsest);
  void number(const dist::Mesh& mesh, std::span<const ConstrainedAxes> held, std::span<Level> levels);
  void number_beneath(std::span<Level> levels);
  void link(const dist::Mesh& mesh, std::span<const Level> levels);
  void scale(const dist::Mesh& mesh);
  void link_beneath(const dist::Mesh& mesh, std::span<const Level> levels);

  std::vector<std::int64_t> free_id_;  ///< of free nodes of all ranks, ascending
  std::vector<std::uint8_t> wish_;     ///< kBasisLevel by slot, ghosts included
  std::int32_t num_lattice_ = 0, num_free_ = 0, num_direct_ = 0, num_coarse_ = 0;
  std::int64_t num_nodes_ = 0;  ///< of all ranks
  std::vector<std::int32_t> owner_;
  std::vector<std::size_t> first_, first_beneath_;
  std::vector<Link> links_, beneath_;
  std::vector<std::uint8_t> finest_;

public:
  ~Functions();
  Functions(Functions&&) noexcept;
  Functions& operator=(Functions&&) noexcept;
  Functions(const Functions&) = delete;
  Functions& operator=(const Functions&) = delete;
};

}  // namespace brisance::dynamics
