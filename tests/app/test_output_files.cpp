/// Outputs that would overwrite another file, under any name of it.
#include "brisance/core/error.hpp"

#include "app/cli/output_files.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace brisance::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class OutputFiles : public testing::Test {
protected:
  OutputFiles() : folder_(fs::path(testing::TempDir()) / "output_files") {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "below");
    write("input", "in");
    write("old", "out");
  }
  ~OutputFiles() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  /// The complaint about outputs --a, --b ... of these names.
  std::string complaint(const std::vector<std::string>& names, bool overwrite = false, bool replaces = false) const {
    std::vector<OutputFile> outputs;
    for (const std::string& name : names)
      outputs.push_back({"--" + std::string(1, static_cast<char>('a' + outputs.size())),
                         name.empty() ? fs::path() : folder_ / name, replaces});
    try {
      guard_outputs({folder_ / "input", folder_ / "absent"}, outputs, overwrite);
    } catch (const core::BadInput& e) {
      return e.what();
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(OutputFiles, NewNamesAndWhatIsNotAskedForPass) {
  EXPECT_EQ(complaint({"new", "", "other", "", "below/new"}), "");
  EXPECT_EQ(complaint({"absent"}), "");
  EXPECT_EQ(complaint({"no/such/folder"}), "");  // the error comes when the file is written
}

TEST_F(OutputFiles, AnInputIsSafeByEveryName) {
  fs::create_symlink("input", folder_ / "link");
  fs::create_symlink(folder_ / "link", folder_ / "link_to_link");
  fs::create_hard_link(folder_ / "input", folder_ / "hard");
  fs::create_directory_symlink("..", folder_ / "below/up");
  for (const char* name : {"input", "./input", "below/../input", "link", "link_to_link", "hard", "below/up/input"})
    for (const bool overwrite : {false, true}) {
      EXPECT_THAT(complaint({"new", name}, overwrite), HasSubstr("(--b) is an input. Choose another name.")) << name;
      EXPECT_THAT(complaint({name}, overwrite, true), HasSubstr("is an input")) << name;
    }
}

TEST_F(OutputFiles, TwoOutputsAreTwoFiles) {
  fs::create_hard_link(folder_ / "old", folder_ / "hard");
  fs::create_directory_symlink("..", folder_ / "below/up");
  for (const auto& [a, b] : {std::pair("new", "new"), {"new", "./new"}, {"new", "below/up/new"}, {"old", "hard"}})
    EXPECT_THAT(complaint({a, b}, true), HasSubstr("(--b) is the file of another output as well")) << b;
}

TEST_F(OutputFiles, WhatExistsIsReplacedOnlyWhereThatIsAllowed) {
  fs::create_symlink("nowhere", folder_ / "dangling");
  EXPECT_THAT(complaint({"old"}), HasSubstr("old (--a) exists. Choose another name, or allow replacing it with"));
  EXPECT_THAT(complaint({"dangling"}), HasSubstr("exists"));
  EXPECT_EQ(complaint({"old", "dangling"}, true), "");
  EXPECT_EQ(complaint({"old"}, false, true), "");
}

TEST_F(OutputFiles, WhatIsNoRegularFileIsNeverReplaced) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/null", folder_ / "null");
  EXPECT_THAT(complaint({"pipe"}, true), HasSubstr("is not a regular file"));
  EXPECT_THAT(complaint({"null"}, true), HasSubstr("is not a regular file"));
  EXPECT_THAT(complaint({"below"}, true), HasSubstr("is a folder"));
}

TEST_F(OutputFiles, PicturesAreKnownByTheirBytes) {
  write("a.png", "\x89PNG\r\n\x1a\nrest");
  write("b.png", "notes");
  write("c.exr", "\x76\x2f\x31\x01rest");
  EXPECT_TRUE(is_picture(folder_ / "a.png"));
  EXPECT_TRUE(is_picture(folder_ / "c.exr"));
  EXPECT_FALSE(is_picture(folder_ / "b.png"));
  EXPECT_FALSE(is_picture(folder_ / "absent.png"));
  EXPECT_FALSE(is_picture(folder_));
}

TEST_F(OutputFiles, LiesInAFolderByItsRealName) {
  fs::create_directory_symlink("below", folder_ / "link");
  EXPECT_TRUE(lies_in(folder_ / "link/x", folder_ / "below"));
  EXPECT_TRUE(lies_in(folder_ / "below/deeper/x", folder_ / "link/"));
  EXPECT_FALSE(lies_in(folder_ / "below/../x", folder_ / "below"));
  EXPECT_FALSE(lies_in(folder_ / "belowx", folder_ / "below"));
}

}  // namespace
}  // namespace brisance::app
