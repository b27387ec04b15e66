/// Vertex colours and texture coordinates at the nearest point of an input surface.
#include "brisance/mesh/formats/painted_surface.hpp"

#include "surface_files.hpp"

#include <gmock/gmock.h>

namespace brisance::mesh {
namespace {

using test::error_of;
using ::testing::HasSubstr;

class PaintedSurfaces : public test::FileTest {};

// A square in the plane z = 1: red grows with x from 0 to 1, u = x/2, v = y/4; and a triangle without area.
constexpr const char* kPaintedSquare =
    "v 0 0 1 0 0 0.5\nv 2 0 1 1 0 0.5\nv 2 2 1 1 1 0.5\nv 0 2 1 0 1 0.5\n"
    "vt 0 0\nvt 1 0\nvt 1 0.5\nvt 0 0.5\n"
    "f 1/1 2/2 3/3 4/4\nf 1/1 2/2 1/1\n";

TEST_F(PaintedSurfaces, AreLinearAndReachInwards) {
  const PaintedSurface surface(write("square.obj", kPaintedSquare), 0.5);
  ASSERT_TRUE(surface.has_colours());
  ASSERT_TRUE(surface.has_texture());
  for (const double x : {0.0, 0.35, 1.0})
    for (const double y : {0.1, 0.9})
      for (const double z : {0.5, -3.0, 0.7}) {
        const PaintedSurface::Paint paint = surface.at({x, y, z});
        EXPECT_NEAR(paint.colour[0], x, 1e-15);
        EXPECT_NEAR(paint.colour[1], y, 1e-15);
        EXPECT_NEAR(paint.colour[2], 0.5, 1e-15);
        EXPECT_NEAR(paint.texture[0], x, 1e-15);
        EXPECT_NEAR(paint.texture[1], y / 2, 1e-15);
      }
  EXPECT_NEAR(surface.at({7, 0.5, 2}).colour[0], 1, 1e-15);  // the nearest point is on the rim
}

TEST_F(PaintedSurfaces, KnowWhatTheFileLacks) {
  const PaintedSurface plain(write("cube.obj", test::cube_obj()), 1);
  EXPECT_FALSE(plain.has_colours());
  EXPECT_FALSE(plain.has_texture());
  EXPECT_THAT(error_of([&] { (void)PaintedSurface(write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"), 1); }),
              HasSubstr("no triangle with an area"));
}

}  // namespace
}  // namespace brisance::mesh
