/// Messages of mixed content: values and arrays appended to and read back from a buffer of bytes.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace brisance::core {

class ByteWriter {
public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(T));
  }
  template <class T>
  void put_all(std::span<const T> values) {
    put(static_cast<std::int64_t>(values.size()));
    const auto bytes = std::as_bytes(values);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  template <class T>
  void put_all(const std::vector<T>& values) {
    put_all(std::span<const T>(values));
  }
  [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }

private:
  std::vector<std::byte> bytes_;
};

class ByteReader {
public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool done() const { return bytes_.empty(); }
  template <class T>
  [[nodiscard]] T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    assert(bytes_.size() >= sizeof(T));
    T value;
    std::memcpy(static_cast<void*>(&value), bytes_.data(), sizeof(T));
    bytes_ = bytes_.subspan(sizeof(T));
    return value;
  }
  template <class T>
  [[nodiscard]] std::vector<T> get_all() {
    const auto count = static_cast<std::size_t>(get<std::int64_t>());
    assert(bytes_.size() >= count * sizeof(T));
    std::vector<T> values(count);
    if (count > 0) std::memcpy(static_cast<void*>(values.data()), bytes_.data(), count * sizeof(T));
    bytes_ = bytes_.subspan(count * sizeof(T));
    return values;
  }

private:
  std::span<const std::byte> bytes_;
};

}  // namespace brisance::core
