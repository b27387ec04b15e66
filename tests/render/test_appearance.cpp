/// Materials of objects, cracks and colliders in whole pictures.
#include "brisance/core/error.hpp"

#include "plates.hpp"

#include <filesystem>
#include <utility>

#include <gmock/gmock.h>
#include <unistd.h>

namespace brisance::render {
namespace {

using test::append;
using test::box_snapshot;
using test::furnace;

core::Specification grey(const std::string& name, double albedo) {
  return {name, "diffuse", {{"colour", Vec3(albedo, albedo, albedo)}}};
}

Assignment assigned(std::string outside, std::string cracks = "", std::vector<std::string> materials = {},
                    std::string collider = "") {
  return {.materials = std::move(materials),
          .collider = std::move(collider),
          .outside = std::move(outside),
          .cracks = std::move(cracks)};
}

/// The front (−y) side of a box fills the picture.
Options front_view() {
  Options options = furnace(1, 0, 0.5F);
  options.width = options.height = 16;
  options.camera = Camera{.eye = Vec3(0, -3, 0), .target = Vec3::Zero(), .up = Vec3::UnitZ(), .field_of_view_deg = 10};
  return options;
}

io::Snapshot named_box() {
  io::Snapshot snapshot = box_snapshot(Vec3::Zero(), Vec3(4, 1, 4));
  snapshot.header.material_names = {"clay"};
  return snapshot;
}

/// Albedo of the front side under a white sky.
float front(const io::Snapshot& snapshot, const Options& options) {
  return render_frame(snapshot, options).at(8, 8).mean();
}

std::string error_of(const io::Snapshot& snapshot, const Options& options) {
  try {
    (void)render_frame(snapshot, options);
  } catch (const core::Error& e) {
    return e.what();
  }
  return "rendered";
}

TEST(Appearance, OutsideAndCracksHaveMaterialsOfTheirOwn) {
  io::Snapshot snapshot = named_box();
  Options options = front_view();
  options.appearance.materials = {grey("light", 0.9), grey("dark", 0.2)};
  options.appearance.assignments = {assigned("light", "dark")};
  EXPECT_NEAR(front(snapshot, options), 0.9F, 1e-5);
  for (auto& source : snapshot.part.source_triangle) source = -1;
  EXPECT_NEAR(front(snapshot, options), 0.2F, 1e-5);
}

TEST(Appearance, TheLastAssignmentHoldsAndOthersKeepTheirColours) {
  io::Snapshot snapshot = named_box();
  Options options = front_view();
  options.appearance.materials = {grey("light", 0.9), grey("dark", 0.2)};
  options.appearance.assignments = {assigned("light"), assigned("dark", "", {"clay"})};
  EXPECT_NEAR(front(snapshot, options), 0.2F, 1e-5);
  snapshot.header.material_names = {"clay (crushed)"};  // is still shown as clay
  EXPECT_NEAR(front(snapshot, options), 0.2F, 1e-5);
  options.appearance.assignments = {};
  EXPECT_NEAR(front(snapshot, options), 0.5F, 1e-5);
}

TEST(Appearance, AColliderHasAMaterialToo) {
  io::Snapshot snapshot = box_snapshot(Vec3(0, 0, 50), Vec3(1, 1, 1));
  snapshot.header.colliders.push_back({.name = "wall", .kind = "box", .centre = Vec3::Zero(), .size = Vec3(4, 1, 4)});
  Options options = front_view();
  options.appearance.materials = {grey("dark", 0.2)};
  options.appearance.assignments = {assigned("dark", "", {}, "wall")};
  EXPECT_NEAR(front(snapshot, options), 0.2F, 1e-4);  // the box far above hides next to nothing
  options.appearance.assignments[0].collider = "door";
  EXPECT_THAT(error_of(snapshot, options), ::testing::HasSubstr("collider \"door\""));
}

TEST(Appearance, FieldsAndPiecesAreShownMatt) {
  Options options = front_view();
  options.appearance.materials = {grey("dark", 0.2)};
  options.appearance.assignments = {assigned("dark")};
  options.colour_by = ColourBy::piece;
  EXPECT_NEAR(front(named_box(), options), distinct_colour(0).mean(), 1e-4);
}

TEST(Appearance, WhatIsNotThereIsRefused) {
  Options options = front_view();
  options.appearance.assignments = {assigned("dark")};
  EXPECT_THAT(error_of(named_box(), options), ::testing::HasSubstr("no render.material \"dark\""));
  options.appearance.materials = {grey("dark", 0.2), grey("dark", 0.3)};
  EXPECT_THAT(error_of(named_box(), options), ::testing::HasSubstr("called \"dark\""));
  options.appearance.materials = {grey("dark", 0.2)};
  options.appearance.assignments[0].materials = {"wood"};
  EXPECT_THAT(error_of(named_box(), options), ::testing::HasSubstr("material \"wood\""));
}

TEST(Appearance, ACameraInsideAnObjectIsRefusedButNotInsideDust) {
  Options options = front_view();
  options.camera->eye = Vec3(0.1, 0.2, 0.3);
  io::Snapshot snapshot = named_box();
  EXPECT_THAT(error_of(snapshot, options), ::testing::HasSubstr("inside an object"));
  // the same body beside one of many more tets
  append(snapshot, box_snapshot(Vec3(0, 50, 0), Vec3(4, 1, 4), 8));
  options.dust_share = 0.1;
  EXPECT_EQ(error_of(snapshot, options), "rendered");
  options.dust_share = 0;
  EXPECT_THAT(error_of(snapshot, options), ::testing::HasSubstr("inside an object"));
}

TEST(Appearance, GlassHasTheSameBitsOnAnyThreads) {
  io::Snapshot snapshot = box_snapshot(Vec3(0, 0, 0.5), Vec3(1, 1, 1));
  append(snapshot, box_snapshot(Vec3(1.05, 0, 0.4), Vec3(1, 1.2, 0.8)));
  snapshot.header.colliders.push_back({.name = "ground", .kind = "plane", .size = Vec3::UnitZ()});
  Options options;
  options.width = 48;
  options.height = 36;
  options.samples_per_pixel = 4;
  options.appearance.materials = {{"glass", "dielectric", {{"roughness", 0.0}, {"absorption_per_m", Vec3(1, 2, 3)}}}};
  options.appearance.assignments = {assigned("glass", "glass")};
  RayCount alone, shared;
  const Image one = render_frame(snapshot, options, &alone);
  for (options.threads = 2; options.threads <= 4; ++options.threads) {
    shared = {};
    const Image other = render_frame(snapshot, options, &shared);
    for (std::size_t i = 0; i < one.pixels.size(); ++i) ASSERT_TRUE((one.pixels[i] == other.pixels[i]).all()) << i;
    EXPECT_EQ(alone.paths, shared.paths);
    EXPECT_EQ(alone.shadows, shared.shadows);
  }
}

class Textures : public ::testing::Test {
protected:
  Textures()
      : file_(std::filesystem::temp_directory_path() / ("brisance_texture_" + std::to_string(::getpid()) + ".png")) {
    Image image(8, 8);
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x)
        image.at(x, y) = Rgb(0.1F * static_cast<float>(x), 0.1F * static_cast<float>(y), 0.5F);
    write_png(image, file_);
  }
  ~Textures() override { std::filesystem::remove(file_); }

