/// Arrays of numbers inside a page: compressed one by one, then written as text.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace brisance::exports {

/// Arrays by name. The page's script reads the table, and inflates an array (zlib) when it is shown.
class PackedArrays {
public:
  template <class T>
  void add(const std::string& name, std::span<const T> values) {
    add_bytes(name, type_name(T{}), std::as_bytes(values));
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  /// name: [type, offset, length] of each, in bytes.
  [[nodiscard]] const nlohmann::json& table() const { return table_; }
  /// All of them as base64.
  [[nodiscard]] std::string text() const;

private:
  static const char* type_name(double) { return "Float64Array"; }
  static const char* type_name(float) { return "Float32Array"; }
  static const char* type_name(std::int16_t) { return "Int16Array"; }
  static const char* type_name(std::uint8_t) { return "Uint8Array"; }
  static const char* type_name(std::uint16_t) { return "Uint16Array"; }
  static const char* type_name(std::uint32_t) { return "Uint32Array"; }
  void add_bytes(const std::string& name, const char* type, std::span<const std::byte> bytes);

  nlohmann::json table_ = nlohmann::json::object();
  std::string bytes_;
};

}  // namespace brisance::exports
