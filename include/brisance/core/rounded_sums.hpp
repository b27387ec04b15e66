/// Quick sums of many doubles that do not depend on their order, nor on how they are spread over ranks: terms are
/// rounded to multiples of one quantum first, and then every partial sum is exact.
///
/// This does for many numbers what ExactSum does for a few, at three operations a term: adding 1.5·2ᵏ and subtracting
/// it again leaves a multiple of 2ᵏ⁻⁵², and doubles add such multiples exactly up to 2ᵏ⁺¹ (Rump, Ogita and Oishi 2008;
/// Demmel and Nguyen 2013).
#pragma once

#include "brisance/core/comm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace brisance::core {

class Quantum {
public:
  /// @param bound  bound on Σ|term| of each sum, over all ranks; equal on all ranks. A NaN makes every rounded term
  /// NaN.
  explicit Quantum(double bound);

  [[nodiscard]] double rounded(double term) const { return (term + shift_) - shift_; }
  /// Rounded terms are multiples of this; rounding moves a term by half of it at most.
  [[nodiscard]] double size() const { return size_; }

private:
  double shift_ = 0, size_ = 0;
};

/// Sums rounded terms over all ranks, in place; exact. Collective.
void sum_rounded(const Comm& comm, std::span<double> sums);

/// Σ term(i), i < count, over all ranks, accurate to 2⁻⁴⁰ of the largest term or better, with the same bits however the
/// terms are distributed.
/// @param num_terms  number of terms of all ranks together, or a bound on it; equal on all ranks
/// Collective.
template <class Term>
[[nodiscard]] double rounded_sum(const Comm& comm, std::size_t count, std::int64_t num_terms, const Term& term) {
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double size = std::abs(term(i));
    largest = size <= largest ? largest : size;  // propagates NaN
  }
  if (std::isnan(largest)) largest = INFINITY;  // MPI's maximum does not propagate NaN
  largest = comm.max(largest);
  if (largest == 0) return 0;
  const auto terms = static_cast<double>(num_terms);
  const Quantum high(largest * terms), low(high.size() * terms);
  std::array<double, 2> sums{};
  for (std::size_t i = 0; i < count; ++i) {
    const double t = term(i), upper = high.rounded(t);
    sums[0] += upper;
    sums[1] += low.rounded(t - upper);
  }
  sum_rounded(comm, sums);
  return sums[0] + sums[1];
}

}  // namespace brisance::core
