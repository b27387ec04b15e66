// Boxes side by side against each asked by itself.
#include "contact/box_list.hpp"

#include <optional>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

class Boxes {
public:
  Boxes() = default;
  /// Some of no size.
  [[nodiscard]] Box draw(double place, double size) {
    const auto random = [&] { return std::uniform_real_distribution<double>(0, 1)(random_); };
    Box box;
    for (int k = 0; k < 3; ++k) box.low[k] = place * random();
    box.high = box.low;
    if (random() > 0.1)
      for (int k = 0; k < 3; ++k) box.high[k] += size * random();
    return box;
  }
  [[nodiscard]] std::size_t below(std::size_t n) { return random_() % n; }

private:
  std::mt19937 random_{11};
};

/// What changed since it was tightened last counts anew, whichever batch it is in.
void expect_tight(const BoxList& list, const std::vector<Box>& known, const std::vector<std::int32_t>& place) {
  EXPECT_TRUE(list.is_tight());
  const std::optional<Box> whole = list.whole();
  if (list.empty()) return;
  Box all{Vec3::Constant(1e9), Vec3::Constant(-1e9)};
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (place[i] < 0) continue;
    const Box box = list.box(place[i]);
    all = {all.low.cwiseMin(box.low), all.high.cwiseMax(box.high)};
  }
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->low, all.low);
  EXPECT_EQ(whole->high, all.high);
}

TEST(BoxList, FindsAllThatMeetThroughChanges) {
  Boxes boxes;
  BoxList list;
  std::vector<Box> known;  // by label, which is also its place, but for those that took another's
  std::vector<std::int32_t> place;
  std::int64_t met = 0;
  for (int change = 0; change < 3000; ++change) {
    if (known.size() < 10 || boxes.below(3) > 0) {
      known.push_back(boxes.draw(10, 1));
      place.push_back(list.add(known.back(), static_cast<std::int32_t>(known.size() - 1)));
    } else if (const std::size_t one = boxes.below(known.size()); place[one] >= 0) {
      if (boxes.below(2) == 0) {
        known[one] = boxes.draw(10, 1);
        list.set(place[one], known[one]);
      } else {
        if (const std::int32_t moved = list.remove(place[one]); moved >= 0)
          place[static_cast<std::size_t>(moved)] = place[one];
        place[one] = -1;
      }
    }
    if (change % 200 == 0)
      list.put_in_order([&](std::int32_t label, std::int32_t at) { place[static_cast<std::size_t>(label)] = at; });
    if (change % 50 == 0) {
      list.tighten();
      expect_tight(list, known, place);
    }
    const Box at = boxes.draw(10, 2);
    std::set<std::int32_t> found;
    list.each_at(at, [&](std::int32_t label) { EXPECT_TRUE(found.insert(label).second) << "twice"; });
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (place[i] < 0) {
        ASSERT_FALSE(found.contains(static_cast<std::int32_t>(i))) << "gone";
        continue;
      }
      const Box held = list.box(place[i]);
      ASSERT_TRUE((held.low.array() <= known[i].low.array()).all() &&
                  (held.high.array() >= known[i].high.array()).all());
      // What is kept in single precision is larger by rounding: 1e-6 of ten metres.
      const bool is_found = found.contains(static_cast<std::int32_t>(i));
      ASSERT_TRUE(is_found || !meet(known[i], at, 0));
      ASSERT_TRUE(!is_found || meet(known[i], at, 1e-5));
    }
    met += static_cast<std::int64_t>(found.size());
  }
  EXPECT_GT(met, 1000);
}

// Boxes given in any order: batches fill the space about once when those in a batch are near each other, and not each
// all of it.
TEST(BoxList, ThoseNearEachOtherAreInOneBatchOnceInOrder) {
  Boxes boxes;
  BoxList list;
  for (std::int32_t label = 0; label < 4096; ++label) (void)list.add(boxes.draw(16, 0.5), label);
  EXPECT_TRUE(list.is_out_of_order());
  list.put_in_order([](std::int32_t, std::int32_t) {});
  EXPECT_FALSE(list.is_out_of_order());
  list.tighten();
  constexpr std::int32_t kBatch = 64;
  double volume = 0;
  for (std::int32_t first = 0; first < 4096; first += kBatch) {
    Box all = list.box(first);
    for (std::int32_t place = first; place < first + kBatch; ++place) {
      const Box box = list.box(place);
      all = {all.low.cwiseMin(box.low), all.high.cwiseMax(box.high)};
    }
    volume += (all.high - all.low).prod();
  }
  // As many batches as fill the space side by side, 4 m long, each larger by the boxes that stand out of it: 4.5³/4³.
  EXPECT_LT(volume, 1.5 * 16 * 16 * 16);
}

TEST(BoxList, WholeIsAroundAll) {
  BoxList list;
  EXPECT_FALSE(list.whole());
  (void)list.add({Vec3(0, 1, 2), Vec3(1, 2, 3)}, 5);
  (void)list.add({Vec3(-1, 1.5, 0), Vec3(0.5, 4, 1)}, 6);
  const std::optional<Box> whole = list.whole();
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->low, Vec3(-1, 1, 0));
  EXPECT_EQ(whole->high, Vec3(1, 4, 3));
  list.tighten();
  EXPECT_EQ(list.remove(0), 6);
  EXPECT_FALSE(list.is_tight());
  list.tighten();
  EXPECT_EQ(list.whole()->high, Vec3(0.5, 4, 1));
  EXPECT_EQ(list.remove(0), -1);
  EXPECT_TRUE(list.empty());
}

TEST(BoxList, DistanceIsAlongAnAxis) {
  const Box here{Vec3(0, 0, 0), Vec3(1, 1, 1)}, there{Vec3(1.5, 0, 0), Vec3(2, 1, 1)};
  EXPECT_FALSE(meet(here, there, 0.4));
  EXPECT_TRUE(meet(here, there, 0.5));
  EXPECT_TRUE(meet(there, here, 0.5));
}

}  // namespace
}  // namespace brisance::contact
