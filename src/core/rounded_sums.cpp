#include "brisance/core/rounded_sums.hpp"

#include <limits>

namespace brisance::core {

Quantum::Quantum(double bound) {
  if (!std::isfinite(bound)) {
    shift_ = size_ = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  int exponent = 0;
  std::frexp(bound, &exponent);  // bound ≤ 2^exponent
  shift_ = std::ldexp(1.5, exponent + 1);
  size_ = std::ldexp(1.0, exponent - 51);
}

void sum_rounded(const Comm& comm, std::span<double> sums) {
  if (comm.size() == 1) return;
  constexpr std::size_t kMost = std::size_t{1} << 28;  // most values in one message
  for (std::size_t first = 0; first < sums.size(); first += kMost) {
    const auto part = sums.subspan(first, std::min(kMost, sums.size() - first));
    MPI_Allreduce(MPI_IN_PLACE, part.data(), static_cast<int>(part.size()), MPI_DOUBLE, MPI_SUM, comm.raw());
  }
}

}  // namespace brisance::core
