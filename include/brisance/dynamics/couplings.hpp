/// Forces between nodes that no element joins, as terms of the matrix of an implicit step: Σ_r g_r g_rᵀ.
///
/// Contact pairs change with every iteration, while the pattern of a block matrix stays from one cut to the next. So
/// the matrix has only their diagonal blocks, and products add the rest from the rows g_r themselves.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"
#include "brisance/dynamics/step_matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

class Couplings {
public:
  /// Entry of a row at a node.
  struct Term {
    std::int32_t row;   ///< row number over all ranks
    std::int32_t node;  ///< slot of an owned node
    Vec3 gradient;      ///< times the root of the row's weight [kg^½]
  };

  Couplings() = default;
  /// @param num_rows  number of rows of all ranks, the same on each
  /// @param terms     of this rank's nodes, at most one for a row and a node
  /// Collective.
  Couplings(const core::Comm& comm, std::size_t num_rows, std::vector<Term> terms);

  [[nodiscard]] std::size_t num_rows() const { return sums_.size(); }
  /// Part of a product: all blocks, or all but the diagonal blocks, if these are in the matrix.
  enum class Part : std::uint8_t { whole, off_diagonal };
  /// y += Σ g (g·x), both by node slot, for owned nodes; ghosts are not added. The sum over a row is rounded to a
  /// common quantum (core/rounded_sums.hpp) and those at a node are added in ascending row, so that no partition of the
  /// nodes changes a bit. Collective.
  void add_product(const core::Comm& comm, Part part, std::span<const Vec3> x, std::span<Vec3> y) const;
  /// Appends the diagonal blocks, one per node. Local.
  void append_blocks(std::vector<NodeBlock>& blocks) const;

private:
  std::vector<Term> terms_;  ///< ascending node, then row
  double most_terms_ = 0;    ///< largest number of terms of a row, on all ranks
  mutable std::vector<double> sums_;
};

}  // namespace brisance::dynamics
