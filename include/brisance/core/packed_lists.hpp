#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace brisance::core {

/// Many short lists, each by its number from 0, that are gone through one after another again and again. Items lie one
/// behind another in memory, in the order of the numbers, so that going through all of them is a stream; a list that
/// outgrows its place goes to the end until all are packed anew.
template <class T>
class PackedLists {
public:
  [[nodiscard]] std::size_t size() const { return lists_.size(); }
  void add_list() { lists_.emplace_back(); }

  /// Valid until the next call of put or pack.
  [[nodiscard]] std::span<T> operator[](std::size_t number) {
    return {items_.data() + lists_[number].first, lists_[number].count};
  }
  [[nodiscard]] std::span<const T> operator[](std::size_t number) const {
    return {items_.data() + lists_[number].first, lists_[number].count};
  }

  /// What the list has from now on.
  void put(std::size_t number, std::span<const T> items) {
    List& list = lists_[number];
    num_items_ += items.size() - list.count;
    list.count = static_cast<std::uint32_t>(items.size());
    if (list.count <= list.room) {
      std::copy(items.begin(), items.end(), items_.begin() + static_cast<std::ptrdiff_t>(list.first));
      return;
    }
    list.first = items_.size();
    list.room = list.count;
    items_.insert(items_.end(), items.begin(), items.end());
  }

  /// It keeps only its first `count`, of no fewer.
  void shorten(std::size_t number, std::size_t count) {
    num_items_ -= lists_[number].count - count;
    lists_[number].count = static_cast<std::uint32_t>(count);
  }

  /// Are so many out of order that it is worth packing them?
  [[nodiscard]] bool are_loose() const { return items_.size() - packed_ > kLeastLoose + packed_ / 2; }

  /// All in order again, those for which keep(number of the list, item).
  template <class Keep>
  void pack(const Keep& keep) {
    std::vector<T>& items = spare_;  // kept: clearing new pages each time was most of what this costs
    items.clear();
    items.reserve(num_items_ + num_items_ / 2 + kLeastLoose);
    for (std::size_t number = 0; number < lists_.size(); ++number) {
      const std::size_t first = items.size();
      for (const T& item : (*this)[number])
        if (keep(number, item)) items.push_back(item);
      const auto count = static_cast<std::uint32_t>(items.size() - first);
      lists_[number] = {first, count, count};
    }
    items_.swap(spare_);
    packed_ = num_items_ = items_.size();
  }

  /// Of all lists.
  [[nodiscard]] std::size_t num_items() const { return num_items_; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return lists_.capacity() * sizeof(List) + (items_.capacity() + spare_.capacity()) * sizeof(T);
  }

private:
  static constexpr std::size_t kLeastLoose = 1024;
  struct List {
    std::size_t first = 0;
    std::uint32_t count = 0, room = 0;  ///< items from `first` on that are its own
  };
  std::vector<T> items_, spare_;
  std::vector<List> lists_;
  std::size_t packed_ = 0, num_items_ = 0;  ///< items that were packed last; of all lists
};

}  // namespace brisance::core
