/// Sums of doubles that do not depend on the order of the terms, nor on how they are spread over ranks.
#pragma once

#include "brisance/core/comm.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace brisance::core {

/// A fixed-point accumulator wide enough for every finite double (2^-1074 … 2^1023 with headroom): adding is exact, so
/// the total, rounded once to nearest, is a function of the set of terms alone.
/// Up to 2^30 terms may be added between two calls of `reduce` or `value`.
class ExactSum {
public:
  void add(double term);  ///< exact; a NaN or infinity makes the total NaN
  void add(const ExactSum& other);
  void subtract(const ExactSum& other);
  /// Nearest double to the exact total. Local.
  [[nodiscard]] double value() const;
  /// Sums the accumulators of all ranks, in place, on every rank. Collective.
  void reduce(const Comm& comm);
  /// Sums several accumulators in one message. Collective.
  static void reduce(const Comm& comm, std::span<ExactSum> sums);

  /// The accumulator as integers, for files; equal totals give equal integers right after `add` of a sum.
  static constexpr int kNumbers = 69;
  [[nodiscard]] std::span<const std::int64_t, kNumbers> numbers() const { return limbs_; }
  [[nodiscard]] static ExactSum from_numbers(std::span<const std::int64_t, kNumbers> numbers) {
    ExactSum sum;
    std::copy(numbers.begin(), numbers.end(), sum.limbs_.begin());
    return sum;
  }

private:
  void carry();

  // Limb i counts units of 2^(32 i - 1088); each holds 32 bits of value and 31 bits of headroom for carries.
  static constexpr int kLimbs = kNumbers - 1;
  static constexpr int kLowestExponent = -1088;
  std::array<std::int64_t, kLimbs + 1> limbs_{};  // the last counts non-finite terms
};

}  // namespace brisance::core
