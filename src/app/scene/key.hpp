/// One row of the table of scene keys, and the tables that group them. The rows are in tables/; the reader, the
/// overrides, the written-back scene, docs/SCENES.md and docs/scene.schema.json are all generated from them.
#pragma once

#include "brisance/sim/parameters.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace brisance::app {

/// A value in a scene file; vectors and quaternions are lists of a fixed length.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<bool>, std::vector<double>,
                           std::vector<std::vector<double>>, std::vector<std::string>>;

enum class Kind : std::uint8_t { boolean, integer, real, text, file, choice, words, flags, reals, rows };

/// Admissible numbers (for each entry of a list). Messages and the schema are made from it.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;
  bool infinite = false;      ///< inf is a meaningful value
  bool not_a_number = false;  ///< nan is a meaningful value: "not used"

  [[nodiscard]] bool holds(double x) const;
  /// "must be positive", "must lie between 0 and 1 (0 excluded)"; empty if every finite number is admissible.
  [[nodiscard]] std::string requirement() const;
};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr Range kAny{};
inline constexpr Range kPositive{.low = 0, .low_open = true};
inline constexpr Range kNotNegative{.low = 0};
inline constexpr Range kPositiveOrInfinite{.low = 0, .low_open = true, .infinite = true};
inline constexpr Range kNotNegativeOrInfinite{.low = 0, .infinite = true};

struct Key {
  std::string name = {};      ///< as in the file, unit included
  std::string unit = {};      ///< [kg/m³], [–] …; empty for words and switches
  std::string sentence = {};  ///< its meaning
  std::string example = {};   ///< a good value in words, for messages: "glass is near 2500"
  Range range = kAny;
  /// Keys of one group set the same quantity; those of one form are given together; two forms exclude each other.
  std::string group = {}, form = {};
  /// The key removed by an override of this one, which specifies the same thing in another way; 0 means not specified.
  std::string displaces = {};

  Kind kind = Kind::real;
  std::size_t length = 0;                 ///< entries of a list (of a row, for Kind::rows); 0: any
  std::vector<std::string> choices = {};  ///< the words of Kind::choice and Kind::words
  /// Words for false and true in a Kind::choice; empty: not allowed.
  std::string word_of_false = {}, word_of_true = {};
  /// The value stored in the index-th entry of the table; nothing where another form of the group is to be written.
  std::function<std::optional<Value>(const sim::Scene&, std::size_t index)> load = {};
  /// Stores a value of the right kind and range; throws core::Error (text without location) if it is still invalid.
  std::function<void(sim::Scene&, std::size_t index, const Value&)> store = {};
};

struct Table {
  std::string path;  ///< "" for the top of the file, "time", "object", "object.mesh"
  std::string sentence;
  std::vector<Key> keys;
  /// For [[repeated]] tables: number of entries, and a function that appends one. Empty functions otherwise.
  std::function<std::size_t(const sim::Scene&)> count = {};
  std::function<void(sim::Scene&)> append = {};

  [[nodiscard]] bool repeated() const { return static_cast<bool>(append); }
  [[nodiscard]] const Key* find(const std::string& name) const;
};

/// Every table of a scene, in the order of the reference page; a sub-table follows its parent.
[[nodiscard]] const std::vector<Table>& scene_tables();
[[nodiscard]] const Table* find_table(const std::string& path);

/// The value as TOML text; numbers in the shortest form that reads back to the same bits.
[[nodiscard]] std::string toml_text(const Value& value);

/// The expected value of a key in words: "a number", "three numbers", "one of plane, sphere, box".
[[nodiscard]] std::string expectation(const Key& key);

}  // namespace brisance::app
