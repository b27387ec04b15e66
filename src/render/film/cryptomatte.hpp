/// Cryptomatte 1.2 (J. Friedman, A. C. Jones 2015): which names cover a pixel, and how much of it, in channels that
/// compositing programs turn into masks.
#pragma once

#include "brisance/render/layers.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace brisance::render {

inline constexpr std::size_t kCryptoRanks = 6;  ///< names kept for each pixel, those of most coverage

/// MurmurHash3_32 (A. Appleby) of the text with seed 0.
[[nodiscard]] std::uint32_t murmur3_32(std::string_view text);

/// A name as the number stored in a pixel: its hash, with one bit of the exponent changed where it would be zero,
/// infinite or not a number.
[[nodiscard]] float crypto_id(std::string_view name);

/// Names of a picture, and their ids.
class CryptoNames {
public:
  /// @param layer  "crypto_piece": channels are crypto_piece00.R and so on
  explicit CryptoNames(std::string layer) : layer_(std::move(layer)) {}
  /// The number of a new name, ascending from 0.
  std::uint32_t add(std::string name);

  /// Names of the channels: (id, coverage) of each rank, two ranks a layer.
  [[nodiscard]] std::array<std::string, 2 * kCryptoRanks> channels() const;
  /// The metadata: name, hash, and the manifest of all names as JSON.
  void add_notes(Notes& notes) const;

  /// Values of a pixel's channels: ids by falling coverage, lower numbers first where equal.
  /// @param seen  number of the name that each sample saw; samples that saw none are left out
  /// @param num_samples  all samples of the pixel
  [[nodiscard]] std::array<float, 2 * kCryptoRanks> ranked(std::span<const std::uint32_t> seen,
                                                           std::size_t num_samples) const;

private:
  std::string layer_;
  std::vector<std::string> names_;
  std::vector<float> ids_;
};

}  // namespace brisance::render
