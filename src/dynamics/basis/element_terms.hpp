/// Terms of tets in the functions that move them.
#pragma once

#include "brisance/core/rounded_sums.hpp"
#include "brisance/dynamics/basis/functions.hpp"
#include "brisance/elements/simplex.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

using CornerLinks = std::array<std::span<const Functions::Link>, 4>;

/// Functions that move any of these corners, ascending.
void functions_of(const CornerLinks& corners, std::vector<std::int32_t>& functions);

/// Index of a pair (i, j ≤ i) of a list's entries in a lower half.
[[nodiscard]] constexpr std::size_t pair_index(std::size_t i, std::size_t j) { return i * (i + 1) / 2 + j; }
[[nodiscard]] constexpr std::size_t num_pairs(std::size_t entries) { return entries * (entries + 1) / 2; }

/// Adds up Pᵀ K P of tets for a list of functions.
class TermSum {
public:
  /// @param num_functions  of the basis
  explicit TermSum(std::size_t num_functions) : place_(num_functions, 0) {}
  /// From now on terms are those of these functions, ascending.
  void choose(std::span<const std::int32_t> functions);
  /// to += Pᵀ K P: lower half, nine values a block, row by row; only functions of the corners are touched.
  /// @param quantum  to which each term is rounded; null: not at all
  void add_stiffness(const elements::StiffnessMatrix<3>& k, const CornerLinks& corners, std::span<double> to,
                     const core::Quantum* quantum = nullptr);
  /// to += Σ mass w wᵀ over the corners: one value a block, each term rounded.
  void add_mass(double corner_mass, const CornerLinks& corners, std::span<double> to,
                const core::Quantum& quantum) const;

private:
  template <class Round>
  void add_products(const CornerLinks& corners, std::span<double> to, const Round& round) const;

  std::vector<std::int32_t> place_;  ///< of functions in the list
  std::vector<std::int32_t> here_;   ///< places of the tet's functions, ascending
  std::vector<double> product_;      ///< K P: four rows of blocks
};

}  // namespace brisance::dynamics
