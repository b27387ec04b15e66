#include "brisance/io/background_snapshot.hpp"

#include "io/expect_parts.hpp"
#include "io/file_size_limit.hpp"
#include "io/hdf5_contents.hpp"
#include "io/sample_frame.hpp"
#include "io/shared_folder.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include <gmock/gmock.h>

namespace brisance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BackgroundSnapshots : public test::SharedFolder {
protected:
  io::SnapshotPart mine(int cubes) const { return test::sample_part(cubes, comm_.rank(), comm_.size()); }
  void start(const std::string& name, int cubes) {
    frames_.start(folder_ / name, test::sample_header(), mine(cubes), [this] { ++published_; });
  }
  int published() const { return comm_.max<std::int32_t>(published_); }

  std::atomic<int> published_ = 0;
  io::BackgroundSnapshot frames_{comm_};
};

TEST_F(BackgroundSnapshots, FileIsThatOfWritingAtOnce) {
  for (const int cubes : {0, 1, 8, 500}) {
    start("a.hdf", cubes);
    frames_.finish();
    io::write_snapshot(comm_, folder_ / "b.hdf", test::sample_header(), mine(cubes));
    if (comm_.is_root()) test::expect_same_contents(folder_ / "a.hdf", folder_ / "b.hdf");
    comm_.barrier();
  }
  EXPECT_EQ(published(), 4);
}

TEST_F(BackgroundSnapshots, FormsAreThoseOfWritingAtOnceToo) {
  io::SnapshotHeader header = test::sample_header();
  header.form = {.surface_only = true, .single_precision = true, .left_out = {"velocity"}};
  auto part = test::sample_surface(50, comm_.rank(), comm_.size());
  part.velocity.clear();
  frames_.start(folder_ / "a.hdf", header, part, [] {});
  frames_.finish();
  io::write_snapshot(comm_, folder_ / "b.hdf", header, part);
  if (comm_.is_root()) test::expect_same_contents(folder_ / "a.hdf", folder_ / "b.hdf");
  comm_.barrier();
}

TEST_F(BackgroundSnapshots, TestsAloneBringItUnderItsName) {
  start("a.hdf", 500);
  for (int i = 0; i < 20000 && published() == 0; ++i) {
    frames_.test();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(published(), 1);
  EXPECT_THAT(names(folder_), ElementsAre("a.hdf"));
  frames_.finish();
}

TEST_F(BackgroundSnapshots, TheNextOneWaitsForTheOneBefore) {
  for (int i = 0; i < 5; ++i) start(std::to_string(i) + ".hdf", 300);
  EXPECT_GE(published(), 4);
  frames_.finish();
  EXPECT_EQ(published(), 5);
  EXPECT_THAT(names(folder_), ElementsAre("0.hdf", "1.hdf", "2.hdf", "3.hdf", "4.hdf"));
  for (int i = 0; i < 5; ++i)
    test::expect_equal(io::read_snapshot(folder_ / (std::to_string(i) + ".hdf"), comm_.rank(), 1).part, mine(300));
}

TEST_F(BackgroundSnapshots, WhoLeavesWithoutFinishingLeavesACompleteFile) {
  {
    io::BackgroundSnapshot frames(comm_);
    frames.start(folder_ / "a.hdf", test::sample_header(), mine(500), [] {});
  }
  comm_.barrier();
  EXPECT_THAT(names(folder_), ElementsAre("a.hdf"));
  test::expect_equal(io::read_snapshot(folder_ / "a.hdf", comm_.rank(), 1).part, mine(500));
}

TEST_F(BackgroundSnapshots, FullDiskIsFoundBeforeItGoesOn) {
  start("a.hdf", 1);
  frames_.finish();
  {
    const test::FileSizeLimit limit(64 << 10);
    EXPECT_THAT(failure_of([&] { start("a.hdf", 500); }), HasSubstr("File too large"));
    EXPECT_THAT(failure_of([&] { start("b.hdf", 500); }), HasSubstr("free space"));
  }
  EXPECT_THAT(names(folder_), ElementsAre("a.hdf"));
  EXPECT_EQ(io::read_snapshot(folder_ / "a.hdf").part.tets.size(), 6u);
  comm_.barrier();
  start("a.hdf", 500);
  frames_.finish();
  EXPECT_EQ(io::read_snapshot(folder_ / "a.hdf").part.tets.size(), 3000u);
}

TEST_F(BackgroundSnapshots, RankThatCannotWriteIsHeardOfOnAll) {
  if (comm_.size() == 1) GTEST_SKIP() << "rank 0 finds out when it reserves the space";
  start("a.hdf", 1);
  frames_.finish();
  {
    const bool is_last = comm_.rank() == comm_.size() - 1;
    const test::FileSizeLimit limit(is_last ? 64 << 10 : RLIM_INFINITY);
    const std::string failure = failure_of([&] {
      start("a.hdf", 500);
      frames_.finish();
    });
    EXPECT_THAT(failure, HasSubstr("File too large"));
    EXPECT_THAT(failure, HasSubstr("free space"));
  }
  EXPECT_THAT(names(folder_), ElementsAre("a.hdf"));
  EXPECT_EQ(io::read_snapshot(folder_ / "a.hdf").part.tets.size(), 6u);
  EXPECT_EQ(published(), 1);
}

TEST_F(BackgroundSnapshots, WhatFollowsTheNameMayFailToo) {
  frames_.start(folder_ / "a.hdf", test::sample_header(), mine(8), [] { throw core::Error("no list of frames"); });
  EXPECT_THAT(failure_of([&] { frames_.finish(); }), HasSubstr("no list of frames"));
  EXPECT_THAT(names(folder_), ElementsAre("a.hdf"));
}

}  // namespace
}  // namespace brisance
