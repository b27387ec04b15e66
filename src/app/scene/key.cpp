#include "app/scene/key.hpp"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

bool Range::holds(double x) const {
  if (std::isnan(x)) return not_a_number;
  if (std::isinf(x)) return infinite && x > 0;
  const bool above = low_open ? x > low : x >= low;
  const bool below = high_open ? x < high : x <= high;
  return above && below;
}

std::string Range::requirement() const {
  std::string text;
  if (std::isfinite(low) && std::isfinite(high)) {
    text = fmt::format("must lie between {} and {}", low, high);
    if (low_open && high_open)
      text += " (both excluded)";
    else if (low_open || high_open)
      text += fmt::format(" ({} excluded)", low_open ? low : high);
  } else if (std::isfinite(low)) {
    if (low == 0)
      text = low_open ? "must be positive" : "must not be negative";
    else
      text = low_open ? fmt::format("must be above {}", low) : fmt::format("must be {} or more", low);
  }
  if (text.empty()) return text;
  if (infinite) text += " or inf";
  if (not_a_number) text += " or nan";
  return text;
}

const Key* Table::find(const std::string& name) const {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

const Table* find_table(const std::string& path) {
  const auto& all = scene_tables();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Table& t) { return t.path == path; });
  return found == all.end() ? nullptr : &*found;
}

namespace {

/// A real number as TOML writes it: with a point or an exponent, so that it is not read as an integer, or nan, inf.
std::string number_text(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  const std::string text = fmt::format("{}", x);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// A basic TOML string: quotes, backslashes and control characters escaped.
std::string quoted(const std::string& s) {
  std::string text = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\')
      text += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      text += fmt::format("\\u{:04X}", c);
    else
      text += c;
  }
  return text + '"';
}

template <class List, class Text>
std::string list_text(const List& list, Text text) {
  std::string joined;
  for (const auto& entry : list) joined += (joined.empty() ? "" : ", ") + text(entry);
  return "[" + joined + "]";
}

struct ToText {
  std::string operator()(bool b) const { return b ? "true" : "false"; }
  std::string operator()(std::int64_t n) const { return fmt::format("{}", n); }
  std::string operator()(double x) const { return number_text(x); }
  std::string operator()(const std::string& s) const { return quoted(s); }
  std::string operator()(const std::vector<bool>& list) const {
    return list_text(list, [](bool b) { return std::string(b ? "true" : "false"); });
  }
  std::string operator()(const std::vector<double>& list) const { return list_text(list, number_text); }
  std::string operator()(const std::vector<std::string>& words) const { return list_text(words, *this); }
  std::string operator()(const std::vector<std::vector<double>>& rows) const { return list_text(rows, *this); }
};

}  // namespace

std::string toml_text(const Value& value) { return std::visit(ToText{}, value); }

std::string expectation(const Key& key) {
  auto counted = [&](const char* what) { return key.length ? fmt::format("{} {}", key.length, what) : what; };
  switch (key.kind) {
    case Kind::boolean:
      return "true or false";
    case Kind::integer:
      return "a whole number";
    case Kind::real:
      return "a number";
    case Kind::text:
      return "a text in quotes";
    case Kind::file:
      return "a file name in quotes";
    case Kind::choice:
      return fmt::format("one of {}", fmt::join(key.choices, ", "));
    case Kind::words:
      return fmt::format("a list of some of {}", fmt::join(key.choices, ", "));
    case Kind::flags:
      return "a list of " + std::string(counted("true or false"));
    case Kind::reals:
      return "a list of " + std::string(counted("numbers"));
    case Kind::rows:
      return "a list of lists of " + std::string(counted("numbers"));
  }
  return {};
}

}  // namespace brisance::app
