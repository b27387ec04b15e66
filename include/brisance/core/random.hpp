/// Random numbers keyed by what they are for, never by the order of calls: (seed, entity id, purpose) → number.
#pragma once

#include <cstdint>

namespace brisance::core {

/// 64 well-mixed bits of three keys (two rounds of the splitmix64 finaliser). The same on every rank and machine.
[[nodiscard]] constexpr std::uint64_t hash_bits(std::uint64_t seed, std::uint64_t id, std::uint64_t purpose) {
  auto mix = [](std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  };
  return mix(mix(seed + 0x9E3779B97F4A7C15ULL * (id + 1)) ^ (purpose * 0xD6E8FEB86659FD93ULL));
}

/// Uniform in [0, 1), from the top 53 bits of the hash.
[[nodiscard]] constexpr double hash_uniform(std::uint64_t seed, std::uint64_t id, std::uint64_t purpose) {
  return static_cast<double>(hash_bits(seed, id, purpose) >> 11) * 0x1.0p-53;
}

}  // namespace brisance::core
