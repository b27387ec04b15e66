// SPDX-License-Identifier: MIT
/// CRC-32 of ISO 3309, as in zlib: available in every language.
#pragma once

#include <cstdint>
#include <string_view>

namespace brisance::runtime {

[[nodiscard]] std::uint32_t crc32(std::string_view bytes);

}  // namespace brisance::runtime
