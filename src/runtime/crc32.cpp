// SPDX-License-Identifier: MIT
#include "runtime/crc32.hpp"

#include <array>

namespace brisance::runtime {

namespace {

constexpr std::array<std::uint32_t, 256> remainders() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t r = byte;
    for (int bit = 0; bit < 8; ++bit) r = (r >> 1) ^ (r & 1 ? 0xEDB88320u : 0u);
    table[byte] = r;
  }
  return table;
}

constexpr auto kRemainder = remainders();

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char c : bytes) crc = (crc >> 8) ^ kRemainder[(crc ^ static_cast<unsigned char>(c)) & 0xFFu];
  return ~crc;
}

}  // namespace brisance::runtime
