/// What conditions the equations in the functions of the hierarchical basis: a direct solution in lattice functions,
/// which go on over free nodes.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dynamics/basis/functions.hpp"

#include "block_cholesky.hpp"
#include "function_matrix.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace brisance::dynamics {

struct MatrixEntry;

/// Active lattice functions are zero at free nodes, so that they bend sharply beside them. The coarse space is spanned
/// by them and by the shares of the same lattices' functions in free nodes: so smooth motions are in it, wherever nodes
/// are free. With its columns in T, Tᵀ A T is factorised by every rank.
class CoarseSpace {
public:
  /// @param matrix   filled; not kept
  /// @param goes_on  over free nodes. Otherwise free nodes stay: for a matrix that does not couple them.
  /// @param added    share of the diagonal that is added, against dependent functions [–]
  /// Collective.
  CoarseSpace(const core::Comm& comm, const FunctionMatrix& matrix, const Functions& functions, bool goes_on,
              double added);
  /// The matrix counts as turned from now on, for each piece by its rotation.
  /// @param pieces  by number in the direct solution
  void turn(std::span<const Mat3> rotations, std::span<const std::int32_t> pieces) {
    rotations_.clear();
    for (const std::int32_t piece : pieces) rotations_.push_back(rotations[static_cast<std::size_t>(piece)]);
  }
  /// x = T (Tᵀ A T)⁻¹ Tᵀ r in the own rows. Collective.
  void correct(std::span<const Vec3> r, std::span<Vec3> x) const;

private:
  struct Shares;
  /// U, with the places of each function in W and U.
  [[nodiscard]] Shares shares_of_free(std::span<const MatrixEntry> rows_of_free, std::int32_t size) const;
  [[nodiscard]] LowerBlocks product(const FunctionMatrix& matrix, double added) const;

  const core::Comm* comm_;
  const Functions* functions_;
  bool goes_on_;
  std::vector<std::int32_t> own_, numbers_;  ///< own rows that count, and their functions
  std::vector<std::int32_t> all_;            ///< functions of those of all ranks, rank by rank
  std::unique_ptr<BlockCholesky> factor_;
  std::vector<Mat3> rotations_;  ///< by number in the direct solution; empty: none
};

}  // namespace brisance::dynamics
