/// Directions at random, the same on any ranks.
#pragma once

#include "brisance/core/random.hpp"
#include "brisance/core/types.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace brisance::test {

/// A unit vector, uniform on the sphere, that depends on these three numbers alone.
inline Vec3 random_direction(std::uint64_t seed, std::uint64_t id, std::uint64_t turn) {
  const double z = 2 * core::hash_uniform(seed, id, 2 * turn) - 1;
  const double angle = 2 * std::numbers::pi * core::hash_uniform(seed, id, 2 * turn + 1);
  return {std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle), z};
}

}  // namespace brisance::test
