/// Rendered pictures of a run, on any number of ranks.
#include "brisance/core/error.hpp"
#include "brisance/render/contact_sheet.hpp"

#include "io/shared_folder.hpp"
#include "render/plates.hpp"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

namespace brisance::render {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class RunPictures : public test::SharedFolder {
protected:
  /// Five frames of a box that falls and turns yellow-hot with speed; written by rank 0.
  void write_frames() {
    const core::Comm alone(MPI_COMM_SELF);
    if (comm_.is_root()) {
      fs::create_directories(folder_ / "snapshots");
      for (int frame = 0; frame < 5; ++frame) {
        io::Snapshot snapshot = test::box_snapshot(Vec3(0, 0, 2 - 0.3 * frame), Vec3(1, 1, 1));
        for (Vec3& v : snapshot.part.velocity) v = Vec3(0, 0, -frame);
        snapshot.header.frame = frame;
        snapshot.header.time_s = 0.02 * frame;
        snapshot.header.colliders.push_back({.name = "ground", .kind = "plane", .size = Vec3::UnitZ()});
        io::write_snapshot(alone, folder_ / "snapshots" / ("00000" + std::to_string(frame) + ".hdf"), snapshot.header,
                           snapshot.part);
      }
    }
    comm_.barrier();
  }

  static Options small_pictures() {
    Options options;
    options.width = 220;
    options.height = 160;
    options.samples_per_pixel = 2;
    options.colour_by = ColourBy::speed;
    return options;
  }
};

TEST_F(RunPictures, AreTheSameBytesOnAnyNumberOfRanks) {
  write_frames();
  const auto pictures = render_run(comm_, folder_, small_pictures());
  ASSERT_EQ(pictures.size(), 5U);
  EXPECT_EQ(pictures[3], folder_ / "pictures" / "000003.png");
  if (comm_.is_root()) {
    const auto expected = render_run(core::Comm(MPI_COMM_SELF), folder_, small_pictures(), folder_ / "alone");
    for (std::size_t i = 0; i < pictures.size(); ++i) EXPECT_EQ(bytes_of(pictures[i]), bytes_of(expected[i])) << i;
    EXPECT_NE(bytes_of(pictures[0]), bytes_of(pictures[4]));
    EXPECT_GT(bytes_of(pictures[0]).size(), 1000U);
  }
  comm_.barrier();
}

TEST_F(RunPictures, SharedFramesAreTheSameBytes) {  // five frames: the last ones are divided among the ranks
  write_frames();
  Options options = small_pictures();
  options.width = 110;
  options.height = 81;  // not a multiple of the ranks
  options.samples_per_pixel = 64;
  options.exposure = {.noise = 0.05, .shutter = 0.5, .aperture_m = 0.05};
  const PictureChoice two{.frames = {.first = 1, .end = 5, .step = 2}, .layers = true};
  const auto pictures = render_run(comm_, folder_, options, {}, two);
  ASSERT_EQ(pictures.size(), 2U);
  EXPECT_EQ(pictures[1].filename(), "000003.png");
  if (comm_.is_root()) {
    const auto expected = render_run(core::Comm(MPI_COMM_SELF), folder_, options, folder_ / "alone", two);
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      EXPECT_EQ(bytes_of(pictures[i]), bytes_of(expected[i])) << i;
      fs::path layers = pictures[i], others = expected[i];
      EXPECT_TRUE(bytes_of(layers.replace_extension(".exr")) == bytes_of(others.replace_extension(".exr"))) << i;
      EXPECT_EQ(read_layers(layers).width, 110);
    }
  }
  comm_.barrier();
}

class Interrupted : public RunPictures {
protected:
  /// Writes the frames and all pictures, and gives these a time that no new file has.
  void render_all(const Options& options) {
    write_frames();
    pictures_ = render_run(comm_, folder_, options);
    for (const fs::path& picture : pictures_) before_.push_back(bytes_of(picture));
    comm_.barrier();
    for (std::size_t i = 0; i < pictures_.size() && comm_.is_root(); ++i) fs::last_write_time(pictures_[i], kSomeTime);
    comm_.barrier();
  }
  /// Which pictures were made again: 1, else 0.
  std::string made_again() {
    std::string made;
    for (const fs::path& picture : pictures_) made += fs::last_write_time(picture) == kSomeTime ? '0' : '1';
    comm_.barrier();
    return made;
  }
  void expect_the_bytes_of_before() {
    for (std::size_t i = 0; i < pictures_.size(); ++i) EXPECT_EQ(bytes_of(pictures_[i]), before_[i]) << i;
  }

  static constexpr fs::file_time_type kSomeTime{};
  std::vector<fs::path> pictures_;
  std::vector<std::string> before_;
};

TEST_F(Interrupted, OnlyWhatIsMissingOrDamagedIsMade) {
  render_all(small_pictures());
  if (comm_.is_root()) {
    fs::remove(pictures_[1]);
    fs::resize_file(pictures_[3], 50);
    std::ofstream(pictures_[4].string() + ".writing") << "half a picture";
  }
  comm_.barrier();
  (void)render_run(comm_, folder_, small_pictures());
  EXPECT_EQ(made_again(), "01010");
  expect_the_bytes_of_before();
  (void)render_run(comm_, folder_, small_pictures(), {}, {.again = true});
  EXPECT_EQ(made_again(), "11111");
  expect_the_bytes_of_before();
}

