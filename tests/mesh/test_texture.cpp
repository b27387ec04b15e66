/// Texture coordinates on parts of faces.
#include "brisance/core/error.hpp"
#include "brisance/mesh/formats/texture.hpp"

#include "support/captured_log.hpp"
#include "surface_files.hpp"

#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

class TextureTest : public test::FileTest {};

// A square in the plane z = 1 with u = x/2, v = y/4, and a triangle without coordinates.
constexpr const char* kSquare =
    "v 0 0 1\nv 2 0 1\nv 2 2 1\nv 0 2 1\nv 0 0 5\n"
    "vt 0 0\nvt 1 0\nvt 1 0.5\nvt 0 0.5\n"
    "f 1/1 2/2 3/3 -2/-1\nf 1 2 5\n";

TEST_F(TextureTest, IsLinearOverAPolygon) {
  const Texture texture = Texture::read(write("square.obj", kSquare), 1);
  ASSERT_FALSE(texture.empty());
  for (const double x : {0.0, 0.3, 1.0, 1.9})
    for (const double y : {0.0, 0.7, 2.0}) {
      const auto [u, v] = texture.at(0, {x, y, 1});
      EXPECT_NEAR(u, x / 2, 1e-15);
      EXPECT_NEAR(v, y / 4, 1e-15);
    }
  EXPECT_EQ(texture.at(1, {1, 0, 1}), (std::array<double, 2>{0, 0}));
}

TEST_F(TextureTest, CornersThatAFaceHasTwiceLoseNoCoordinates) {
  std::string twice = kSquare;
  twice.replace(twice.find("f 1/1 2/2"), 9, "f 1/1 1/3 2/2");
  const Texture texture = Texture::read(write("square.obj", twice + "f 1/1 2/2 2/2 1/1\n"), 1);
  EXPECT_NEAR(texture.at(0, {1.9, 2, 1})[0], 0.95, 1e-15);
  EXPECT_NEAR(texture.at(0, {0.1, 0.2, 1})[1], 0.05, 1e-15);
}

TEST_F(TextureTest, PositionsAreScaled) {
  const Texture texture = Texture::read(write("square.obj", kSquare), 0.001);
  EXPECT_NEAR(texture.at(0, {0.001, 0, 0.001})[0], 0.5, 1e-12);
}

TEST_F(TextureTest, PiecesGetItOutsideOnly) {
  PieceSurface piece;
  piece.surface.vertices = {{0.5, 0.5, 1}, {1, 0.5, 1}, {0.5, 1, 1}};
  piece.surface.triangles = {{0, 1, 2}, {0, 2, 1}};
  piece.surface.source_face = {0, -1};
  piece.neighbour = {kNoNeighbour, 3};
  set_texture(piece, Texture::read(write("square.obj", kSquare)));
  ASSERT_EQ(piece.texture.size(), 2u);
  const std::array<double, 6> expected{0.25, 0.125, 0.5, 0.125, 0.25, 0.25};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(piece.texture[0][i], expected[i], 1e-15);
  EXPECT_EQ(piece.texture[1], (std::array<double, 6>{}));
}

// The shape does not depend on them: only the corners that have invalid ones get none.
TEST_F(TextureTest, CoordinatesThatAreNotFiniteAreIgnoredWithAWarning) {
  for (const char* odd : {"vt nan nan", "vt inf 0", "vt 1e999 0", "vt x y"}) {
    std::string text = kSquare;
    text.replace(text.find("vt 1 0\n"), 6, odd);
    std::optional<Texture> texture;
    const std::string log = test::log_of([&] { texture = Texture::read(write("square.obj", text), 1); });
    EXPECT_THAT(log,
                testing::HasSubstr("square.obj: 1 texture coordinate (vt) is no finite number, the first in line 7"))
        << odd;
    EXPECT_EQ(texture->at(0, {2, 0, 1}), (std::array<double, 2>{0, 0})) << odd;  // the corner that has it
    EXPECT_NEAR(texture->at(0, {2, 2, 1})[0], 1, 1e-15);
    EXPECT_NEAR(texture->at(0, {0, 2, 1})[1], 0.5, 1e-15);
  }
}

TEST_F(TextureTest, FilesWithoutAnyGiveNone) {
  EXPECT_TRUE(Texture::read(write("plain.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")).empty());
  EXPECT_THROW((void)Texture::read(write("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/2 3/1\n")),
               core::Error);
}

}  // namespace
}  // namespace brisance::mesh
