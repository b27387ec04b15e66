#include "fuzz/mutate_bytes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

namespace brisance::fuzz {
namespace {

constexpr std::array<const char*, 40> kNumbers{"0",
                                               "-1",
                                               "1",
                                               "-0",
                                               "2",
                                               "3",
                                               "4",
                                               "7",
                                               "255",
                                               "256",
                                               "65536",
                                               "2147483647",
                                               "2147483648",
                                               "-2147483648",
                                               "4294967295",
                                               "4294967296",
                                               "9223372036854775807",
                                               "-9223372036854775808",
                                               "18446744073709551616",
                                               "1e15",
                                               "1.1e15",
                                               "-1e15",
                                               "1e38",
                                               "1e39",
                                               "1e90",
                                               "1e308",
                                               "1e309",
                                               "-1e309",
                                               "1e-15",
                                               "1e-300",
                                               "1e-320",
                                               "nan",
                                               "inf",
                                               "-inf",
                                               "NaN",
                                               "0x10",
                                               "1e",
                                               "--1",
                                               "1.5",
                                               ""};

bool is_of_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; }

/// Begin and end of the number at or after a place; both the end of the text if there is none.
std::pair<std::size_t, std::size_t> number_after(const std::string& text, std::size_t place) {
  std::size_t begin = place;
  while (begin < text.size() && !(text[begin] >= '0' && text[begin] <= '9')) ++begin;
  while (begin > 0 && begin < text.size() && is_of_number(text[begin - 1])) --begin;
  std::size_t end = begin;
  while (end < text.size() && is_of_number(text[end])) ++end;
  return {begin, end};
}

/// Begin and end of the line around a place, its newline included.
std::pair<std::size_t, std::size_t> line_around(const std::string& text, std::size_t place) {
  const std::size_t before = place == 0 ? std::string::npos : text.rfind('\n', place - 1);
  const std::size_t after = text.find('\n', place);
  return {before == std::string::npos ? 0 : before + 1, after == std::string::npos ? text.size() : after + 1};
}

/// Word or number at a place, up to blanks.
std::pair<std::size_t, std::size_t> word_around(const std::string& text, std::size_t place) {
  constexpr std::string_view blanks = " \t\r\n/,=<>\"";
  const std::size_t before = place == 0 ? std::string::npos : text.find_last_of(blanks, place - 1);
  const std::size_t after = text.find_first_of(blanks, place);
  return {before == std::string::npos ? 0 : before + 1, after == std::string::npos ? text.size() : after};
}

void change_bytes(Random& random, std::string& bytes, const std::string& other) {
  const std::size_t at = random.below(bytes.size() + 1), length = 1 + random.below(random.one_in(4) ? 64 : 4);
  switch (random.below(6)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(random.below(256));
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
      break;
    case 2:
      bytes.insert(at, length, static_cast<char>(random.below(256)));
      break;
    case 3:
      bytes.erase(std::min(at, bytes.size()), length);
      break;
    case 4:
      bytes.resize(at);
      break;
    default: {
      const std::size_t from = random.below(other.size() + 1);
      bytes.insert(at, other.substr(from, length * 8));
    }
  }
}

void change_number(Random& random, std::string& text) {
  const auto [begin, end] = number_after(text, random.below(text.size() + 1));
  if (begin >= text.size()) return;
  if (random.one_in(3)) {  // a neighbouring value, as of an index off by one
    const auto number = static_cast<std::uint64_t>(std::atoll(text.c_str() + begin));
    const std::uint64_t next = random.one_in(2) ? number + 1 : number - 1;
    text.replace(begin, end - begin, std::to_string(static_cast<std::int64_t>(next)));
  } else {
    text.replace(begin, end - begin, random.of(kNumbers));
  }
}

void change_line(Random& random, std::string& text, const std::string& other) {
  const auto [begin, end] = line_around(text, random.below(text.size() + 1));
  const std::string line = text.substr(begin, end - begin);
  const auto [from, to] = line_around(other, random.below(other.size() + 1));
  switch (random.below(4)) {
    case 0:
      text.erase(begin, end - begin);
      break;
    case 1:
      for (std::size_t i = 0, n = 1 + random.below(3); i < n; ++i) text.insert(begin, line);
      break;
    case 2:
      text.replace(begin, end - begin, other.substr(from, to - from));
      break;
    default:
      text.insert(line_around(text, random.below(text.size() + 1)).first, line);
  }
}

void change_word(Random& random, std::string& text) {
  const auto [begin, end] = word_around(text, random.below(text.size() + 1));
  const auto [from, to] = word_around(text, random.below(text.size() + 1));
  const std::string word = text.substr(from, to - from);
  if (random.one_in(3))
    text.erase(begin, end - begin);
  else
    text.replace(begin, random.one_in(2) ? end - begin : 0, word + " ");
}

template <class T>
void put(Random& random, std::string& bytes, const std::vector<T>& values) {
  if (bytes.size() < sizeof(T)) return;
  const T value = random.of(values);
  std::size_t at = random.below(bytes.size() - sizeof(T) + 1);
  if (random.one_in(2)) at -= at % sizeof(T);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <class T>
std::vector<T> ends() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values{0, 1, static_cast<T>(-1), Limits::max(), Limits::lowest()};
  if constexpr (!Limits::is_integer)
    values.insert(values.end(), {Limits::quiet_NaN(), Limits::infinity(), Limits::denorm_min(), T(1e15), T(1e30)});
  return values;
}

}  // namespace

std::string mutated_text(Random& random, std::string text, const std::string& other) {
  for (std::size_t i = 0, n = 1 + random.below(random.one_in(4) ? 12 : 3); i < n; ++i) switch (random.below(8)) {
      case 0:
        change_bytes(random, text, other);
        break;
      case 1:
      case 2:
        change_line(random, text, other);
        break;
      case 3:
        change_word(random, text);
        break;
      default:
        change_number(random, text);
    }
  return text;
}

std::string mutated_binary(Random& random, std::string bytes, const std::string& other) {
  for (std::size_t i = 0, n = 1 + random.below(random.one_in(4) ? 12 : 3); i < n; ++i) switch (random.below(8)) {
      case 0:
        put(random, bytes, ends<std::int8_t>());
        break;
      case 1:
        put(random, bytes, ends<std::int16_t>());
        break;
      case 2:
        put(random, bytes, ends<std::int32_t>());
        break;
      case 3:
        put(random, bytes, ends<std::int64_t>());
        break;
      case 4:
        put(random, bytes, ends<float>());
        break;
      case 5:
        put(random, bytes, ends<double>());
        break;
      case 6:
        change_number(random, bytes);  // of a header in text
        break;
      default:
        change_bytes(random, bytes, other);
    }
  return bytes;
}

}  // namespace brisance::fuzz
