#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace brisance::core {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class InputFile : public testing::Test {
protected:
  InputFile() : folder_(fs::path(testing::TempDir()) / "input_file") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~InputFile() override { fs::remove_all(folder_); }

  static std::string failure_of(const fs::path& file, std::uint64_t most_bytes = 100) {
    try {
      (void)read_input(file, "Do this.", most_bytes);
    } catch (const Error& e) {
      return e.what();
    }
    return "read without complaint";
  }

  fs::path folder_;
};

TEST_F(InputFile, GivesTheBytes) {
  std::ofstream(folder_ / "a") << "one\ntwo";
  EXPECT_EQ(read_input(folder_ / "a", ""), "one\ntwo");
  std::ofstream(folder_ / "empty");
  EXPECT_EQ(read_input(folder_ / "empty", ""), "");
  fs::create_symlink("a", folder_ / "link");
  EXPECT_EQ(read_input(folder_ / "link", ""), "one\ntwo");
}

TEST_F(InputFile, RefusesWhatIsNoRegularFileAtOnce) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", folder_ / "zero");
  for (const fs::path& special : {folder_ / "pipe", folder_ / "zero", fs::path("/dev/null"), folder_})
    EXPECT_THAT(failure_of(special), AllOf(HasSubstr(special.string()), HasSubstr("not a regular file. Do this.")));
  EXPECT_THAT(failure_of(folder_ / "absent"), HasSubstr("absent: no such file. Do this."));
  fs::create_symlink("absent", folder_ / "dangling");
  EXPECT_THAT(failure_of(folder_ / "dangling"), HasSubstr("no such file"));
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_THAT(failure_of(folder_ / "loop"), HasSubstr("cannot be read"));
}

TEST_F(InputFile, RefusesWhatIsTooLargeBeforeItIsRead) {
  std::ofstream(folder_ / "large") << "x";
  fs::resize_file(folder_ / "large", std::uintmax_t{1} << 40);  // a sparse file
  EXPECT_THAT(failure_of(folder_ / "large"), HasSubstr("has 1099511627776 bytes, and 100 are the most"));
}

}  // namespace
}  // namespace brisance::core
