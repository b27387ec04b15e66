#include "brisance/core/words.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace brisance::core {

std::string time_text(double time_s, double span_s) {
  constexpr double kShortest_s = 1e-4;  // in shorter spans leading zeros are hard to count
  if (!(span_s >= kShortest_s) || !std::isfinite(span_s)) return fmt::format("{:.5g}", time_s);
  const int decimals = std::max(0, 4 - static_cast<int>(std::floor(std::log10(span_s))));
  return fmt::format("{:.{}f}", time_s, decimals);
}

}  // namespace brisance::core
