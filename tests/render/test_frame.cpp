/// Pictures whose brightness is known in closed form.
#include "brisance/core/error.hpp"

#include "plates.hpp"
#include "support/rigid_meshes.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

using test::append;
using test::box_snapshot;
using test::furnace;

double mean(const Image& image) {
  double sum = 0;
  for (const Rgb& pixel : image.pixels) sum += pixel.mean();
  return sum / static_cast<double>(image.pixels.size());
}

double worst_difference(const Image& image, float expected) {
  double worst = 0;
  for (const Rgb& pixel : image.pixels) worst = std::max<double>(worst, (pixel - expected).abs().maxCoeff());
  return worst;
}

/// Two boxes close to each other and over the ground: light bounces many times between them.
io::Snapshot two_boxes_on_the_ground() {
  io::Snapshot snapshot = box_snapshot(Vec3(0, 0, 0.5), Vec3(1, 1, 1));
  append(snapshot, box_snapshot(Vec3(1.05, 0, 0.4), Vec3(1, 1.2, 0.8)));
  snapshot.header.colliders.push_back({.name = "ground", .kind = "plane", .size = Vec3::UnitZ()});
  snapshot.header.colliders.push_back(
      {.name = "ball", .kind = "sphere", .centre = Vec3(0, -1.2, 0.4), .size = {0.4, 0, 0}});
  return snapshot;
}

TEST(Frame, WhiteSurfacesUnderAWhiteSkyAreInvisible) {
  // Furnace: every path ends in a sky of radiance 1 with weight 1, however often it bounced.
  const Image image = render_frame(two_boxes_on_the_ground(), furnace(1, 1, 1));
  EXPECT_LT(worst_difference(image, 1), 1e-5);
}

TEST(Frame, AMeshLooksLikeTheBoxItIs) {
  io::Snapshot snapshot = box_snapshot(Vec3(0, 0, 0.5), Vec3(1, 1, 1));
  const Options options = furnace(0.8F, 0, 0.5F);
  const Image without = render_frame(snapshot, options);
  io::Collider box{.name = "box", .kind = "box", .centre = Vec3(0.2, -0.8, 0.3), .size = Vec3(0.5, 0.2, 0.4)};
  box.orientation = {0.8, 0.6, 0, 0};
  io::Collider mesh = box;
  mesh.kind = "mesh";
  const test::ClosedSurface block = test::block(box.size);
  mesh.vertices = block.vertices;
  mesh.triangles = block.triangles;
  snapshot.header.colliders = {box};
  const Image of_box = render_frame(snapshot, options);
  snapshot.header.colliders = {mesh};
  const Image of_mesh = render_frame(snapshot, options);
  double difference = 0, change = 0;
  for (std::size_t i = 0; i < of_box.pixels.size(); ++i) {
    difference += (of_box.pixels[i] - of_mesh.pixels[i]).abs().mean() / static_cast<double>(of_box.pixels.size());
    change += (of_box.pixels[i] - without.pixels[i]).abs().mean() / static_cast<double>(of_box.pixels.size());
  }
  EXPECT_LT(difference, 1e-4);
  EXPECT_GT(change, 1e-2);
}

TEST(Frame, WhiteBodiesWithoutGroundKeepTheFurnaceToRounding) {
  io::Snapshot snapshot = two_boxes_on_the_ground();
  snapshot.header.colliders.clear();
  EXPECT_LT(worst_difference(render_frame(snapshot, furnace(1, 1, 1)), 1), 1e-5);
}

TEST(Frame, ConvexGreyBodyReflectsItsAlbedo) {
  // On a convex body nothing is hidden: ambient occlusion is 1 and the radiance exactly albedo × sky.
  Options options = furnace(0.8F, 0, 0.5F);
  options.camera = Camera{.eye = Vec3(0, -3, 0), .target = Vec3::Zero(), .up = Vec3::UnitZ(), .field_of_view_deg = 10};
  const Image image = render_frame(box_snapshot(Vec3::Zero(), Vec3(4, 1, 4)), options);
  EXPECT_LT(worst_difference(image, 0.4F), 1e-5);
}

TEST(Frame, SunOnAPlateFollowsLambertsCosine) {
  Options options = furnace(0, 0, 0.5F);
  options.lighting.sun = Rgb::Constant(1);
  options.lighting.sun_radius_deg = 0;
  options.lighting.sun_azimuth_from_view_deg = 40;
  options.lighting.sun_elevation_deg = 25;
  options.camera = Camera{.eye = Vec3(0, -3, 0), .target = Vec3::Zero(), .up = Vec3::UnitZ(), .field_of_view_deg = 10};
  const Image image = render_frame(box_snapshot(Vec3::Zero(), Vec3(4, 1, 4)), options);
  const double degree = std::acos(-1.0) / 180;
  const auto expected = static_cast<float>(0.5 * std::cos(40 * degree) * std::cos(25 * degree));
  EXPECT_LT(worst_difference(image, expected), 1e-5);
}

