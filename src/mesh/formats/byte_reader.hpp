/// Numbers from binary files in either byte order; every error names the byte position.
#pragma once

#include "mesh/formats/file_bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <string_view>

namespace brisance::mesh {

/// A cursor over bytes that must outlive it.
class ByteReader {
public:
  ByteReader(std::filesystem::path file, std::string_view bytes, std::size_t position, std::endian order)
      : file_(std::move(file)), bytes_(bytes), position_(position), order_(order) {}

  /// The next number, as type T is stored in the file.
  template <class T>
  T number() {
    require(sizeof(T));
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes_.data() + position_, sizeof(T));
    if (order_ != std::endian::native) std::reverse(raw.begin(), raw.end());
    position_ += sizeof(T);
    return std::bit_cast<T>(raw);
  }
  void skip(std::size_t num_bytes) {
    require(num_bytes);
    position_ += num_bytes;
  }
  [[nodiscard]] std::size_t position() const { return position_; }
  [[noreturn]] void fail(std::string_view message) const { fail_at_byte(file_, position_, message); }

private:
  void require(std::size_t num_bytes) const {
    if (bytes_.size() - position_ < num_bytes)
      fail_at_byte(file_, bytes_.size(), "the file ends inside its data: it is truncated. Export or copy it again.");
  }

  std::filesystem::path file_;
  std::string_view bytes_;
  std::size_t position_;
  std::endian order_;
};

}  // namespace brisance::mesh
