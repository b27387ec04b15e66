/// Forces between nodes that no element joins, as they stand in the matrix of an implicit step: Σ_r g_r g_rᵀ.
///
/// Who presses on whom changes with every iteration, while a matrix of blocks has a pattern that lasts from one cut to
/// the next. So a matrix has their blocks on the diagonal alone, and products get the rest from the rows g_r
/// themselves.
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
  /// What a row has at a node.
  struct Term {
    std::int32_t row;   ///< counted over all ranks
    std::int32_t node;  ///< slot of an owned node
    Vec3 gradient;      ///< with the root of the row's weight [kg^½]
  };

  Couplings() = default;
  /// @param num_rows  of all ranks, the same on each
  /// @param terms     of this rank's nodes, at most one of a row and a node
  /// Collective.
  Couplings(const core::Comm& comm, std::size_t num_rows, std::vector<Term> terms);

  [[nodiscard]] std::size_t num_rows() const { return sums_.size(); }
  /// What a product has of them: all, or without their blocks on the diagonal, where these are in the matrix.
  enum class Part : std::uint8_t { whole, off_diagonal };
  /// y += Σ g (g·x), both by node slot, for owned nodes; ghosts count for nothing. The sum over a row is rounded to a
  /// common quantum (core/rounded_sums.hpp) and those at a node stand in ascending row, so that no division of the
  /// nodes changes a bit. Collective.
  void add_product(const core::Comm& comm, Part part, std::span<const Vec3> x, std::span<Vec3> y) const;
  /// The blocks that they have on the diagonal, a node at a time. Local.
  void append_blocks(std::vector<NodeBlock>& blocks) const;

private:
  std::vector<Term> terms_;  ///< ascending node, then row
  double most_terms_ = 0;    ///< of a row, on all ranks
  mutable std::vector<double> sums_;
};

}  // namespace brisance::dynamics
