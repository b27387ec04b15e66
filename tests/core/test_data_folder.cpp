#include "support/data_folder.hpp"

#include <fstream>

#include <gtest/gtest.h>

namespace brisance::test {
namespace {

constexpr const char* kVariable = "BRISANCE_TEST_DATA_FOLDER_TEST";

TEST(DataFolder, WithoutTheVariableThereIsNoFile) {
  unsetenv(kVariable);
  EXPECT_EQ(data_file(kVariable, "bunny.obj"), std::nullopt);
}

TEST(DataFolder, AFolderWithoutTheFileIsAFailure) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "data_folder";
  std::filesystem::create_directories(folder);
  setenv(kVariable, folder.c_str(), 1);
  EXPECT_THROW((void)data_file(kVariable, "missing.obj"), std::runtime_error);
  std::ofstream(folder / "bunny.obj") << "v 0 0 0\n";
  EXPECT_EQ(data_file(kVariable, "bunny.obj"), folder / "bunny.obj");
  unsetenv(kVariable);
}

}  // namespace
}  // namespace brisance::test
