/// Ties a row of the key table to the member of a parameter struct that it sets: `bind(at, &Struct::member, row)`.
#pragma once

#include "app/scene/key.hpp"

#include <array>
#include <filesystem>
#include <type_traits>
#include <utility>

namespace brisance::app {

// File representation of each member type. `from_value` is only called with the alternative `to_value` produces.
inline Value to_value(bool b) { return b; }
inline Value to_value(double x) { return x; }
template <class T>
requires std::is_integral_v<T> Value to_value(T n) { return static_cast<std::int64_t>(n); }
inline Value to_value(const std::string& s) { return s; }
inline Value to_value(const std::filesystem::path& p) { return p.string(); }
inline Value to_value(const Vec3& v) { return std::vector<double>{v.x(), v.y(), v.z()}; }
inline Value to_value(const std::array<bool, 3>& f) { return std::vector<bool>{f[0], f[1], f[2]}; }

inline void from_value(const Value& v, bool& b) { b = std::get<bool>(v); }
inline void from_value(const Value& v, double& x) { x = std::get<double>(v); }
template <class T>
requires std::is_integral_v<T>
void from_value(const Value& v, T& n) { n = static_cast<T>(std::get<std::int64_t>(v)); }
inline void from_value(const Value& v, std::string& s) { s = std::get<std::string>(v); }
inline void from_value(const Value& v, std::filesystem::path& p) { p = std::get<std::string>(v); }
inline void from_value(const Value& v, Vec3& x) {
  const auto& list = std::get<std::vector<double>>(v);
  x = Vec3(list[0], list[1], list[2]);
}
inline void from_value(const Value& v, std::array<bool, 3>& f) {
  const auto& list = std::get<std::vector<bool>>(v);
  f = {list[0], list[1], list[2]};
}

template <class T>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<T, bool>)
    return Kind::boolean;
  else if constexpr (std::is_integral_v<T>)
    return Kind::integer;
  else if constexpr (std::is_same_v<T, double>)
    return Kind::real;
  else if constexpr (std::is_same_v<T, std::string>)
    return Kind::text;
  else if constexpr (std::is_same_v<T, std::filesystem::path>)
    return Kind::file;
  else if constexpr (std::is_same_v<T, std::array<bool, 3>>)
    return Kind::flags;
  else
    return Kind::reals;
}

/// A row for a number in `member` of the struct returned by `at(scene, index)`.
template <class At, class Owner, class T>
Key bind(At at, T Owner::*member, Key row) {
  row.kind = kind_of<T>();
  row.length = row.kind == Kind::flags || row.kind == Kind::reals ? 3 : 0;
  row.load = [=](const sim::Scene& s, std::size_t i) -> std::optional<Value> { return to_value(at(s, i).*member); };
  row.store = [=](sim::Scene& s, std::size_t i, const Value& v) { from_value(v, at(s, i).*member); };
  return row;
}

/// A row for the values of an enumeration, in the order of its enumerators.
template <class At, class Owner, class Enum>
Key bind_choice(At at, Enum Owner::*member, std::vector<std::string> names, Key row) {
  row.kind = Kind::choice;
  row.load = [=](const sim::Scene& s, std::size_t i) -> std::optional<Value> {
    return names.at(static_cast<std::size_t>(at(s, i).*member));
  };
  row.store = [=](sim::Scene& s, std::size_t i, const Value& v) {
    std::size_t chosen = 0;
    while (names[chosen] != std::get<std::string>(v)) ++chosen;
    at(s, i).*member = static_cast<Enum>(chosen);
  };
  row.choices = std::move(names);
  return row;
}

/// A row for one of these words.
template <class At, class Owner>
Key bind_choice(At at, std::string Owner::*member, std::vector<std::string> names, Key row) {
  row.kind = Kind::choice;
  row.load = [=](const sim::Scene& s, std::size_t i) -> std::optional<Value> { return at(s, i).*member; };
  row.store = [=](sim::Scene& s, std::size_t i, const Value& v) { at(s, i).*member = std::get<std::string>(v); };
  row.choices = std::move(names);
  return row;
}

/// A row for a list of some of these words.
template <class At, class Owner>
Key bind_words(At at, std::vector<std::string> Owner::*member, std::vector<std::string> words, Key row) {
  row.kind = Kind::words;
  row.load = [=](const sim::Scene& s, std::size_t i) -> std::optional<Value> { return at(s, i).*member; };
  row.store = [=](sim::Scene& s, std::size_t i, const Value& v) {
    at(s, i).*member = std::get<std::vector<std::string>>(v);
  };
  row.choices = std::move(words);
  return row;
}

/// A computed row: `load(owner)` returns optional<Value> (nothing: not written), `store(owner, value)` sets it.
template <class At, class Load, class Store>
Key bind_computed(At at, Kind kind, std::size_t length, Load load, Store store, Key row) {
  row.kind = kind;
  row.length = length;
  row.load = [=](const sim::Scene& s, std::size_t i) -> std::optional<Value> { return load(at(s, i)); };
  row.store = [=](sim::Scene& s, std::size_t i, const Value& v) { store(at(s, i), v); };
  return row;
}

/// For rows that are only read: another form of the same group is written back.
inline constexpr auto kNotWritten = [](const auto&) -> std::optional<Value> { return std::nullopt; };

}  // namespace brisance::app
