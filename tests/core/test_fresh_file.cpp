/// Temporary files under names that others can guess.
#include "brisance/core/fresh_file.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace brisance::core {
namespace {

namespace fs = std::filesystem;

class FreshFile : public ::testing::Test {
protected:
  FreshFile() { fs::create_directories(folder_); }
  ~FreshFile() override { fs::remove_all(folder_); }
  static std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  fs::path folder_ = fs::temp_directory_path() / ("brisance_fresh_" + std::to_string(::getpid()));
};

TEST_F(FreshFile, ALinkIsReplacedAndNotFollowed) {
  std::ofstream(folder_ / "outside") << "the only copy";
  fs::create_symlink(folder_ / "outside", folder_ / "a.writing");
  fs::create_symlink(folder_ / "nowhere", folder_ / "b.writing");
  EXPECT_TRUE(make_fresh_file(folder_ / "a.writing"));
  EXPECT_TRUE(make_fresh_file(folder_ / "b.writing"));
  std::ofstream(folder_ / "a.writing") << "new";
  EXPECT_EQ(text_of(folder_ / "outside"), "the only copy");
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
}

TEST_F(FreshFile, ALeftoverIsEmptiedWithoutItsOtherNames) {
  std::ofstream(folder_ / "a.writing") << "half";
  fs::create_hard_link(folder_ / "a.writing", folder_ / "other");
  EXPECT_TRUE(make_fresh_file(folder_ / "a.writing"));
  EXPECT_EQ(text_of(folder_ / "a.writing"), "");
  EXPECT_EQ(text_of(folder_ / "other"), "half");
}

TEST_F(FreshFile, AFolderInTheWayAndNoFolderAreFailures) {
  fs::create_directories(folder_ / "a.writing");
  EXPECT_FALSE(make_fresh_file(folder_ / "a.writing"));
  EXPECT_FALSE(make_fresh_file(folder_ / "no" / "b"));
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace brisance::core
