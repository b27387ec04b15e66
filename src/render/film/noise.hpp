/// How noisy a pixel is, from its own samples.
#pragma once

#include <cmath>
#include <cstdint>

namespace brisance::render {

/// Mean and variance of a pixel's luminance L, updated sample by sample (Welford 1962).
class NoiseEstimate {
public:
  /// @param luminance  of one sample [1: white surface in white light]
  void add(double luminance) {
    ++count_;
    const double change = luminance - mean_;
    mean_ += change / count_;
    squares_ += change * (luminance - mean_);
  }

  /// Relative standard error of the pixel as displayed, by T(L) = L/(1 + L) (Reinhard et al. 2002): with standard error
  /// s of L and T' = 1/(1 + L)², T's/T = s/(L (1 + L)). A floor under L stands for the darkest levels of 8 bits.
  /// Infinite below two samples.
  [[nodiscard]] double relative_error() const {
    if (count_ < 2) return HUGE_VAL;
    const double standard_error = std::sqrt(squares_ / (static_cast<double>(count_) * (count_ - 1.0)));
    const double shown = std::max(mean_, 0.0);
    return standard_error / ((shown + kDarkest) * (1 + shown));
  }

private:
  static constexpr double kDarkest = 0.02;

  std::uint32_t count_ = 0;
  double mean_ = 0, squares_ = 0;  ///< Σ (L − mean)²
};

}  // namespace brisance::render
