#include "packed_arrays.hpp"

#include "brisance/core/error.hpp"

#include "exports/frames/base64.hpp"

#include <zlib.h>

namespace brisance::exports {

std::string PackedArrays::text() const { return base64(bytes_); }

void PackedArrays::add_bytes(const std::string& name, const char* type, std::span<const std::byte> bytes) {
  uLongf length = compressBound(bytes.size());
  std::string packed(length, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), 6) != Z_OK)
    throw core::Error("zlib could not compress " + name + " of a report: out of memory.");
  table_[name] = {type, bytes_.size(), length};
  bytes_.append(packed, 0, length);
}

}  // namespace brisance::exports
