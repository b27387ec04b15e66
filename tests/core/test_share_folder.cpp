#include "brisance/core/share_folder.hpp"

#include <fstream>

#include <gtest/gtest.h>

namespace brisance::core {
namespace {

namespace fs = std::filesystem;

TEST(ShareFolder, IsBesideTheFolderOfAnInstalledProgramAndMovesWithIt) {
  const fs::path prefix = fs::path(testing::TempDir()) / "share_folder_installed", moved = prefix.string() + "_moved";
  fs::remove_all(prefix);
  fs::remove_all(moved);
  fs::create_directories(prefix / "bin");
  EXPECT_EQ(share_folder_of(prefix / "bin" / "brisance"), fs::path());
  fs::create_directories(prefix / "share" / "brisance" / "configs");
  EXPECT_EQ(share_folder_of(prefix / "bin" / "brisance"), prefix / "share" / "brisance");
  fs::rename(prefix, moved);
  EXPECT_EQ(share_folder_of(moved / "bin" / "brisance"), moved / "share" / "brisance");
}

TEST(ShareFolder, OfAProgramInItsBuildFolderIsTheSourceFolder) {
  const fs::path build = fs::path(testing::TempDir()) / "share_folder_build", source = build / "source";
  fs::remove_all(build);
  fs::create_directories(source / "configs");
  std::ofstream(build / "CMakeCache.txt")
      << "CMAKE_GENERATOR:INTERNAL=Ninja\nCMAKE_HOME_DIRECTORY:INTERNAL=" << source.string() << "\n";
  EXPECT_EQ(share_folder_of(build / "brisance"), source);
}

}  // namespace
}  // namespace brisance::core
