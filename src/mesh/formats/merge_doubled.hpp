/// Elements that occur more than once in a file, because they are in several groups or in several pieces.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace brisance::mesh {

/// For each element the first one with the same corners, in any order; itself where it is the first. Local.
template <std::size_t N>
[[nodiscard]] std::vector<std::size_t> first_of_equal(std::vector<std::array<std::int64_t, N>> elements) {
  for (auto& corners : elements) std::ranges::sort(corners);
  std::vector<std::size_t> order(elements.size()), first(elements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, {}, [&](std::size_t e) -> const auto& { return elements[e]; });
  for (std::size_t i = 0; i < order.size(); ++i)
    first[order[i]] = i > 0 && elements[order[i]] == elements[order[i - 1]] ? first[order[i - 1]] : order[i];
  return first;
}

/// Removes the entries that are marked.
template <class T>
void remove_marked(std::vector<T>& entries, const std::vector<char>& is_marked) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (is_marked[i] == 0) entries[kept++] = std::move(entries[i]);
  entries.resize(kept);
}

}  // namespace brisance::mesh