TEST(Frame, GroundUnderAWideRoofSeesHalfTheSky) {
  // Black roof edge straight above the seen point: half of the cosine-weighted sky is hidden, ambient occlusion 1/2.
  io::Snapshot snapshot = box_snapshot(Vec3(500, 0, 1.5), Vec3(1000, 2000, 1));
  snapshot.header.colliders.push_back({.name = "ground", .kind = "plane", .size = Vec3::UnitZ()});
  Options options = furnace(1, 0, 0);
  options.palette.ground = Rgb::Ones();
  options.samples_per_pixel = 256;
  options.width = options.height = 8;
  options.camera =
      Camera{.eye = Vec3(-2, 0, 0.5), .target = Vec3::Zero(), .up = Vec3::UnitZ(), .field_of_view_deg = 0.01};
  options.lighting.background_top = options.lighting.background_bottom = Rgb::Constant(0.5F);
  EXPECT_NEAR(mean(render_frame(snapshot, options)), 0.5, 0.02);
}

TEST(Frame, SquareCoversItsShareOfThePixels) {
  // The front face, edge 1 at distance 2, under 90 degrees of view covers (1/4)² of a square picture.
  Options options = furnace(1, 0, 1);
  options.width = options.height = 64;
  options.camera = Camera{.eye = Vec3(0, -2, 0), .target = Vec3::Zero(), .up = Vec3::UnitZ(), .field_of_view_deg = 90};
  const Image image = render_frame(box_snapshot(Vec3(0, 0.05, 0), Vec3(1, 0.1, 1)), options);
  EXPECT_NEAR(mean(image), 1.0 / 16, 1e-5);
  EXPECT_NEAR(image.at(24, 24).mean(), 1, 1e-5);
  EXPECT_NEAR(image.at(23, 32).mean(), 0, 1e-5);
  EXPECT_NEAR(image.at(39, 39).mean(), 1, 1e-5);
  EXPECT_NEAR(image.at(40, 32).mean(), 0, 1e-5);
}

TEST(Frame, ThreadsDoNotChangeABit) {
  Options options;
  options.width = 80;
  options.height = 60;
  const io::Snapshot snapshot = two_boxes_on_the_ground();
  const Image one = render_frame(snapshot, options);
  options.threads = 3;
  const Image three = render_frame(snapshot, options);
  for (std::size_t i = 0; i < one.pixels.size(); ++i) ASSERT_TRUE((one.pixels[i] == three.pixels[i]).all()) << i;
  options.seed = 2;
  const Image other = render_frame(snapshot, options);
  bool differs = false;
  for (std::size_t i = 0; i < one.pixels.size(); ++i) differs = differs || (one.pixels[i] != other.pixels[i]).any();
  EXPECT_TRUE(differs);
}

TEST(Frame, FarFromTheOriginThePictureIsTheSame) {
  // Positions are taken relative to the object before they become single precision.
  const Vec3 far(1e5, -2e5, 3e4);
  Options options = furnace(1, 0, 0.5F);
  const Image here = render_frame(box_snapshot(Vec3::Zero(), Vec3(1, 1, 1)), options);
  const Image there = render_frame(box_snapshot(far, Vec3(1, 1, 1)), options);
  double worst = 0;
  for (std::size_t i = 0; i < here.pixels.size(); ++i)
    worst = std::max<double>(worst, (here.pixels[i] - there.pixels[i]).abs().maxCoeff());
  EXPECT_LT(worst, 0.07);  // one of 16 samples at an edge may fall to the other side: 0.5/16
}

TEST(Frame, BadRequestsAreRefused) {
  io::Snapshot snapshot = box_snapshot(Vec3::Zero(), Vec3(1, 1, 1));
  Options options;
  options.width = 0;
  EXPECT_THROW((void)render_frame(snapshot, options), core::Error);
  EXPECT_THROW((void)colour_by_named("temperature"), core::Error);
  EXPECT_EQ(colour_by_named("piece"), ColourBy::piece);
  options = Options{};
  snapshot.part.boundary[0][1] = 1000000;
  EXPECT_THROW((void)render_frame(snapshot, options), core::Error);
  snapshot = {};
  EXPECT_THROW((void)render_frame(snapshot, options), core::Error);
}

}  // namespace
}  // namespace brisance::render
