#include "brisance/core/error.hpp"
#include "brisance/render/contact_sheet.hpp"
#include "brisance/render/image.hpp"

#include "io/file_size_limit.hpp"

#include <bit>
#include <fstream>
#include <iterator>
#include <limits>

#include <gmock/gmock.h>
#include <unistd.h>

namespace brisance::render {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

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

void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

/// The text of the error; empty if there is none.
template <class Work>
std::string failure_of(const Work& work) {
  try {
    work();
  } catch (const core::Error& e) {
    return e.what();
  }
  return {};
}

TEST_F(PictureFiles, ExrKeepsEveryBit) {
  LayeredImage image(5, 3);
  image.notes.emplace_back("brisance_options", "samples 16");
  std::vector<float>& depth = image.add("Z");
  for (std::size_t i = 0; i < depth.size(); ++i) depth[i] = 0.1F + static_cast<float>(i) * 1.234567F;
  image.add("albedo.R", true).assign(15, 1.0F / 3);
  image.add("crypto_piece00.R")[7] = std::bit_cast<float>(0x7E123457U);
  write_exr(image, folder_ / "a.exr");
  const LayeredImage back = read_layers(folder_ / "a.exr");
  ASSERT_EQ(back.width, 5);
  ASSERT_EQ(back.height, 3);
  ASSERT_EQ(back.channels.size(), 3U);
  for (const char* name : {"Z", "crypto_piece00.R"}) {
    ASSERT_NE(back.find(name), nullptr) << name;
    EXPECT_EQ(back.find(name)->values, image.find(name)->values) << name;
    EXPECT_FALSE(back.find(name)->is_half) << name;
  }
  ASSERT_NE(back.find("albedo.R"), nullptr);
  EXPECT_TRUE(back.find("albedo.R")->is_half);
  EXPECT_EQ(back.find("albedo.R")->values[4], 0.33325195F);  // the nearest half to a third
  EXPECT_EQ(note_of(folder_ / "a.exr", "brisance_options"), "samples 16");
}

TEST_F(PictureFiles, EqualPicturesAreEqualFiles) {
  LayeredImage image(40, 30);
  image.add("R")[11] = 0.5F;
  for (const char* name : {"a.exr", "b.exr"}) write_exr(image, folder_ / name);
  for (const char* name : {"a.png", "b.png"}) write_png(Image(9, 9), folder_ / name, {{"made", "twice"}});
  EXPECT_TRUE(bytes_of(folder_ / "a.exr") == bytes_of(folder_ / "b.exr"));
  EXPECT_TRUE(bytes_of(folder_ / "a.png") == bytes_of(folder_ / "b.png"));
  EXPECT_EQ(note_of(folder_ / "a.exr", "DateTime"), "1970:01:01 00:00:00");  // not that of writing
}

TEST_F(PictureFiles, NotesSurviveInPng) {
  const std::string text = "width 640\nseed 1 \"quoted\"";
  write_png(Image(2, 2), folder_ / "a.png", {{"brisance_options", text}});
  EXPECT_EQ(note_of(folder_ / "a.png", "brisance_options"), text);
  EXPECT_EQ(note_of(folder_ / "a.png", "another"), "");
  EXPECT_EQ(note_of(folder_ / "absent.png", "brisance_options"), "");
  fs::resize_file(folder_ / "a.png", 30);
  EXPECT_EQ(note_of(folder_ / "a.png", "brisance_options"), "");
}

TEST_F(PictureFiles, LinearFormatsAreReadAsTheyAre) {
  LayeredImage image(2, 1);
  for (const char* name : {"R", "G", "B", "A"}) image.add(name).assign(2, 0.25F);
  image.channels[0].values = {3.5F, std::numeric_limits<float>::infinity()};
  write_exr(image, folder_ / "a.exr");
  const Image exr = read_image(folder_ / "a.exr");
  EXPECT_EQ(exr.at(0, 0)[0], 3.5F);
  EXPECT_EQ(exr.at(1, 0)[0], 65504);
  EXPECT_EQ(exr.at(0, 0)[2], 0.25F);
  // Radiance RGBE: mantissa and half a step, of 256, times 2^(exponent - 128).
  write(folder_ / "a.hdr", std::string("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n") + "\x80\x40\x20\x82");
  EXPECT_NEAR(read_image(folder_ / "a.hdr").at(0, 0)[0], 2, 0.01);
  EXPECT_NEAR(read_image(folder_ / "a.hdr").at(0, 0)[2], 0.5, 0.01);
}

TEST_F(PictureFiles, EncodedFormatsAreDecodedToLinear) {
  write(folder_ / "grey.pgm", std::string("P5 2 1 255\n\xBC\x00", 13));  // sRGB 188 is half of the light
  write(folder_ / "colour.ppm", std::string("P6 1 1 255\n") + "\xBC\xFF\x01");
  const Image grey = read_image(folder_ / "grey.pgm"), colour = read_image(folder_ / "colour.ppm");
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(grey.at(0, 0)[c], 0.503, 0.001);
  EXPECT_EQ(grey.at(1, 0)[0], 0);
  EXPECT_NEAR(colour.at(0, 0)[0], 0.503, 0.001);
  EXPECT_EQ(colour.at(0, 0)[1], 1);
  EXPECT_NEAR(colour.at(0, 0)[2], 1 / 255.0 / 12.92, 1e-6);
}

TEST_F(PictureFiles, UnreadablePicturesAreNamed) {
  using ::testing::HasSubstr;
  write(folder_ / "text.png", "no picture at all");
  EXPECT_THAT(failure_of([&] { (void)read_image(folder_ / "text.png"); }), HasSubstr("text.png: "));
  write_png(Image(50, 50, Rgb(0.3F, 0.1F, 0.2F)), folder_ / "cut.png");
  fs::resize_file(folder_ / "cut.png", fs::file_size(folder_ / "cut.png") / 2);
  EXPECT_THAT(failure_of([&] { (void)read_image(folder_ / "cut.png"); }), HasSubstr("cut.png"));
  LayeredImage image(1, 1);
  image.add("R")[0] = std::numeric_limits<float>::quiet_NaN();
  write_exr(image, folder_ / "red.exr");
  EXPECT_THAT(failure_of([&] { (void)read_image(folder_ / "red.exr"); }), HasSubstr("neither channels R, G and B"));
  image.add("G");
  image.add("B");
  write_exr(image, folder_ / "nan.exr");
  EXPECT_THAT(failure_of([&] { (void)read_image(folder_ / "nan.exr"); }), HasSubstr("a value is not a number"));
  EXPECT_THAT(failure_of([&] { (void)read_image(folder_); }), HasSubstr(folder_.string()));
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
