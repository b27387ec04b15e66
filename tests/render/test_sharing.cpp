#include "render/film/sharing.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

/// Every frame is whole on one rank, or all its rows are on the ranks that share it.
void expect_complete(std::size_t num_frames, int num_ranks) {
  std::set<std::size_t> whole;
  std::map<std::size_t, std::vector<SharedFrame>> shared;
  std::size_t most = 0, fewest = num_frames;
  for (int rank = 0; rank < num_ranks; ++rank) {
    const FramesOfRank mine = frames_of_rank(num_frames, rank, num_ranks);
    for (const std::size_t frame : mine.whole) EXPECT_TRUE(whole.insert(frame).second);
    most = std::max(most, mine.whole.size());
    fewest = std::min(fewest, mine.whole.size());
    if (!mine.shared) continue;
    EXPECT_EQ(mine.shared->writer + mine.shared->rows.first, rank);
    shared[mine.shared->frame].push_back(*mine.shared);
  }
  EXPECT_EQ(most, fewest);  // so that the shared frames come last on all ranks
  EXPECT_EQ(whole.size() + shared.size(), num_frames);
  std::size_t largest = 0, smallest = static_cast<std::size_t>(num_ranks);
  for (const auto& [frame, members] : shared) {
    EXPECT_LT(frame, num_frames);
    EXPECT_FALSE(whole.contains(frame));
    EXPECT_EQ(members.size(), static_cast<std::size_t>(members[0].rows.stride));
    for (const SharedFrame& member : members) EXPECT_EQ(member.writer, members[0].writer);
    largest = std::max(largest, members.size());
    smallest = std::min(smallest, members.size());
  }
  if (!shared.empty()) {
    EXPECT_LE(largest - smallest, 1U);
  }
}

TEST(FramesOfRank, CoverEveryFrameOnce) {
  for (std::size_t num_frames = 0; num_frames < 20; ++num_frames)
    for (int num_ranks = 1; num_ranks < 12; ++num_ranks) {
      SCOPED_TRACE(::testing::Message() << num_frames << " frames on " << num_ranks << " ranks");
      expect_complete(num_frames, num_ranks);
    }
}

TEST(FramesOfRank, OneFrameIsSharedByAll) {
  const auto mine = frames_of_rank(1, 2, 4);
  EXPECT_TRUE(mine.whole.empty());
  ASSERT_TRUE(mine.shared);
  EXPECT_EQ(mine.shared->writer, 0);
  EXPECT_EQ(mine.shared->rows.first, 2);
  EXPECT_EQ(mine.shared->rows.stride, 4);
}

TEST(FramesOfRank, AloneOneHasAllWhole) {
  const auto mine = frames_of_rank(3, 0, 1);
  EXPECT_EQ(mine.whole.size(), 3U);
  EXPECT_FALSE(mine.shared);
}

}  // namespace
}  // namespace brisance::render
