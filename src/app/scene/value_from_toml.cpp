#include "app/scene/value_from_toml.hpp"

#include "app/cli/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <spdlog/fmt/fmt.h>

namespace brisance::app {

namespace {

using Complain = std::function<void(const std::string&)>;

std::string with_example(const Key& key, const std::string& requirement) {
  return key.example.empty() ? requirement + "." : requirement + " (" + key.example + ").";
}

std::string with_unit(const Key& key) {
  const bool plain = key.unit.empty() || key.unit == "–";
  return "must be " + expectation(key) + (plain ? "" : " in " + key.unit);
}

void check_range(const Key& key, double x, const Complain& complain) {
  if (key.range.holds(x)) return;
  const std::string requirement = key.range.requirement();
  complain(with_example(key, requirement.empty() ? "must be finite" : requirement));
}

/// Numbers may be written with or without a decimal point.
std::optional<double> number(const toml::node& node) {
  if (node.is_floating_point()) return node.as_floating_point()->get();
  if (node.is_integer()) return static_cast<double>(node.as_integer()->get());
  return std::nullopt;
}

/// A list of exactly the key's length (any length if that is 0), or nothing.
std::optional<std::vector<double>> numbers(const Key& key, const toml::node& node) {
  const toml::array* array = node.as_array();
  if (!array || (key.length != 0 && array->size() != key.length)) return std::nullopt;
  std::vector<double> list;
  for (const toml::node& entry : *array) {
    const auto x = number(entry);
    if (!x) return std::nullopt;
    list.push_back(*x);
  }
  return list;
}

std::optional<Value> boolean(const Key&, const toml::node& node) {
  if (!node.is_boolean()) return std::nullopt;
  return node.as_boolean()->get();
}

/// Whole numbers may also be written as 5e4.
std::optional<Value> integer(const Key&, const toml::node& node) {
  if (node.is_integer()) return node.as_integer()->get();
  const auto x = number(node);
  if (!x || *x != std::floor(*x) || std::abs(*x) > 9e15) return std::nullopt;
  return static_cast<std::int64_t>(*x);
}

std::optional<Value> text(const Key&, const toml::node& node) {
  if (!node.is_string()) return std::nullopt;
  return node.as_string()->get();
}

std::optional<Value> choice(const Key& key, const toml::node& node) {
  if (node.is_boolean() && !key.word_of_true.empty())
    return node.as_boolean()->get() ? key.word_of_true : key.word_of_false;
  return text(key, node);
}

std::optional<Value> flags(const Key& key, const toml::node& node) {
  const toml::array* array = node.as_array();
  if (!array || array->size() != key.length) return std::nullopt;
  std::vector<bool> list;
  for (const toml::node& entry : *array) {
    if (!entry.is_boolean()) return std::nullopt;
    list.push_back(entry.as_boolean()->get());
  }
  return list;
}

std::optional<Value> rows(const Key& key, const toml::node& node) {
  if (!node.is_array()) return std::nullopt;
  std::vector<std::vector<double>> list;
  for (const toml::node& entry : *node.as_array()) {
    auto row = numbers(key, entry);
    if (!row) return std::nullopt;
    list.push_back(std::move(*row));
  }
  return list;
}

std::optional<Value> words(const toml::node& node) {
  if (!node.is_array()) return std::nullopt;
  std::vector<std::string> list;
  for (const toml::node& entry : *node.as_array()) {
    if (!entry.is_string()) return std::nullopt;
    list.push_back(entry.as_string()->get());
  }
  return list;
}

std::optional<Value> of_kind(const Key& key, const toml::node& node) {
  switch (key.kind) {
    case Kind::boolean:
      return boolean(key, node);
    case Kind::integer:
      return integer(key, node);
    case Kind::real:
      return number(node);
    case Kind::text:
    case Kind::file:
      return text(key, node);
    case Kind::choice:
      return choice(key, node);
    case Kind::words:
      return words(node);
    case Kind::flags:
      return flags(key, node);
    case Kind::reals:
      return numbers(key, node);
    case Kind::rows:
      return rows(key, node);
  }
  return std::nullopt;
}

struct CheckRange {
  const Key& key;
  const Complain& complain;
  void operator()(double x) const { check_range(key, x, complain); }
  void operator()(std::int64_t n) const { check_range(key, static_cast<double>(n), complain); }
  void operator()(const std::vector<double>& list) const { std::for_each(list.begin(), list.end(), *this); }
  void operator()(const std::vector<std::vector<double>>& list) const {
    std::for_each(list.begin(), list.end(), *this);
  }
  void operator()(const std::string& word) const {
    const bool chooses = key.kind == Kind::choice || key.kind == Kind::words;
    if (!chooses || std::find(key.choices.begin(), key.choices.end(), word) != key.choices.end()) return;
    complain(with_unit(key) + ". Did you mean \"" + nearest(word, key.choices) + "\"?");
  }
  void operator()(const std::vector<std::string>& words) const { std::for_each(words.begin(), words.end(), *this); }
  void operator()(bool) const {}
  void operator()(const std::vector<bool>&) const {}
};

}  // namespace

Value value_from_toml(const Key& key, const toml::node& node, const Complain& complain) {
  auto value = of_kind(key, node);
  if (!value) complain(with_example(key, with_unit(key)));
  std::visit(CheckRange{key, complain}, *value);
  return std::move(*value);
}

std::string source_text(const toml::node& node) {
  std::ostringstream stream;
  if (const auto x = node.value_exact<double>()) return toml_text(Value(*x));
  node.visit([&](const auto& n) { stream << n; });
  std::string text = stream.str();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

}  // namespace brisance::app
