#include "modes/body/hilbert.hpp"

#include <algorithm>
#include <array>

namespace brisance::modes {

namespace {

constexpr int kBits = 20;  ///< bits for each coordinate

}  // namespace

std::uint64_t hilbert_key(const Vec3& point) {
  constexpr double kScale = (1 << kBits) - 1;
  std::array<std::uint32_t, 3> x{};
  for (int axis = 0; axis < 3; ++axis) x[axis] = static_cast<std::uint32_t>(std::clamp(point[axis], 0.0, 1.0) * kScale);
  // Undo the rotations and reflections of every level, from the coarsest to the finest …
  for (std::uint32_t bit = 1U << (kBits - 1); bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (std::uint32_t& v : x) {
      if ((v & bit) != 0) {
        x[0] ^= below;
      } else {
        const std::uint32_t swapped = (x[0] ^ v) & below;
        x[0] ^= swapped;
        v ^= swapped;
      }
    }
  }
  // … then convert from Gray code to numbers.
  x[1] ^= x[0];
  x[2] ^= x[1];
  std::uint32_t flip = 0;
  for (std::uint32_t bit = 1U << (kBits - 1); bit > 1; bit >>= 1)
    if ((x[2] & bit) != 0) flip ^= bit - 1;
  std::uint64_t key = 0;
  for (int bit = kBits - 1; bit >= 0; --bit)
    for (const std::uint32_t v : x) key = key << 1 | ((v ^ flip) >> bit & 1U);
  return key;
}

}  // namespace brisance::modes
