/// The matrix of an implicit step, in PETSc's block format: 3×3 blocks, one row of blocks per node.
#pragma once

#include "brisance/dist/numbering.hpp"
#include "brisance/dynamics/parameters.hpp"
#include "brisance/dynamics/step_equation.hpp"
#include "brisance/la/handles.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

/// Added to a node's diagonal block: the term of a contact or of another force on the node alone [kg].
struct NodeBlock {
  std::int32_t node;  ///< slot of an owned node
  Mat3 block;         ///< symmetric
};

/// Prescribed components of a node's motion, as bits 1 (x), 2 (y), 4 (z).
using ConstrainedAxes = std::uint8_t;

/// M + a C + b K of the present mesh: refilled for every step through a fixed map from elements to blocks, which is
/// rebuilt when elements or owners change. An owner holds whole stars, so each rank fills the rows of its own nodes
/// without messages. Unknowns are those of dist::number_nodes, three each.
class StepMatrix {
public:
  /// Makes pattern, map and numbering; the values are zero. Collective; throws core::Error with PETSc's message.
  explicit StepMatrix(const dist::Mesh& mesh);

  /// (1 + damping_weight α) M + damping_weight C + stiffness_weight K + blocks, with M and C times `inertia`, C and K
  /// those of corotational_forces at `motion` at fixed rotations of the elements, except for `equation.turns`, which
  /// neglects plastic strain. Rows and columns of constrained components have only their diagonal entry: their unknowns
  /// are the right-hand side over it.
  /// @param held  constrained axes by node slot, ghosts included
  /// Local but for PETSc's bookkeeping; collective; throws core::Error.
  void fill(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, const Parameters& parameters,
            const StepEquation& equation, std::span<const NodeBlock> blocks, std::span<const ConstrainedAxes> held);

  [[nodiscard]] Mat raw() const { return matrix_.raw(); }
  [[nodiscard]] std::int64_t num_blocks() const { return num_blocks_; }  ///< of this rank's rows

  /// First of a node's three entries among this rank's part of a vector. Owned nodes only.
  [[nodiscard]] std::size_t row(LocalNode n) const {
    return 3 * static_cast<std::size_t>(numbering_.number[n] - numbering_.first);
  }
  /// Number of a node's row and column among all; −1 for unused slots.
  [[nodiscard]] std::int64_t number(LocalNode n) const { return numbering_.number[n]; }
  /// Slots of this rank's rows, in their order.
  [[nodiscard]] std::span<const std::int32_t> owned_slots() const { return owned_; }
  [[nodiscard]] std::int64_t num_nodes() const { return numbering_.total; }  ///< of all ranks
  /// A vector of the matrix's layout, without values. Collective.
  [[nodiscard]] la::Vector vector() const;

private:
  /// Index of block (i, j) of a tet among the blocks of this rank: from 0 up in the square part, from −1 down in the
  /// rest; kElsewhere if the row is another rank's.
  using Places = std::array<std::int32_t, 16>;
  static constexpr std::int32_t kElsewhere = INT32_MAX;

  struct Values;
  void add_element(const dist::Mesh& mesh, LocalElement e, std::span<const dist::NodeMotion> motion,
                   const Parameters& parameters, const StepEquation& equation, std::span<const ConstrainedAxes> held,
                   Values& values) const;

  dist::NodeNumbering numbering_;
  la::Matrix matrix_;
  std::vector<Places> places_;          ///< by element slot
  std::vector<std::int32_t> diagonal_;  ///< index of each row's diagonal block
  std::vector<std::int32_t> owned_;     ///< slots in ascending number
  std::int64_t num_blocks_ = 0, num_square_ = 0;
};

}  // namespace brisance::dynamics
