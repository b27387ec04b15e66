/// Matrices of the levels of a lattice: Pᵀ A P of the matrix of the finer level, or of the nodes.
#pragma once

#include "brisance/dynamics/lattice.hpp"
#include "brisance/dynamics/ordered_rows.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

/// Sparse rows of 3×3 blocks, whole on every rank; columns of a row ascending.
struct LatticeMatrix {
  std::vector<std::size_t> first{0}, diagonal;
  std::vector<std::int32_t> column;
  std::vector<double> values;  ///< nine per block, column by column

  [[nodiscard]] std::size_t num_rows() const { return first.size() - 1; }
  [[nodiscard]] std::span<const std::int32_t> row(std::size_t r) const {
    return std::span(column).subspan(first[r], first[r + 1] - first[r]);
  }
  [[nodiscard]] const double* block(std::size_t k) const { return &values[9 * k]; }
  /// y = A x in the rows [begin, end). Local.
  void multiply(std::size_t begin, std::size_t end, std::span<const Vec3> x, std::span<Vec3> y) const;
};

/// Pattern of the finest level: points are coupled if nodes of their cells are. Collective.
[[nodiscard]] LatticeMatrix finest_pattern(const core::Comm& comm, const Lattice& lattice, const OrderedRows& rows);
/// The same for the next coarser level. Local.
[[nodiscard]] LatticeMatrix coarser_pattern(const LatticeMatrix& fine, const LatticeLevel& level,
                                            std::int32_t num_coarse);

/// Values of the finest level. Terms are rounded to multiples of a common quantum, about 10⁻¹² of the largest entry of
/// a row, so that their sum does not depend on their distribution over ranks. Constrained components of nodes are left
/// out. Collective.
void fill_finest(const core::Comm& comm, const Lattice& lattice, const OrderedRows& rows,
                 std::span<const ConstrainedAxes> held, LatticeMatrix& matrix);
/// Values of the next coarser level, the same on every rank. Local.
void fill_coarser(const LatticeMatrix& fine, const LatticeLevel& level, LatticeMatrix& coarse);

/// Inverse of a symmetric 3×3 block in column order; zero in components without stiffness.
[[nodiscard]] Mat3 inverse_of_block(const double* block);

}  // namespace brisance::dynamics
