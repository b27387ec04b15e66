/// Samples to a noise target, lens and shutter, against scenes in closed form.
#include "brisance/core/error.hpp"
#include "brisance/render/render.hpp"

#include "render/film/prepared_frame.hpp"
#include "render/plates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

using test::box_snapshot;
using test::furnace;

/// A white ground that sees half of a white sky under the edge of a black roof: radiance 1/2, each sample 0 or 1.
io::Snapshot half_sky() {
  io::Snapshot snapshot = box_snapshot(Vec3(500, 0, 1.5), Vec3(1000, 2000, 1));
  snapshot.header.colliders.push_back({.name = "ground", .kind = "plane", .size = Vec3::UnitZ()});
  return snapshot;
}

Options half_sky_options(double noise) {
  Options options = furnace(1, 0, 0);
  options.palette.ground = Rgb::Ones();
  options.lighting.background_top = options.lighting.background_bottom = Rgb::Constant(0.5F);
  options.width = options.height = 24;
  options.samples_per_pixel = 4096;
  options.camera =
      Camera{.eye = Vec3(-2, 0, 0.5), .target = Vec3::Zero(), .up = Vec3::UnitZ(), .field_of_view_deg = 0.01};
  options.exposure.noise = noise;
  return options;
}

struct Measured {
  double error;    ///< root mean square over pixels of the displayed value's relative error
  double samples;  ///< a pixel
};

Measured measured(double noise) {
  RayCount count;
  const Image image = render_frame(half_sky(), half_sky_options(noise), &count);
  double squares = 0;
  for (const Rgb& pixel : image.pixels) squares += std::pow((pixel.mean() - 0.5) / (0.52 * 1.5), 2);
  const auto pixels = static_cast<double>(image.pixels.size());
  return {std::sqrt(squares / pixels), static_cast<double>(count.samples) / pixels};
}

TEST(Noise, TheMeasuredErrorIsBelowTheTarget) {
  // The error of a mean falls as 1/√n. Points that are spread evenly do better: so errors are below the estimate.
  const Measured coarse = measured(0.04), fine = measured(0.02);
  EXPECT_LT(coarse.error, 0.04);
  EXPECT_LT(fine.error, 0.02);
  EXPECT_LT(fine.error, coarse.error);
  EXPECT_NEAR(fine.samples / coarse.samples, 4, 0.4);
  EXPECT_GT(coarse.samples, 40);
}

TEST(Noise, EvenPixelsEndAfterTheLeastSamples) {
  Options options = furnace(1, 1, 1);
  options.samples_per_pixel = 1024;
  options.exposure = {.noise = 0.01, .min_samples = 32};
  RayCount count;
  (void)render_frame(box_snapshot(Vec3::Zero(), Vec3(1, 1, 1)), options, &count);
  EXPECT_EQ(count.samples, 32U * options.width * options.height);
}

TEST(Noise, PixelsAreTheSameHoweverRowsAreDivided) {
  Options options = half_sky_options(0.05);
  options.threads = 3;
  const PreparedFrame frame(half_sky(), options);
  RayCount count;
  const auto nothing = [](double /*share*/) {};
  const auto whole = frame.rows({}, nothing, count);
  const std::size_t row = options.width * frame.num_values();
  for (int stride = 2; stride < 5; ++stride)
    for (int first = 0; first < stride; ++first) {
      const auto part = frame.rows({.first = first, .stride = stride}, nothing, count);
      for (std::size_t i = 0; i < part.size() / row; ++i)
        EXPECT_TRUE(std::equal(&part[i * row], &part[i * row] + row, &whole[(first + i * stride) * row]));
    }
}

/// A black plate over x < 0 at depth 2 before a white background. 90 degrees of view: 1 m at depth d is 50/d pixels.
Options edge_options() {
  Options options = furnace(0, 1, 0);
  options.width = 100;
  options.height = 100;
  options.samples_per_pixel = 64;
  options.camera = Camera{.eye = Vec3(0, -2, 0), .target = Vec3::Zero(), .up = Vec3::UnitZ(), .field_of_view_deg = 90};
  return options;
}

io::Snapshot edge() { return box_snapshot(Vec3(-10, 5e-4, 0), Vec3(20, 1e-3, 40), 1); }

/// Mean over the column, which covers x from (column − 50)/25 to 1/25 m more at depth 2.
double column_mean(const Image& image, int column) {
  double sum = 0;
  for (int y = 0; y < image.height; ++y) sum += image.at(column, y).mean();
  return sum / image.height;
}

/// Mean of a function over a column's x [m].
template <class Function>
double over_column(int column, const Function& function) {
  constexpr int kSteps = 1000;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) sum += function((column - 50 + (i + 0.5) / kSteps) / 25);
  return sum / kSteps;
}

/// 3σ of the mean of 6400 samples of variance 1/4 at most.
constexpr double kThreeSigma = 3 * 0.5 / 80;

TEST(Lens, ADiscOfConfusionBlursAnEdge) {
  Options options = edge_options();
  options.exposure = {.aperture_m = 0.4, .focus_m = 4};
  const Image image = render_frame(edge(), options);
  // A ray to x on the scale of depth 2, from the lens at X, passes depth 2 at x + X (1 − 2/4).
  const double radius = 0.2 * 0.5;
  const auto visible = [&](double x) {  // share of a disc about x with positive coordinates
    const double t = std::clamp(x / radius, -1.0, 1.0);
    return 0.5 + (std::asin(t) + t * std::sqrt(1 - t * t)) / std::numbers::pi;
  };
  for (int column = 44; column < 56; ++column)
    EXPECT_NEAR(column_mean(image, column), over_column(column, visible), kThreeSigma) << column;
}

