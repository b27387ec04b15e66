#include "brisance/core/packed_lists.hpp"

#include <random>

#include <gtest/gtest.h>

namespace brisance::core {
namespace {

using Lists = std::vector<std::vector<int>>;

void expect_same(PackedLists<int>& packed, const Lists& plain) {
  ASSERT_EQ(packed.size(), plain.size());
  std::size_t num_items = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const std::span<int> list = packed[i];
    EXPECT_EQ(std::vector<int>(list.begin(), list.end()), plain[i]) << i;
    num_items += plain[i].size();
  }
  EXPECT_EQ(packed.num_items(), num_items);
}

TEST(PackedLists, HaveWhatPlainListsHave) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return random() % n; };
  PackedLists<int> packed;
  Lists plain;
  int num_packings = 0;
  for (int i = 0; i < 4000; ++i) {
    if (i < 50) {
      packed.add_list();
      plain.emplace_back();
    }
    const std::size_t number = below(plain.size());
    if (below(4) > 0) {
      plain[number].assign(below(60), i);
      packed.put(number, plain[number]);
    } else {
      plain[number].resize(plain[number].size() - below(plain[number].size() + 1));
      packed.shorten(number, plain[number].size());
    }
    if (packed.are_loose()) {
      ++num_packings;
      packed.pack([](std::size_t list, int item) { return (static_cast<int>(list) + item) % 5 > 0; });
      for (std::size_t list = 0; list < plain.size(); ++list)
        std::erase_if(plain[list], [&](int item) { return (static_cast<int>(list) + item) % 5 == 0; });
    }
    if (i % 100 == 0) expect_same(packed, plain);
  }
  expect_same(packed, plain);
  EXPECT_GT(num_packings, 5);
}

TEST(PackedLists, LieInOrderOncePacked) {
  PackedLists<int> lists;
  for (int i = 0; i < 3; ++i) lists.add_list();
  for (const std::size_t i : {2U, 0U, 1U}) lists.put(i, std::vector<int>(500 + i, static_cast<int>(i)));
  EXPECT_TRUE(lists.are_loose());
  lists.pack([](std::size_t, int) { return true; });
  EXPECT_FALSE(lists.are_loose());
  EXPECT_EQ(lists[0].data() + lists[0].size(), lists[1].data());
  EXPECT_EQ(lists[1].data() + lists[1].size(), lists[2].data());
  lists.put(0, std::vector<int>(501, 7));  // one more than it had room for
  EXPECT_GT(lists[0].data(), lists[2].data());
}

}  // namespace
}  // namespace brisance::core
