#include "render/film/file_checksum.hpp"

#include "brisance/core/error.hpp"

#include <fstream>
#include <vector>

#include <zlib.h>

namespace brisance::render {

std::uint32_t file_checksum(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::vector<char> block(1 << 20);
  uLong sum = ::crc32(0, nullptr, 0);
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) || stream.gcount() > 0)
    sum = ::crc32(sum, reinterpret_cast<const Bytef*>(block.data()), static_cast<uInt>(stream.gcount()));
  if (!stream.eof()) throw core::Error("cannot read " + file.string() + ". Check its permissions and the disk.");
  return static_cast<std::uint32_t>(sum);
}

}  // namespace brisance::render
