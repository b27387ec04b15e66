#include "brisance/core/error.hpp"
#include "brisance/render/contact_sheet.hpp"
#include "brisance/render/image.hpp"

#include "io/file_size_limit.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace brisance::render {
namespace {

namespace fs = std::filesystem;

class PictureFiles : public ::testing::Test {
protected:
  PictureFiles() : folder_(fs::temp_directory_path() / ("brisance_pictures_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~PictureFiles() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(PictureFiles, PngKeepsColoursAndOrientation) {
  Image image(7, 5, Rgb(0.1F, 0.2F, 0.3F));
  image.at(2, 1) = Rgb(1, 0, 0.5F);
  write_png(image, folder_ / "a.png");
  const Image back = read_image(folder_ / "a.png");
  ASSERT_EQ(back.width, 7);
  ASSERT_EQ(back.height, 5);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) EXPECT_LT((back.at(x, y) - image.at(x, y)).abs().maxCoeff(), 0.006);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);  // nothing unfinished left
}

TEST_F(PictureFiles, SheetPlacesTilesInReadingOrder) {
  std::vector<fs::path> pictures;
  for (int i = 0; i < 3; ++i) {
    pictures.push_back(folder_ / (std::to_string(i) + ".png"));
    write_png(Image(40, 20, Rgb::Constant(0.1F * static_cast<float>(i + 1))), pictures.back());
  }
  write_contact_sheet(pictures, folder_ / "sheet.png", {.columns = 2, .tile_width = 10, .max_pictures = 9, .gap = 2});
  const Image sheet = read_image(folder_ / "sheet.png");
  ASSERT_EQ(sheet.width, 2 * 10 + 3 * 2);
  ASSERT_EQ(sheet.height, 2 * 5 + 3 * 2);
  EXPECT_NEAR(sheet.at(3, 3).mean(), 0.1, 0.01);
  EXPECT_NEAR(sheet.at(15, 3).mean(), 0.2, 0.01);
  EXPECT_NEAR(sheet.at(3, 10).mean(), 0.3, 0.01);
}

TEST_F(PictureFiles, AFullDiskIsAnErrorAndKeepsThePictureOfBefore) {
  const fs::path file = folder_ / "a.png";
  write_png(Image(2, 2), file);
  Image large(100, 100);
  for (int i = 0; i < 100 * 100; ++i) large.pixels[i] = Rgb::Constant(static_cast<float>(i * 7919 % 10007) / 10007);
  {
    const test::FileSizeLimit full(2000);
    EXPECT_THROW(write_png(large, file), core::Error);
  }
  EXPECT_EQ(read_image(file).width, 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(PictureFiles, FailuresAreErrorsAndLeaveNothing) {
  EXPECT_THROW(write_png(Image(2, 2), folder_ / "missing" / "a.png"), core::Error);
  EXPECT_THROW((void)read_image(folder_ / "none.png"), core::Error);
  EXPECT_THROW(write_contact_sheet({}, folder_ / "sheet.png"), core::Error);
  EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace brisance::render
