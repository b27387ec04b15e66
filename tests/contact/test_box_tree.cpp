#include "contact/box_list.hpp"
#include "contact/box_tree.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

std::vector<Box> random_boxes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0, 1), size(0, 0.1);
  std::vector<Box> boxes(count);
  for (Box& box : boxes) {
    box.low = Vec3(place(random), place(random), place(random));
    box.high = box.low + Vec3(size(random), size(random), size(random));
  }
  return boxes;
}

TEST(BoxTree, FindsEveryBoxThatIsNear) {
  for (const std::size_t count : {0U, 1U, 4U, 5U, 300U}) {
    const std::vector<Box> boxes = random_boxes(count, 3);
    const BoxTree tree(boxes);
    for (const Box& at : random_boxes(50, 4)) {
      std::vector<std::int32_t> found, expected;
      const auto is_near = [&](const Box& box) { return meet(box, at, 0.05); };
      tree.for_each(is_near, [&](std::int32_t i) {
        if (is_near(boxes[static_cast<std::size_t>(i)])) found.push_back(i);
      });
      for (std::size_t i = 0; i < count; ++i)
        if (is_near(boxes[i])) expected.push_back(static_cast<std::int32_t>(i));
      std::ranges::sort(found);
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(BoxTree, PartsHoldAllBoxes) {
  const std::vector<Box> boxes = random_boxes(300, 5);
  const std::vector<Box> parts = BoxTree(boxes).parts(3);
  EXPECT_EQ(parts.size(), 8U);
  for (const Box& box : boxes)
    EXPECT_TRUE(std::ranges::any_of(parts, [&](const Box& part) {
      return around(part, box).low == part.low && around(part, box).high == part.high;
    }));
  EXPECT_TRUE(BoxTree({}).parts(3).empty());
}

}  // namespace
}  // namespace brisance::contact
