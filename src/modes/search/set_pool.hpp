/// Sets of cells whose indicator functions are the columns of a mode's linear program.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace brisance::modes {

/// One bit for each cell. A set and its complement have the same perimeter and, for fields without mean, opposite
/// integrals; the one without cell 0 represents both.
class CellSet {
public:
  /// Cells whose entry of `member` is not 0, or their complement.
  explicit CellSet(std::span<const std::uint8_t> member);
  /// Made from the words() of another.
  explicit CellSet(std::vector<std::uint64_t> words) : words_(std::move(words)) {}

  [[nodiscard]] bool contains(std::int32_t cell) const { return (words_[cell / 64] >> (cell % 64) & 1u) != 0; }
  /// Σ of `value` over the cells.
  [[nodiscard]] double sum(std::span<const double> value) const;
  /// Adds `amount` to each cell of `value`.
  void add_to(std::span<double> value, double amount) const;
  [[nodiscard]] std::uint64_t hash() const;
  /// Bit c%64 of word c/64 is 1 for the cells c of the set.
  [[nodiscard]] std::span<const std::uint64_t> words() const { return words_; }
  friend bool operator==(const CellSet&, const CellSet&) = default;

private:
  std::vector<std::uint64_t> words_;
};

/// Sets found so far, without repetition, with their perimeters. Indices are in order of insertion.
class SetPool {
public:
  /// @return its index, and whether it is new
  std::pair<int, bool> add(CellSet set, double perimeter);

  [[nodiscard]] int size() const { return static_cast<int>(sets_.size()); }
  [[nodiscard]] const CellSet& set(int i) const { return sets_[i]; }
  [[nodiscard]] double perimeter(int i) const { return perimeters_[i]; }

private:
  std::vector<CellSet> sets_;
  std::vector<double> perimeters_;
  std::unordered_multimap<std::uint64_t, int> by_hash_;
};

}  // namespace brisance::modes
