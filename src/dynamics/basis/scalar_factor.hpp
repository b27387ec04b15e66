/// A sparse matrix of numbers in place of 3×3 blocks, factorised: what conditions equations in lattice functions that
/// nearly depend on each other.
#pragma once

#include "brisance/core/comm.hpp"

#include "function_matrix.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace brisance::dynamics {

/// L D Lᵀ of S, with S_fg = tr(A_fg)/3 for the functions of a level and those before it. Of masses S is exactly A along
/// each axis. Of stiffness it is that of a scalar field, whose energy is that of A up to the ratio of the elastic
/// moduli. Where a wall is thin against the cells, functions nearly depend on each other; S⁻¹ A does not show it, the
/// block Jacobi iteration does.
class ScalarFactor {
public:
  /// @param matrix  filled; not kept. Collective.
  ScalarFactor(const core::Comm& comm, const FunctionMatrix& matrix, std::size_t level);
  /// x = S⁻¹ r in the own rows of the level; every rank solves for all. Collective.
  void solve(std::span<const Vec3> r, std::span<Vec3> x) const;

private:
  const core::Comm* comm_;
  std::vector<std::int32_t> own_;  ///< functions of the own rows
  std::vector<std::int32_t> all_;  ///< those of all ranks, rank by rank
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor_;
};

}  // namespace brisance::dynamics
