/// Checksum of a file's content.
#pragma once

#include <cstdint>
#include <filesystem>

namespace brisance::render {

/// CRC-32 of the whole file. Local; throws core::Error if it cannot be read.
[[nodiscard]] std::uint32_t file_checksum(const std::filesystem::path& file);

}  // namespace brisance::render
