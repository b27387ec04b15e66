/// Random choices of one input: the same for the same reader, seed and number, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace brisance::fuzz {

class Random {
public:
  Random(std::uint64_t seed, const std::string& reader, std::uint64_t number)
      : engine_(seed * 0x9E3779B97F4A7C15ULL + number * 0xBF58476D1CE4E5B9ULL) {
    for (const char c : reader) engine_.discard(static_cast<unsigned char>(c) % 7 + 1);
  }
  /// 0 … n − 1; 0 for n = 0.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : engine_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class List>
  const auto& of(const List& list) {
    return list[below(std::size(list))];
  }

private:
  std::mt19937_64 engine_;
};

}  // namespace brisance::fuzz
