#include "brisance/core/printable.hpp"

#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace brisance::core {

namespace {

/// A character of a text and how many bytes it takes; `is_valid` is false for a byte that begins none.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 1;
  bool is_valid = false;
};

/// The character at the start of the text, which is not empty: UTF-8 in its shortest form, no surrogates.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[length] || code > 0x10FFFF || is_surrogate) return {};
  return {code, length, true};
}

/// Control characters, and those that change the direction or the order of writing.
bool steers(std::uint32_t code) {
  const bool is_control = code < 0x20 || (code >= 0x7F && code <= 0x9F);
  const bool is_direction = code == 0x200E || code == 0x200F || code == 0x061C || (code >= 0x202A && code <= 0x202E) ||
                            (code >= 0x2066 && code <= 0x2069);
  const bool is_line_break = code == 0x2028 || code == 0x2029;
  return is_control || is_direction || is_line_break;
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Character c = first_character(text.substr(i));
    const std::string_view bytes = text.substr(i, c.length);
    if (!c.is_valid || (c.code < 0x80 && steers(c.code) && kept.find(bytes) == std::string_view::npos))
      result += fmt::format("\\x{:02X}", static_cast<unsigned char>(bytes.front()));
    else if (c.code >= 0x80 && steers(c.code))
      result += fmt::format("\\u{{{:X}}}", c.code);
    else
      result += bytes;
    i += c.length;
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, "\n\t\f"); }

std::string printable_name(std::string_view name) { return escaped(name, ""); }

}  // namespace brisance::core
