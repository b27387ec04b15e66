/// Matches the rows of two frames by key, and compares fields over the rows present in both.
#pragma once

#include "brisance/io/diff.hpp"

#include "io/snapshot_layout.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>

namespace brisance::io {

/// Rows of a frame in ascending key order, without duplicates; `repeats` are further rows of the same key.
template <class Key>
struct RowOrder {
  std::vector<Key> keys;
  std::vector<std::int64_t> rows;
  std::vector<std::pair<std::int64_t, std::int64_t>> repeats;  ///< (row, first row of that key)
};

template <class Key>
RowOrder<Key> order_of(const std::vector<Key>& keys) {
  std::vector<std::int64_t> by_key(keys.size());
  std::iota(by_key.begin(), by_key.end(), std::int64_t{0});
  std::sort(by_key.begin(), by_key.end(),
            [&](std::int64_t i, std::int64_t j) { return keys[i] != keys[j] ? keys[i] < keys[j] : i < j; });
  RowOrder<Key> order;
  for (const std::int64_t row : by_key) {
    if (!order.keys.empty() && order.keys.back() == keys[row]) {
      order.repeats.emplace_back(row, order.rows.back());
    } else {
      order.keys.push_back(keys[row]);
      order.rows.push_back(row);
    }
  }
  return order;
}

/// Rows of frame a and of frame b that have the same key.
struct RowPairs {
  std::vector<std::int64_t> id;  ///< id of each pair, for messages
  std::vector<std::int64_t> a, b;
};

inline std::int64_t id_of(std::int64_t key) { return key; }
template <std::size_t N>
std::int64_t id_of(const std::array<std::int64_t, N>& key) {
  return key[0];
}

/// A value in a message.
template <class Value>
std::string value_text(const Value& value) {
  if constexpr (std::is_same_v<Value, double>) {
    return fmt::format("{} (bits {:016x})", value, std::bit_cast<std::uint64_t>(value));
  } else if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>) {
    return fmt::format("{}", value);
  } else {
    return fmt::format("{}", fmt::join(value.begin(), value.end(), " "));
  }
}

/// Collects the differences of two frames.
class FieldComparison {
public:
  FieldComparison(double tolerance, DiffResult& result) : tolerance_(tolerance), result_(result) {}

  /// Matches two orders; keys in one frame only become the difference "<what> ids".
  template <class Key>
  RowPairs match(const std::string& what, const RowOrder<Key>& a, const RowOrder<Key>& b) {
    RowPairs pairs;
    FieldDifference missing{what + " present in one only", 0, -1, "", "", 0};
    auto only = [&](const Key& key, bool in_a) {
      if (missing.count++ > 0) return;
      missing.first_id = id_of(key);
      missing.first_a = in_a ? value_text(key) : "absent";
      missing.first_b = in_a ? "absent" : value_text(key);
    };
    std::size_t i = 0, j = 0;
    while (i < a.keys.size() || j < b.keys.size()) {
      if (j == b.keys.size() || (i < a.keys.size() && a.keys[i] < b.keys[j])) {
        only(a.keys[i++], true);
      } else if (i == a.keys.size() || b.keys[j] < a.keys[i]) {
        only(b.keys[j++], false);
      } else {
        pairs.id.push_back(id_of(a.keys[i]));
        pairs.a.push_back(a.rows[i++]);
        pairs.b.push_back(b.rows[j++]);
      }
    }
    if (missing.count > 0) result_.fields.push_back(missing);
    return pairs;
  }

  /// Checks that keys occur once in each frame; otherwise that frame is inconsistent.
  void none_repeated(const std::string& what, std::size_t a, std::size_t b) {
    if (a + b > 0)
      result_.fields.push_back(
          {"repeated " + what, static_cast<std::int64_t>(a + b), -1, value_text(a), value_text(b), 0});
  }

  /// Compares a field over pairs of rows.
  template <class Row>
  void field(const std::string& name, const RowPairs& pairs, const std::vector<Row>& a, const std::vector<Row>& b) {
    const double allowed = tolerance_ * std::max(magnitude(a), magnitude(b));
    FieldDifference difference{name, 0, -1, "", "", 0};
    for (std::size_t k = 0; k < pairs.id.size(); ++k) {
      const Row &x = a[pairs.a[k]], &y = b[pairs.b[k]];
      if (same(x, y, allowed)) continue;
      if (difference.count++ == 0) {
        difference.first_id = pairs.id[k];
        std::tie(difference.first_a, difference.first_b) = first_values(x, y, allowed);
      }
      difference.largest = std::max(difference.largest, distance(x, y));
    }
    if (difference.count > 0) result_.fields.push_back(difference);
  }

  /// Compares a value of the frame as a whole.
  template <class Row>
  void value(const std::string& name, const Row& a, const Row& b) {
    if constexpr (std::is_same_v<Row, std::string>) {
      if (a != b) result_.fields.push_back({name, 1, -1, a, b, 0});
    } else {
      field(name, RowPairs{{-1}, {0}, {0}}, std::vector<Row>{a}, std::vector<Row>{b});
    }
  }

private:
  template <class Row>
  using Scalar = typename RowLayout<Row>::Scalar;

  template <class Row>
  static const Scalar<Row>* begin(const Row& row) {
    return reinterpret_cast<const Scalar<Row>*>(&row);
  }

  /// Largest finite magnitude, for tolerances only.
  template <class Row>
  [[nodiscard]] double magnitude(const std::vector<Row>& rows) const {
    double largest = 0;
    if constexpr (std::is_same_v<Scalar<Row>, double>)
      if (tolerance_ > 0)
        for (const Row& row : rows)
          for (std::size_t c = 0; c < RowLayout<Row>::width; ++c)
            if (std::isfinite(begin(row)[c])) largest = std::max(largest, std::abs(begin(row)[c]));
    return largest;
  }

  template <class T>
  [[nodiscard]] bool same_scalar(T x, T y, double allowed) const {
    if constexpr (std::is_same_v<T, double>) {
      if (std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y)) return true;
      if (tolerance_ == 0) return false;
      return (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= allowed;
    } else {
      return x == y;
    }
  }

  template <class Row>
  [[nodiscard]] bool same(const Row& x, const Row& y, double allowed) const {
    for (std::size_t c = 0; c < RowLayout<Row>::width; ++c)
      if (!same_scalar(begin(x)[c], begin(y)[c], allowed)) return false;
    return true;
  }

  template <class Row>
  static double distance(const Row& x, const Row& y) {
    double largest = 0;
    if constexpr (std::is_same_v<Scalar<Row>, double>)
      for (std::size_t c = 0; c < RowLayout<Row>::width; ++c) {
        const double d = std::abs(begin(x)[c] - begin(y)[c]);
        if (std::isnan(d)) return std::numeric_limits<double>::infinity();
        largest = std::max(largest, d);
      }
    return largest;
  }

  /// The first component that differs, in both rows; whole rows where they hold ids.
  template <class Row>
  [[nodiscard]] std::pair<std::string, std::string> first_values(const Row& x, const Row& y, double allowed) const {
    constexpr std::size_t width = RowLayout<Row>::width;
    if constexpr (!std::is_same_v<Scalar<Row>, double>) {
      return {value_text(x), value_text(y)};
    } else {
      std::size_t c = 0;
      while (same_scalar(begin(x)[c], begin(y)[c], allowed)) ++c;
      const std::string where = width == 1 ? "" : fmt::format("[{}] ", c);
      return {where + value_text(begin(x)[c]), where + value_text(begin(y)[c])};
    }
  }

  double tolerance_;
  DiffResult& result_;
};

}  // namespace brisance::io
