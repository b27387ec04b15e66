#include "cryptomatte.hpp"

#include <algorithm>
#include <bit>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

namespace brisance::render {
namespace {

/// Bits of an id: those of the name's hash, but for exponents that are no ordinary numbers.
std::uint32_t crypto_bits(std::string_view name) {
  const std::uint32_t hash = murmur3_32(name), exponent = (hash >> 23) & 255;
  return exponent == 0 || exponent == 255 ? hash ^ (1U << 23) : hash;
}

std::uint32_t block_of(const char* bytes, std::size_t count) {
  std::uint32_t block = 0;
  for (std::size_t i = 0; i < count; ++i) block |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return block;
}

std::uint32_t mixed(std::uint32_t block) { return std::rotl(block * 0xCC9E2D51U, 15) * 0x1B873593U; }

}  // namespace

std::uint32_t murmur3_32(std::string_view text) {
  std::uint32_t hash = 0;
  const std::size_t whole = text.size() / 4 * 4;
  for (std::size_t i = 0; i < whole; i += 4)
    hash = std::rotl(hash ^ mixed(block_of(&text[i], 4)), 13) * 5 + 0xE6546B64U;
  if (whole < text.size()) hash ^= mixed(block_of(&text[whole], text.size() - whole));
  hash ^= static_cast<std::uint32_t>(text.size());
  hash = (hash ^ (hash >> 16)) * 0x85EBCA6BU;
  hash = (hash ^ (hash >> 13)) * 0xC2B2AE35U;
  return hash ^ (hash >> 16);
}

float crypto_id(std::string_view name) { return std::bit_cast<float>(crypto_bits(name)); }

std::uint32_t CryptoNames::add(std::string name) {
  ids_.push_back(crypto_id(name));
  names_.push_back(std::move(name));
  return static_cast<std::uint32_t>(names_.size() - 1);
}

std::array<std::string, 2 * kCryptoRanks> CryptoNames::channels() const {
  std::array<std::string, 2 * kCryptoRanks> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = fmt::format("{}{:02}.{}", layer_, i / 4, "RGBA"[i % 4]);
  return names;
}

void CryptoNames::add_notes(Notes& notes) const {
  nlohmann::json manifest = nlohmann::json::object();
  for (const std::string& name : names_) manifest[name] = fmt::format("{:08x}", crypto_bits(name));
  const std::string key = fmt::format("cryptomatte/{:.7}/", fmt::format("{:08x}", murmur3_32(layer_)));
  notes.emplace_back(key + "name", layer_);
  notes.emplace_back(key + "hash", "MurmurHash3_32");
  notes.emplace_back(key + "conversion", "uint32_to_float32");
  notes.emplace_back(key + "manifest", manifest.dump());
}

std::array<float, 2 * kCryptoRanks> CryptoNames::ranked(std::span<const std::uint32_t> seen,
                                                        std::size_t num_samples) const {
  struct Covered {
    std::uint32_t number;
    std::size_t count;
  };
  std::vector<std::uint32_t> sorted(seen.begin(), seen.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<Covered> covered;
  for (const std::uint32_t number : sorted) {
    if (covered.empty() || covered.back().number != number) covered.push_back({number, 0});
    ++covered.back().count;
  }
  std::stable_sort(covered.begin(), covered.end(),
                   [](const Covered& a, const Covered& b) { return a.count > b.count; });
  std::array<float, 2 * kCryptoRanks> values{};
  for (std::size_t rank = 0; rank < std::min(covered.size(), kCryptoRanks); ++rank) {
    values[2 * rank] = ids_[covered[rank].number];
    values[2 * rank + 1] = static_cast<float>(covered[rank].count) / static_cast<float>(num_samples);
  }
  return values;
}

}  // namespace brisance::render