TEST(Lens, WhatIsInFocusIsSharp) {
  Options options = edge_options();
  options.exposure.aperture_m = 0.4;  // focus at the target
  const Image image = render_frame(edge(), options);
  for (int column = 40; column < 60; ++column)
    EXPECT_NEAR(column_mean(image, column), column < 50 ? 0 : 1, 1e-2) << column;
}

TEST(Shutter, AMovingEdgeIsARamp) {
  io::Snapshot snapshot = edge();
  for (Vec3& velocity : snapshot.part.velocity) velocity = Vec3(3, 0, 0);
  Options options = edge_options();
  options.exposure = {.shutter = 0.5, .frame_interval_s = 0.1};
  const Image image = render_frame(snapshot, options);
  const double reach = 0.5 * 0.5 * 0.1 * 3;  // each way
  for (int column = 44; column < 56; ++column)
    EXPECT_NEAR(column_mean(image, column),
                over_column(column, [&](double x) { return std::clamp(0.5 + 0.5 * x / reach, 0.0, 1.0); }), kThreeSigma)
        << column;
}

TEST(Shutter, WhatRestsIsSharpBesideIt) {
  io::Snapshot snapshot = edge();
  snapshot.header.colliders.push_back({.name = "ball", .kind = "sphere", .centre = Vec3(3, 8, 0), .size = {1, 0, 0}});
  snapshot.header.colliders[0].velocity = Vec3(0, 0, 5);
  Options options = edge_options();
  options.exposure = {.shutter = 0.5, .frame_interval_s = 0.1};
  const Image image = render_frame(snapshot, options);
  EXPECT_NEAR(column_mean(image, 49), 0, 1e-6);
  EXPECT_NEAR(column_mean(image, 51), 1, 1e-6);
}

TEST(Shutter, NeedsVelocities) {
  io::Snapshot snapshot = edge();
  snapshot.part.velocity.clear();
  Options options = edge_options();
  options.exposure = {.shutter = 0.5, .frame_interval_s = 0.1};
  EXPECT_THROW((void)render_frame(snapshot, options), core::Error);
}

TEST(Exposure, RefusesValuesOutOfRange) {
  for (const Exposure& bad : {Exposure{.noise = -0.1}, Exposure{.noise = 1}, Exposure{.min_samples = 1},
                              Exposure{.shutter = 1.5}, Exposure{.aperture_m = -1}, Exposure{.focus_m = NAN}}) {
    Options options;
    options.exposure = bad;
    EXPECT_THROW(check(options), core::Error);
  }
}

/// Value of a layer at a pixel.
float at(const LayeredImage& image, const std::string& name, int x, int y) {
  const Channel* const channel = image.find(name);
  EXPECT_NE(channel, nullptr) << name;
  return channel == nullptr ? 0 : channel->values[static_cast<std::size_t>(y) * image.width + x];
}

TEST(LayersOfAFrame, SayWhatIsSeen) {
  io::Snapshot snapshot = edge();
  for (Vec3& velocity : snapshot.part.velocity) velocity = Vec3(1, 2, 3);
  snapshot.header.material_names = {"clay"};
  Options options = edge_options();
  options.palette.original = Rgb(0.5F, 0.25F, 0);
  const LayeredImage image = render_layers(snapshot, options);
  EXPECT_NEAR(at(image, "Z", 20, 50), 2, 1e-4);
  EXPECT_EQ(at(image, "Z", 80, 50), 1e10F);
  EXPECT_EQ(at(image, "A", 20, 50), 1);
  EXPECT_EQ(at(image, "A", 80, 50), 0);
  EXPECT_EQ(at(image, "albedo.G", 20, 50), 0.25F);
  EXPECT_NEAR(at(image, "normal.Y", 20, 50), -1, 1e-5);
  EXPECT_NEAR(at(image, "velocity.Z", 20, 50), 3, 1e-5);
  EXPECT_EQ(at(image, "piece.X", 20, 50), 0);
  EXPECT_EQ(at(image, "background.R", 80, 50), 1);
  EXPECT_EQ(at(image, "R", 80, 50), 0);
  EXPECT_EQ(at(image, "crypto_object00.R", 20, 50), crypto_id("clay"));
  EXPECT_EQ(at(image, "crypto_piece00.R", 20, 50), crypto_id("piece_0"));
  EXPECT_EQ(at(image, "crypto_piece00.G", 20, 50), 1);
  EXPECT_EQ(at(image, "crypto_piece00.G", 80, 50), 0);
}

TEST(LayersOfAFrame, ColourAndBackgroundAreThePicture) {
  io::Snapshot snapshot = box_snapshot(Vec3(0, 0, 0.5), Vec3(1, 1, 1));
  snapshot.header.colliders.push_back({.name = "ground", .kind = "plane", .size = Vec3::UnitZ()});
  Options options;
  options.width = 64;
  options.height = 48;
  const Image image = render_frame(snapshot, options);
  const LayeredImage layers = render_layers(snapshot, options);
  const char* const names[] = {"R", "G", "B"};
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < 64 * 48; ++i) {
      const std::string name = names[c];
      const float sum = at(layers, name, i % 64, i / 64) + at(layers, "background." + name, i % 64, i / 64);
      ASSERT_NEAR(sum, image.pixels[i][c], 1e-5);
    }
}

}  // namespace
}  // namespace brisance::render
