/// Random numbers of one pixel: well distributed over its samples, and keyed, so that threads and ranks have no effect.
#pragma once

#include "brisance/core/random.hpp"

#include <bit>
#include <cstdint>

namespace brisance::render {

struct Point2 {
  float u, v;
};

/// Sample `index` of a pixel. For each purpose the points of all samples of the pixel form a randomly scrambled
/// (0,2)-sequence (van der Corput and Sobol'), in an order that is random within every block of two, four, eight …
/// samples: any such block is spread evenly, and what two purposes draw for one sample is independent. (The same
/// order for all, or orders that differ by an exclusive or, would tie each purpose to every other, and a pixel would
/// not converge.) Scrambling and order are nested [Owen 1995], by hashes [Laine and Karras 2011; Burley 2020].
class Sampler {
public:
  Sampler(std::uint64_t seed, std::uint64_t pixel, std::uint32_t index, std::uint32_t num_samples)
      : seed_(seed), pixel_(pixel), index_(index), num_samples_(num_samples) {}

  /// Continues with the points of another place in a tree of rays: samples that get there in different ways then share
  /// a sequence. Numbers of places differ by more than the points used at each.
  void seek(std::uint64_t place) { purpose_ = place; }
  /// The next point in [0, 1)².
  [[nodiscard]] Point2 next() {
    const std::uint64_t scramble = core::hash_bits(seed_, pixel_, 2 * purpose_);
    const std::uint64_t order = core::hash_bits(seed_, pixel_, 2 * purpose_ + 1);
    ++purpose_;
    const std::uint32_t i = place_in_order(static_cast<std::uint32_t>(order));
    return {unit(scrambled(i, static_cast<std::uint32_t>(scramble))),
            unit(scrambled(reversed_bits(sobol_second(i)), static_cast<std::uint32_t>(scramble >> 32)))};
  }

  /// Bits of this pixel and sample alone, for random numbers whose count is not known.
  [[nodiscard]] std::uint64_t next_key() {
    const std::uint64_t of_pixel = core::hash_bits(seed_, pixel_, 2 * purpose_++);
    return core::hash_bits(of_pixel, index_, 0);
  }

private:
  static float unit(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1.0p-24F; }
  static std::uint32_t reversed_bits(std::uint32_t x) {
    x = (x >> 16) | (x << 16);
    x = ((x & 0x00FF00FFU) << 8) | ((x & 0xFF00FF00U) >> 8);
    x = ((x & 0x0F0F0F0FU) << 4) | ((x & 0xF0F0F0F0U) >> 4);
    x = ((x & 0x33333333U) << 2) | ((x & 0xCCCCCCCCU) >> 2);
    return ((x & 0x55555555U) << 1) | ((x & 0xAAAAAAAAU) >> 1);
  }
  /// Changes each bit by a hash of the lower ones.
  static std::uint32_t hashed_upward(std::uint32_t x, std::uint32_t key) {
    x ^= x * 0x3D20ADEAU;
    x += key;
    x *= (key >> 16) | 1U;
    x ^= x * 0x05526C56U;
    x ^= x * 0x53A22864U;
    return x;
  }
  /// Bits of a coordinate in [0, 1), each changed by a hash of the higher ones.
  /// @param reversed  the coordinate's bits, the highest last
  static std::uint32_t scrambled(std::uint32_t reversed, std::uint32_t key) {
    return reversed_bits(hashed_upward(reversed, key));
  }
  /// Place of this sample: each bit of the index, of the lowest that number the samples, is changed by the higher ones.
  [[nodiscard]] std::uint32_t place_in_order(std::uint32_t key) const {
    const int unused = 32 - std::countr_zero(num_samples_);
    if (unused == 32) return 0;
    return reversed_bits(hashed_upward(reversed_bits(index_ << unused), key)) >> unused;
  }
  static std::uint32_t sobol_second(std::uint32_t i) {
    std::uint32_t result = 0;
    for (std::uint32_t column = 0x80000000U; i != 0; i >>= 1, column ^= column >> 1)
      if (i & 1U) result ^= column;
    return result;
  }

  std::uint64_t seed_, pixel_;
  std::uint32_t index_, num_samples_;  ///< num_samples_ is a power of two
  std::uint64_t purpose_ = 0;
};

}  // namespace brisance::render
