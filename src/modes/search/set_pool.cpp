#include "modes/search/set_pool.hpp"

#include "brisance/core/random.hpp"

#include <bit>
#include <utility>

namespace brisance::modes {

CellSet::CellSet(std::span<const std::uint8_t> member) : words_((member.size() + 63) / 64) {
  const bool complement = member[0] != 0;
  for (std::size_t c = 0; c < member.size(); ++c)
    if ((member[c] != 0) != complement) words_[c / 64] |= std::uint64_t{1} << (c % 64);
}

double CellSet::sum(std::span<const double> value) const {
  double total = 0;
  for (std::size_t w = 0; w < words_.size(); ++w)
    for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1)
      total += value[64 * w + static_cast<std::size_t>(std::countr_zero(bits))];
  return total;
}

void CellSet::add_to(std::span<double> value, double amount) const {
  for (std::size_t w = 0; w < words_.size(); ++w)
    for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1)
      value[64 * w + static_cast<std::size_t>(std::countr_zero(bits))] += amount;
}

std::uint64_t CellSet::hash() const {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : words_) hash = core::hash_bits(hash, word, 0);
  return hash;
}

std::pair<int, bool> SetPool::add(CellSet set, double perimeter) {
  const std::uint64_t hash = set.hash();
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto known = first; known != last; ++known)
    if (sets_[known->second] == set) return {known->second, false};
  const int index = size();
  by_hash_.emplace(hash, index);
  sets_.push_back(std::move(set));
  perimeters_.push_back(perimeter);
  return {index, true};
}

}  // namespace brisance::modes
