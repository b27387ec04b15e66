#include "brisance/core/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace brisance::core {

void ExactSum::add(double term) {
  if (!std::isfinite(term)) {
    ++limbs_[kLimbs];
    return;
  }
  const auto bits = std::bit_cast<std::uint64_t>(term);
  const int biased = static_cast<int>(bits >> 52 & 0x7FF);
  std::uint64_t mantissa = bits & 0xFFFFFFFFFFFFFULL;
  if (biased != 0) mantissa |= 1ULL << 52;
  const int exponent = (biased == 0 ? 1 : biased) - 1075;  // value = mantissa · 2^exponent
  const int shift = exponent - kLowestExponent;
  const int limb = shift / 32;
  // The shifted mantissa spans at most 53 + 31 bits: three limbs.
  const unsigned __int128 wide = static_cast<unsigned __int128>(mantissa) << (shift % 32);
  const std::int64_t sign = bits >> 63 ? -1 : 1;
  for (int i = 0; i < 3; ++i)
    limbs_[limb + i] += sign * static_cast<std::int64_t>(static_cast<std::uint64_t>(wide >> (32 * i)) & 0xFFFFFFFFULL);
}

void ExactSum::add(const ExactSum& other) {
  ExactSum b = other;
  b.carry();
  carry();
  for (int i = 0; i <= kLimbs; ++i) limbs_[i] += b.limbs_[i];
}

void ExactSum::subtract(const ExactSum& other) {
  ExactSum b = other;
  b.carry();
  carry();
  for (int i = 0; i < kLimbs; ++i) limbs_[i] -= b.limbs_[i];
  limbs_[kLimbs] += b.limbs_[kLimbs];
}

void ExactSum::carry() {
  for (int i = 0; i + 1 < kLimbs; ++i) {
    const std::int64_t up = limbs_[i] >> 32;  // floor division keeps the remainder in [0, 2^32)
    limbs_[i] -= up * (std::int64_t{1} << 32);
    limbs_[i + 1] += up;
  }
}

double ExactSum::value() const {
  if (limbs_[kLimbs] != 0) return std::numeric_limits<double>::quiet_NaN();
  ExactSum normal = *this;
  normal.carry();
  const bool negative = normal.limbs_[kLimbs - 1] < 0;
  if (negative) {
    for (int i = 0; i < kLimbs; ++i) normal.limbs_[i] = -normal.limbs_[i];
    normal.carry();
  }
  int top = kLimbs - 1;
  while (top >= 0 && normal.limbs_[top] == 0) --top;
  if (top < 0) return 0.0;
  // The top 64 significant bits, with a sticky bit for the rest, convert to double with a single correct rounding.
  auto limb = [&](int i) { return i >= 0 ? static_cast<std::uint64_t>(normal.limbs_[i]) : 0; };
  const unsigned __int128 window = (static_cast<unsigned __int128>(limb(top)) << 64) |
                                   (static_cast<unsigned __int128>(limb(top - 1)) << 32) | limb(top - 2);
  const int drop = std::max(0, 32 - std::countl_zero(static_cast<std::uint32_t>(limb(top))));
  auto head = static_cast<std::uint64_t>(window >> drop);
  bool sticky = (window & ((static_cast<unsigned __int128>(1) << drop) - 1)) != 0;
  for (int i = top - 3; i >= 0 && !sticky; --i) sticky = normal.limbs_[i] != 0;
  if (sticky) head |= 1;
  const double magnitude = std::ldexp(static_cast<double>(head), 32 * (top - 2) + drop + kLowestExponent);
  return negative ? -magnitude : magnitude;
}

void ExactSum::reduce(const Comm& comm) { reduce(comm, std::span<ExactSum>(this, 1)); }

void ExactSum::reduce(const Comm& comm, std::span<ExactSum> sums) {
  for (ExactSum& s : sums) s.carry();
  std::vector<std::int64_t> flat;
  flat.reserve(sums.size() * (kLimbs + 1));
  for (const ExactSum& s : sums) flat.insert(flat.end(), s.limbs_.begin(), s.limbs_.end());
  MPI_Allreduce(MPI_IN_PLACE, flat.data(), static_cast<int>(flat.size()), MPI_INT64_T, MPI_SUM, comm.raw());
  for (std::size_t k = 0; k < sums.size(); ++k)
    std::copy_n(flat.begin() + static_cast<std::ptrdiff_t>(k * (kLimbs + 1)), kLimbs + 1, sums[k].limbs_.begin());
}

}  // namespace brisance::core