  [[nodiscard]] Options textured(double size_m) const {
    Options options = front_view();
    options.appearance.materials = {{"print", "texture", {{"file", file_.string()}, {"size_m", size_m}}}};
    options.appearance.assignments = {assigned("print")};
    return options;
  }

  std::filesystem::path file_;
};

double difference(const Image& a, const Image& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    worst = std::max<double>(worst, (a.pixels[i] - b.pixels[i]).abs().maxCoeff());
  return worst;
}

TEST_F(Textures, AnImageStaysWhereItIsAtRest) {
  Options options = textured(0.4);
  const io::Snapshot at_rest = named_box();
  const Image before = render_frame(at_rest, options);
  EXPECT_GT((before.at(3, 8) - before.at(12, 8)).abs().maxCoeff(), 0.05F);  // it has a pattern
  io::Snapshot moved = at_rest;
  const Vec3 shift(0.13, 0.7, 0.21);
  for (Vec3& x : moved.part.position) x += shift;
  options.camera->eye += shift;
  options.camera->target += shift;
  EXPECT_LT(difference(before, render_frame(moved, options)), 1e-3);
  for (Vec3& x : moved.part.rest_position) x += shift;  // another place of the object at rest
  EXPECT_GT(difference(before, render_frame(moved, options)), 0.05);
}

TEST_F(Textures, CoordinatesAreTakenWhereThereAreAny) {
  io::Snapshot snapshot = named_box();
  EXPECT_THAT(error_of(snapshot, textured(0)), ::testing::HasSubstr("texture coordinates"));
  // everywhere the middle of pixel (6, 1), counted from the upper left
  const double u = 6.5 / 8, v = 1 - 1.5 / 8;
  io::StateColumn column{.name = "texture", .unit = "–", .width = 6, .values = {}};
  for (std::size_t e = 0; e < snapshot.part.tets.size(); ++e)
    column.values.insert(column.values.end(), {u, v, u, v, u, v});
  snapshot.part.element_state = {column};
  const Rgb seen = render_frame(snapshot, textured(0)).at(8, 8);
  EXPECT_LT((seen - Rgb(0.6F, 0.1F, 0.5F)).abs().maxCoeff(), 0.01F);  // eight bits of the file
  snapshot.part.rest_position.clear();
  EXPECT_THAT(error_of(snapshot, textured(0.4)), ::testing::HasSubstr("positions at rest"));
}

}  // namespace
}  // namespace brisance::render
