// Factors painted on an input surface: images and vertex colours, and what is refused.
#include "mesh/surface_files.hpp"
#include "sim/setup/paint.hpp"

#include <gmock/gmock.h>

namespace brisance::sim {
namespace {

using test::error_of;
using ::testing::HasSubstr;

// 2 by 2 pixels: 0 and 255 in the upper row, 51 and 102 in the lower one.
constexpr const char* kGrey = "P2\n2 2\n255\n0 255\n51 102\n";
// One pixel: red 255, green 102, blue 0.
constexpr const char* kOrange = "P3\n1 1\n255\n255 102 0\n";
// A unit square in the plane z = 0, u from 0 to `farthest`; red grows with x from 0 to `brightest`.
std::string square(const std::string& farthest, const std::string& brightest) {
  return "v 0 0 0 0 0 0\nv 1 0 0 " + brightest + " 0 0\nv 1 1 0 " + brightest + " 0 0\nv 0 1 0 0 0 0\nvt 0 0\nvt " +
         farthest + " 0\nvt " + farthest + " 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n";
}

class Paints : public test::FileTest {
protected:
  [[nodiscard]] Paint paint(const std::string& surface) {
    object_.name = "plate";
    object_.mesh.shape = mesh::ShapeKind::file;
    object_.mesh.file = write("square.obj", surface);
    return Paint(factor_, PlacedObject{object_, "the plate", mesh_, {}});
  }

  FactorParameters factor_;
  ObjectParameters object_;
  mesh::TetMesh mesh_;
};

TEST_F(Paints, ImagesAreBilinearFromTheLowerLeft) {
  const PaintImage image(write("grey.pgm", kGrey), PaintChannel::luminance);
  EXPECT_NEAR(image.at({0.25, 0.25}), 0.2, 1e-7);
  EXPECT_NEAR(image.at({0.75, 0.25}), 0.4, 1e-7);
  EXPECT_NEAR(image.at({0.25, 0.75}), 0, 1e-7);
  EXPECT_NEAR(image.at({0.5, 0.75}), 0.5, 1e-7);
  EXPECT_NEAR(image.at({0.75, 0.5}), 0.7, 1e-7);
  EXPECT_NEAR(image.at({-0.25, 3.75}), 1, 1e-7);  // repeated
  EXPECT_NEAR(image.at({0, 0}), 0.2, 1e-7);       // the edge of the image
  EXPECT_NEAR(image.at({-1e-12, 0}), 0.3, 1e-7);  // between opposite edges
}

TEST_F(Paints, ChannelsAreAsStored) {
  const std::filesystem::path file = write("orange.ppm", kOrange);
  EXPECT_NEAR(PaintImage(file, PaintChannel::green).at({0, 0}), 0.4, 1e-7);
  EXPECT_NEAR(PaintImage(file, PaintChannel::luminance).at({0, 0}), 0.2126 + 0.4 * 0.7152, 1e-7);
  EXPECT_THAT(error_of([&] { (void)PaintImage(file, PaintChannel::alpha); }),
              HasSubstr("has the channels R, G, B; none is A."));
  EXPECT_THAT(error_of([&] { (void)PaintImage(write("no.png", "P"), PaintChannel::red); }),
              HasSubstr("cannot read the picture"));
}

TEST_F(Paints, ScaleFromBlackToWhite) {
  factor_.colour = VertexColour::red;
  factor_.black = 0.5;
  factor_.white = 3;
  Paint red = paint(square("1", "1"));
  EXPECT_NEAR(red.at({0, 0.5, -0.2}), 0.5, 1e-12);
  EXPECT_NEAR(red.at({0.5, 0.5, -0.2}), 1.75, 1e-12);
  EXPECT_NEAR(red.at({1, 0.5, 5}), 3, 1e-12);
  factor_.colour = VertexColour::luminance;
  EXPECT_NEAR(paint(square("1", "1")).at({1, 0.5, 0}), 0.5 + 2.5 * 0.2126, 1e-12);
}

TEST_F(Paints, SayOnceThatAnImageIsRepeated) {
  factor_.image = write("grey.pgm", kGrey);
  factor_.black = 1;
  factor_.white = 2;
  Paint inside = paint(square("1", "1"));
  EXPECT_NEAR(inside.at({0.75, 0.75, 0}), 2, 1e-7);
  EXPECT_FALSE(inside.note());
  Paint twice = paint(square("2", "1"));
  EXPECT_NEAR(twice.at({0.875, 0.75, 0}), 2, 1e-7);
  EXPECT_NEAR(twice.at({0.625, 0.75, 0}), 1, 1e-7);
  EXPECT_EQ(twice.note(), "plate: texture coordinates of 2 tets are outside 0 to 1: the image grey.pgm is repeated");
}

TEST_F(Paints, RefuseWhatIsNoPaint) {
  factor_.colour = VertexColour::red;
  EXPECT_THAT(error_of([&] { (void)paint(test::cube_obj()); }), HasSubstr("square.obj has no vertex colours."));
  Paint bytes = paint(square("1", "200"));
  EXPECT_THAT(error_of([&] {
                (void)bytes.at({1, 0, 0});
              }),
              HasSubstr("object \"plate\" has a vertex colour of 200; paint must be from 0 to 1."));
  factor_.colour = VertexColour::none;
  factor_.image = write("grey.pgm", kGrey);
  EXPECT_THAT(error_of([&] { (void)paint(test::cube_obj()); }),
              HasSubstr("square.obj has no texture coordinates for the image"));
  object_.mesh.shape = mesh::ShapeKind::box;
  EXPECT_THAT(error_of([&] {
                (void)Paint(factor_, PlacedObject{object_, "box", mesh_, {}});
              }),
              HasSubstr("object \"plate\" is not made of a surface file, so it has no paint."));
}

}  // namespace
}  // namespace brisance::sim
