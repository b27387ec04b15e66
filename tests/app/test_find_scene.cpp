#include "brisance/core/error.hpp"

#include "app/scene/find_scene.hpp"

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace brisance::app {
namespace {

namespace fs = std::filesystem;

/// A working folder with nothing in it, and a folder of two scenes.
class FindScene : public testing::Test {
protected:
  FindScene() {
    fs::remove_all(base_);
    fs::create_directories(here_);
    fs::create_directories(along_ / "modes");
    for (const char* name : {"wall.toml", "bowl.toml", "notes.txt"}) std::ofstream(along_ / name) << "\n";
    fs::current_path(here_);
  }
  ~FindScene() override {
    fs::current_path(before_);
    fs::remove_all(base_);
  }

  const fs::path before_ = fs::current_path(),
                 base_ = fs::temp_directory_path() / ("brisance_find_scene" + std::to_string(getpid()));
  const fs::path here_ = base_ / "here", along_ = base_ / "configs";
};

TEST_F(FindScene, NamesWithoutAFileHereAreScenesThatCameAlong) {
  for (const char* name : {"bowl", "bowl.toml", "configs/bowl", "configs/bowl.toml"})
    EXPECT_EQ(find_scene(name, along_), along_ / "bowl.toml") << name;
}

TEST_F(FindScene, AFileHereComesFirst) {
  std::ofstream(here_ / "bowl.toml") << "\n";
  EXPECT_EQ(find_scene("bowl.toml", along_), "bowl.toml");
  EXPECT_EQ(find_scene("bowl", along_), "bowl.toml");
  EXPECT_EQ(find_scene("configs/bowl.toml", along_), along_ / "bowl.toml");
}

TEST_F(FindScene, ARunFolderOfThatNameDoesNotHideTheScene) {
  fs::create_directories(here_ / "bowl");
  EXPECT_EQ(find_scene("bowl", along_), along_ / "bowl.toml");
  fs::create_directories(here_ / "vase");
  EXPECT_THROW((void)find_scene("vase", along_), core::Error);
}

TEST_F(FindScene, OtherFoldersAreTakenAtTheirWord) {
  for (const char* name : {"mine/bowl.toml", "/nonexistent/bowl.toml", "../here/bowl", "configs/modes/bowl"})
    EXPECT_THROW((void)find_scene(name, along_), core::Error) << name;
}

TEST_F(FindScene, TheErrorListsTheNames) {
  try {
    (void)find_scene("bowk", along_);
    FAIL();
  } catch (const core::Error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("cannot open the scene file bowk. "));
    EXPECT_THAT(e.what(), testing::HasSubstr("configs: bowl, wall."));
  }
  EXPECT_THROW((void)find_scene("bowl", fs::path()), core::Error);
}

}  // namespace
}  // namespace brisance::app