TEST_F(Interrupted, OtherOptionsOrFramesMakePicturesAgain) {
  render_all(small_pictures());
  Options others = fitted_to_run(comm_, folder_, small_pictures());
  others.threads = 2;  // no bit depends on it
  (void)render_run(comm_, folder_, others);
  EXPECT_EQ(made_again(), "00000");
  if (comm_.is_root()) {  // one frame of another run
    const fs::path frame = folder_ / "snapshots" / "000002.hdf";
    io::Snapshot snapshot = io::read_snapshot(frame);
    snapshot.part.position[0].x() += 1e-3;
    io::write_snapshot(core::Comm(MPI_COMM_SELF), frame, snapshot.header, snapshot.part);
  }
  comm_.barrier();
  (void)render_run(comm_, folder_, others);
  EXPECT_EQ(made_again(), "00100");
  others.palette.ground[1] += 0.01F;
  (void)render_run(comm_, folder_, others, {}, {.frames = {.first = 4}});
  EXPECT_EQ(made_again(), "00101");
}

/// Mean over all pixels.
Rgb mean_of(const Image& image) {
  Rgb sum = Rgb::Zero();
  for (const Rgb& pixel : image.pixels) sum += pixel;
  return sum / static_cast<float>(image.pixels.size());
}

TEST_F(RunPictures, PreviewIsTheSheetOfTheirPicturesButForNoise) {
  write_frames();
  const SheetOptions sheet{.columns = 2, .tile_width = 110, .max_pictures = 3, .gap = 2};
  Options options = fitted_to_run(comm_, folder_, small_pictures());
  options.samples_per_pixel = 8;
  render_preview(comm_, folder_, options, folder_ / "preview.png", sheet);
  const auto pictures = render_run(comm_, folder_, options);
  if (comm_.is_root()) {
    write_contact_sheet(pictures, folder_ / "sheet.png", sheet);
    const Image preview = read_image(folder_ / "preview.png"), whole = read_image(folder_ / "sheet.png");
    ASSERT_EQ(preview.width, whole.width);
    ASSERT_EQ(preview.height, whole.height);
    EXPECT_LT((mean_of(preview) - mean_of(whole)).abs().maxCoeff(), 0.01F);
    double difference = 0;
    for (std::size_t i = 0; i < whole.pixels.size(); ++i)
      difference += (preview.pixels[i] - whole.pixels[i]).abs().mean() / static_cast<double>(whole.pixels.size());
    EXPECT_LT(difference, 0.05);  // tiles in another order, or of another frame, differ by more
    render_preview(core::Comm(MPI_COMM_SELF), folder_, options, folder_ / "alone.png", sheet);
    EXPECT_EQ(bytes_of(folder_ / "preview.png"), bytes_of(folder_ / "alone.png"));
  }
  comm_.barrier();
  EXPECT_THROW(render_preview(comm_, folder_, options, folder_ / "absent" / "sheet.png", sheet), core::Error);
  comm_.barrier();
}

TEST_F(RunPictures, OneDamagedFrameIsAnErrorOnAllRanks) {
  write_frames();
  if (comm_.is_root()) fs::resize_file(folder_ / "snapshots" / "000002.hdf", 600);
  comm_.barrier();
  EXPECT_THROW((void)render_run(comm_, folder_, small_pictures()), core::Error);
  EXPECT_THROW((void)render_run(comm_, folder_ / "nowhere", small_pictures()), core::Error);
  Options bad = small_pictures();
  bad.height = -1;
  EXPECT_THROW((void)render_run(comm_, folder_, bad), core::Error);
  comm_.barrier();
}

TEST_F(RunPictures, AFrameThatCannotBeShownIsNamed) {
  const auto failure_with = [&](ColourBy colour_by, const auto& change) {
    write_frames();
    const fs::path third = folder_ / "snapshots" / "000002.hdf";
    if (comm_.is_root()) {
      io::Snapshot snapshot = io::read_snapshot(third);
      change(snapshot);
      io::write_snapshot(core::Comm(MPI_COMM_SELF), third, snapshot.header, snapshot.part);
    }
    comm_.barrier();
    Options options = small_pictures();
    options.colour_by = colour_by;
    try {
      (void)render_run(comm_, folder_, options);
    } catch (const core::Error& e) {
      EXPECT_THAT(e.what(), ::testing::StartsWith(third.string() + ": "));
      return std::string(e.what());
    }
    return std::string("rendered");
  };
  EXPECT_THAT(failure_with(ColourBy::speed, [](io::Snapshot& s) { s.part.boundary_element[0] = 12345; }),
              ::testing::HasSubstr("element 12345"));
  EXPECT_THAT(failure_with(ColourBy::piece, [](io::Snapshot& s) { s.header.colliders[0].kind = "teapot"; }),
              ::testing::HasSubstr("unknown kind \"teapot\""));
}

}  // namespace
}  // namespace brisance::render
