/// Surface readers against the same bodies written in each format, against the dialects of other programs, and against
/// damaged files.
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/surface/clean.hpp"

#include "support/captured_log.hpp"
#include "surface_files.hpp"

#include <algorithm>

#include <gmock/gmock.h>

namespace brisance::mesh {
namespace {

using test::bytes_of;
using test::error_of;
using ::testing::HasSubstr;

class ReadSurface : public test::FileTest {
protected:
  std::string error_reading(const std::string& name, const std::string& bytes) const {
    return error_of([&] { (void)read_surface(write(name, bytes)); });
  }
};

TEST_F(ReadSurface, ObjCubeOfQuadsHasUnitVolumeAndKeepsItsFaces) {
  const Surface cube = read_surface(write("cube.obj", test::cube_obj()));
  EXPECT_EQ(cube.vertices.size(), 8u);
  EXPECT_EQ(cube.triangles.size(), 12u);
  EXPECT_DOUBLE_EQ(test::signed_volume(cube), 1);
  EXPECT_EQ(cube.source_face, (std::vector<std::int32_t>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
}

TEST_F(ReadSurface, ObjWithEveryOddityGivesTheSameCube) {
  std::string text =
      "\xEF\xBB\xBFo cube\r\n# exported\r\nmtllib missing.mtl\r\no cube\r\ng side\r\nusemtl red\r\ns off\r\n";
  for (const char* v : {"0 0 0 1.0", "+1 0 0", "1 1e0 0 0.5 0.5 0.5", "0 1 0", "0 0 1", "1 0 1", "1 1 1", "0 1 1"})
    text += std::string("v\t") + v + "  \r\n";
  text += "vt 0 0\r\nvn 0 0 1\r\n";
  text += "f 1/1/1 4/1/1 3/1/1 2/1/1\r\nf -4//1 -3//1 -2//1 -1//1\r\nf 1/1 2/1 \\\r\n 6/1 5/1\r\nf 2 3 7 6 # side\r\n";
  text += "l 1 2\r\nf 3 4 8 7\r\nf 4 1 5 8";  // no newline at the end
  const Surface cube = read_surface(write("cube.OBJ", text));
  EXPECT_EQ(cube.triangles.size(), 12u);
  EXPECT_DOUBLE_EQ(test::signed_volume(cube), 1);
}

TEST_F(ReadSurface, ConcavePolygonsAreCutInsideTheirOutline) {
  // An L of area 3 in the plane z = 5, from both sides; a fan from its first corner would cover area outside.
  const std::string corners = "v 0 1 5\nv 0 0 5\nv 2 0 5\nv 2 2 5\nv 1 2 5\nv 1 1 5\n";
  for (const char* face : {"f 1 2 3 4 5 6\n", "f 6 5 4 3 2 1\n"}) {
    const Surface l = read_surface(write("l.obj", corners + face));
    ASSERT_EQ(l.triangles.size(), 4u);
    double area = 0;
    Vec3 turned = Vec3::Zero();
    for (const auto& [a, b, c] : l.triangles) {
      const Vec3 normal = (l.vertices[b] - l.vertices[a]).cross(l.vertices[c] - l.vertices[a]) / 2;
      area += normal.norm();
      turned += normal;
    }
    EXPECT_DOUBLE_EQ(area, 3);
    EXPECT_DOUBLE_EQ(turned[2], face[2] == '1' ? 3 : -3);
  }
}

TEST_F(ReadSurface, ArrowheadQuadIsCutAtItsInnerCorner) {
  const Surface arrow = read_surface(write("arrow.obj", "v 0 0 0\nv 2 -1 0\nv 1 0 0\nv 2 1 0\nf 2 3 4 1\n"));
  double area = 0;
  for (const auto& [a, b, c] : arrow.triangles)
    area += (arrow.vertices[b] - arrow.vertices[a]).cross(arrow.vertices[c] - arrow.vertices[a]).norm() / 2;
  EXPECT_DOUBLE_EQ(area, 1);
}

TEST_F(ReadSurface, PolygonsThatCrossThemselvesStillGiveTriangles) {
  EXPECT_EQ(read_surface(write("bow.obj", "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 2 0\nf 1 2 3 4\n")).triangles.size(), 2u);
  EXPECT_EQ(read_surface(write("line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nf 1 2 3 4\n")).triangles.size(), 2u);
}

TEST_F(ReadSurface, CornersThatAFaceHasTwiceAreLeftOut) {
  const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 0 0\n";
  const auto triangles = [&](const std::string& faces) {
    return read_surface(write("twice.obj", square + faces)).triangles.size();
  };
  EXPECT_EQ(triangles("f 1 2 2 3\n"), 1u);      // the quad at a pole
  EXPECT_EQ(triangles("f 1 2 5 3 4\n"), 2u);    // two vertices at one place
  EXPECT_EQ(triangles("f 1 2 3 1\n"), 1u);      // across the place where it closes
  EXPECT_EQ(triangles("f 1 2 3 2 3 4\n"), 2u);  // there and back
  EXPECT_EQ(triangles("f 2 1 2 3 4\n"), 1u);    // the same around the first corner
  EXPECT_EQ(triangles("f 1 2 2 1\nf 1 2 3\n"), 1u);
  const Surface second = read_surface(write("twice.obj", square + "f 1 1 1 1\nf 1 2 3 4\n"));
  EXPECT_EQ(second.source_face, (std::vector<std::int32_t>{1, 1}));
  EXPECT_THAT(error_reading("a.obj", square + "f 1 2 2 1\nf 2 5 2 5\n"), HasSubstr("each of its 2 faces"));
  EXPECT_EQ(read_surface(write("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 1 2\n")).triangles.size(), 1u);
  EXPECT_EQ(read_surface(write("a.ply",
                               "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                               "property float z\nelement face 1\nproperty list uchar int vertex_index\n"
                               "end_header\n0 0 0\n1 0 0\n0 1 0\n4 0 0 1 2\n"))
                .triangles.size(),
            1u);
}

TEST_F(ReadSurface, PolygonsWithAnEdgeAcrossTheirMeanPlaneGiveTriangles) {
  // Corners 2 and 3 fall on one place in the plane across the mean normal, though they are 1 apart.
  const Surface s = read_surface(write("a.obj", "v 0 0 0\nv 1 -1 0\nv 2 0 -1\nv 2 0 1\nv 1 1 0\nf 1 2 3 4 5\n"));
  EXPECT_EQ(s.triangles.size(), 3u);
}

TEST_F(ReadSurface, PlacesBeyondAllMeasureAreErrors) {
  EXPECT_THAT(error_reading("a.obj", "v 0 0 0\nv 1e90 0 0\n"), HasSubstr("a.obj:2: the point (1e+90, 0, 0)"));
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nproperty double y\nproperty double z\nend_header\n";
  EXPECT_THAT(error_reading("a.ply", ply + "0 -1e20 0\n"), HasSubstr("beyond 1e+15 m"));
}

TEST_F(ReadSurface, ObjErrorsNameTheLine) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_THAT(error_reading("a.obj", "v 0 0 0\nv nan 0 0\n"), HasSubstr("a.obj:2: coordinate x is nan"));
  EXPECT_THAT(error_reading("a.obj", "v 0 inf 0\n"), HasSubstr("a.obj:1: coordinate y is inf"));
  EXPECT_THAT(error_reading("a.obj", "v 0 1e999 0\n"), HasSubstr("not finite"));
  EXPECT_THAT(error_reading("a.obj", "v 0 0\n"), HasSubstr("a.obj:1: coordinate z is missing"));
  EXPECT_THAT(error_reading("a.obj", "v 0 0 O\n"), HasSubstr("'O', which is not a number"));
  EXPECT_THAT(error_reading("a.obj", three + "f 1 2\n"), HasSubstr("a.obj:4: the face has 2 corners"));
  EXPECT_THAT(error_reading("a.obj", three + "\n\nf 1 2 4\n"),
              HasSubstr("a.obj:6: a corner of the face is not one of"));
  EXPECT_THAT(error_reading("a.obj", three + "f 1 2 -4\n"), HasSubstr("a.obj:4: "));
  EXPECT_THAT(error_reading("a.obj", three + "f 0 1 2\n"), HasSubstr("a.obj:4: a face has vertex index 0"));
  EXPECT_THAT(error_reading("a.obj", three + "f 1 2 x\n"), HasSubstr("a.obj:4: "));
  EXPECT_THAT(error_reading("a.obj", three + "f 1 2 99999999999999999999\n"), HasSubstr("a.obj:4: "));
  EXPECT_THAT(error_reading("a.obj", three), HasSubstr("holds no faces"));
  EXPECT_THAT(error_reading("a.obj", ""), HasSubstr("the file is empty"));
}

TEST_F(ReadSurface, FilesThatAreNoneAreNamed) {
  EXPECT_THAT(error_of([&] { (void)read_surface(folder_ / "none.obj"); }), HasSubstr("no such file"));
  EXPECT_THAT(error_of([&] { (void)read_surface(folder_); }), HasSubstr("not a regular file"));
  EXPECT_THAT(error_reading("a.mdl", "MM\x01\x02"), HasSubstr("OBJ, STL, PLY, OFF or GLB"));
  EXPECT_THAT(error_reading("noise.obj", std::string(1000, '\x01')), HasSubstr("holds no faces"));
}

TEST_F(ReadSurface, StlInBothFormsWeldsToTheSphere) {
  const Surface ball = test::sphere(2);
  std::ostringstream ascii;
  ascii << "solid one\n";
  for (std::size_t t = 0; t < ball.triangles.size(); ++t) {
    if (t == 7) ascii << "endsolid one\r\nSOLID two\r\n";
    ascii << "  facet normal 0 0 0\n outer loop\n";
    for (const auto v : ball.triangles[t]) {
      const Vec3 p = ball.vertices[v].cast<float>().cast<double>();
      ascii.precision(17);
      ascii << "   vertex " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
    }
    ascii << " endloop\n endfacet\n";
  }
  ascii << "endsolid\n";
  for (const auto& file : {write("a.stl", ascii.str()), write("b.stl", test::to_binary_stl(ball)),
                           write("c.stl", test::to_binary_stl(ball, "solid but binary")),
                           write("d.stl", test::to_binary_stl(ball) + "trailing")}) {
    const Surface soup = read_surface(file);
    EXPECT_EQ(soup.vertices.size(), 3 * ball.triangles.size()) << file;
    CleanReport report;
    const Surface welded = clean(soup, report);
    EXPECT_EQ(welded.vertices.size(), ball.vertices.size()) << file;
    EXPECT_NEAR(test::signed_volume(welded), test::signed_volume(ball), 1e-5) << file;
  }
}

TEST_F(ReadSurface, StlErrorsNameThePlace) {
  const std::string whole = test::to_binary_stl(test::sphere(1));
  EXPECT_THAT(error_reading("a.stl", whole.substr(0, 84 + 50 * 10 + 17)),
              HasSubstr("a.stl, byte 601: the header says"));
  EXPECT_THAT(error_reading("a.stl", whole.substr(0, 84 + 50 * 10 + 17)), HasSubstr("ends inside facet 11"));
  EXPECT_THAT(error_reading("s.stl", test::to_binary_stl(test::sphere(1), "solid").substr(0, 999)),
              HasSubstr("ends inside facet"));
  EXPECT_THAT(error_reading("a.stl", '\0' + whole.substr(0, 60)), HasSubstr("too short"));
  std::string infinite = whole;
  infinite.replace(84 + 50 + 12, 4, bytes_of(std::numeric_limits<float>::infinity()));
  EXPECT_THAT(error_reading("a.stl", infinite), HasSubstr("a.stl, byte 134: facet 2 has a coordinate"));
  const std::string facet = "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n";
  EXPECT_THAT(error_reading("t.stl", facet), HasSubstr("t.stl:5: the file ends inside a facet"));
  EXPECT_THAT(error_reading("t.stl", facet + "vertex 1 nan 0\n"), HasSubstr("t.stl:6: coordinate y"));
  EXPECT_THAT(error_reading("t.stl", facet + "endloop\nendfacet\n"), HasSubstr("t.stl:7: the face has 2 corners"));
  EXPECT_THAT(error_reading("t.stl", "solid x\nendsolid x\n"), HasSubstr("holds no faces"));
}

/// The unit cube in PLY, with properties and elements a reader must step over.
std::string cube_ply(const std::string& format) {
  const bool ascii = format == "ascii", big = format == "binary_big_endian";
  std::string text = "ply\nformat " + format +
                     " 1.0\ncomment made by a test\nelement camera 1\nproperty float view\nelement vertex 8\n"
                     "property uchar red\nproperty double x\nproperty double y\nproperty double z\nelement face 6\n"
                     "property list uchar int vertex_indices\nproperty list uchar float texcoord\nend_header\n";
  const auto put = [&](auto value) { text += ascii ? std::to_string(value) + " " : bytes_of(value, big); };
  const auto end = [&] { text += ascii ? "\n" : ""; };
  put(1.5F), end();
  const double corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (const auto& c : corners) {
    put(std::uint8_t{200}), put(c[0]), put(c[1]), put(c[2]), end();
  }
  const std::int32_t faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  for (const auto& f : faces) {
    put(std::uint8_t{4});
    for (const auto v : f) put(v);
    put(std::uint8_t{1}), put(0.5F), end();
  }
  return text;
}

TEST_F(ReadSurface, PlyInAllThreeEncodingsGivesTheCube) {
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
    const Surface cube = read_surface(write("cube.ply", cube_ply(format)));
    EXPECT_EQ(cube.triangles.size(), 12u) << format;
    EXPECT_DOUBLE_EQ(test::signed_volume(cube), 1) << format;
    EXPECT_EQ(cube.source_face.back(), 5) << format;
  }
}

TEST_F(ReadSurface, PlyErrorsNameThePlace) {
  const std::string ascii = cube_ply("ascii"), binary = cube_ply("binary_big_endian");
  EXPECT_THAT(error_reading("a.ply", ascii.substr(0, ascii.size() - 40)), HasSubstr("is missing"));
  EXPECT_THAT(error_reading("a.ply", ascii.substr(0, ascii.find("200"))),
              HasSubstr("ends inside the elements 'vertex'"));
  EXPECT_THAT(error_reading("a.ply", ascii.substr(0, 60)), HasSubstr("ends inside the header"));
  EXPECT_THAT(error_reading("b.ply", binary.substr(0, binary.size() - 3)), HasSubstr("the file ends inside its data"));
  std::string damaged = binary;
  damaged.replace(binary.find("vertex 8") + 7, 1, "800000000000");
  EXPECT_THAT(error_reading("b.ply", damaged), HasSubstr("b.ply:6: the number of elements is 800000000000"));
  EXPECT_THAT(
      error_reading("c.ply",
                    "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n1 2\n"),
      HasSubstr("missing or not finite"));
  EXPECT_THAT(error_reading("c.ply", "ply\nelement vertex 1\nend_header\n1 2\n"), HasSubstr("no format line"));
  EXPECT_THAT(error_reading("c.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n1\n"),
              HasSubstr("c.ply:4: a property has a type"));
  EXPECT_THAT(error_reading("d.ply", "obj\n"), HasSubstr("begins with the line 'ply'"));
}

TEST_F(ReadSurface, OffWithAndWithoutHeaderWordAndColours) {
  const std::string points = "0 0 0\n1 0 0 # second\n\n0 1 0\n0 0 1\n",
                    faces = "3 0 2 1 255 0 0\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
  for (const std::string& header : {std::string("OFF\n4 4 0\n"), std::string("OFF 4 4 6\n"),
                                    std::string("# made\nOFF\n# counts\n4 4 0\n"), std::string("4 4 0\n")}) {
    const Surface tet = read_surface(write("tet.off", header + points + faces));
    EXPECT_EQ(tet.triangles.size(), 4u) << header;
    EXPECT_DOUBLE_EQ(test::signed_volume(tet), 1.0 / 6) << header;
  }
  const std::string coloured = "0 0 0 1 1 1 1\n1 0 0 1 1 1 1\n0 1 0 1 1 1 1\n0 0 1 1 1 1 1\n";
  EXPECT_EQ(read_surface(write("c.off", "COFF\n4 4 0\n" + coloured + faces)).vertices[3], Vec3(0, 0, 1));
}

TEST_F(ReadSurface, OffErrorsNameTheLine) {
  EXPECT_THAT(error_reading("a.off", "OFF\n4 4 0\n0 0 0\n"),
              HasSubstr("a.off:3: the file ends inside the list of vertices"));
  EXPECT_THAT(error_reading("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"), HasSubstr("a.off:6: a corner"));
  EXPECT_THAT(error_reading("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n"),
              HasSubstr("a.off:6: the vertex index"));
  EXPECT_THAT(error_reading("a.off", "OFF BINARY\n3 1 0\n"), HasSubstr("binary OFF is not read"));
  EXPECT_THAT(error_reading("a.off", "4OFF\n3 1 0\n"), HasSubstr("three dimensions"));
  EXPECT_THAT(error_reading("a.off", "OFF\n-3 1 0\n"), HasSubstr("negative"));
}

TEST_F(ReadSurface, ByteOrderMarkHidesNoVertex) {
  EXPECT_EQ(read_surface(write("cube.obj", "\xEF\xBB\xBF" + test::cube_obj("\r"))).vertices.size(), 8u);
}

TEST_F(ReadSurface, OtherKindsOfFilesAreNamed) {
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1234567\n";
  for (const char* name : {"a.obj", "a.stl", "a.ply", "a.off", "a.any"}) {
    EXPECT_THAT(error_reading(name, pointer), HasSubstr("is a Git LFS pointer, not a mesh. Fetch")) << name;
    EXPECT_THAT(error_reading(name, "\n<!DOCTYPE HTML>\n<title>not found</title>"), HasSubstr("a web page (HTML)"));
    EXPECT_THAT(error_reading(name, "<?xml version=\"1.0\"?>\n<Error><Code>NoSuchKey</Code>"),
                HasSubstr("an XML document"));
    EXPECT_THAT(error_reading(name, "{\"message\": \"Not Found\"}"), HasSubstr("is JSON"));
    EXPECT_THAT(error_reading(name, "\x1F\x8B\x08"), HasSubstr("a gzip archive, not a mesh. Unpack it"));
    EXPECT_THAT(error_reading(name, "PK\x03\x04more"), HasSubstr("a zip archive"));
    EXPECT_THAT(error_reading(name, std::string(500, '\0')), HasSubstr("zero bytes"));
    EXPECT_THAT(error_reading(name, " \r\n\t\n"), HasSubstr("blanks alone"));
  }
  EXPECT_THAT(error_reading("a.pvtu", "<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\">"),
              HasSubstr("a list of the pieces of a mesh (.pvtu)"));
  EXPECT_THAT(error_reading("a.vtp", "<VTKFile type=\"PolyData\">"), HasSubstr("a VTK surface (.vtp)"));
  EXPECT_THAT(error_reading("a.obj", "404: Not Found"), HasSubstr("It begins with \"404: Not Found\""));
  EXPECT_THAT(error_reading("a.stl", "404: Not Found"), HasSubstr("a text that begins with \"404: Not Found\""));
}

/// Every byte as a unit of two.
std::string utf16(const std::string& text, bool big, bool with_mark) {
  std::string bytes = !with_mark ? "" : big ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : text) bytes += big ? std::string{'\0', c} : std::string{c, '\0'};
  return bytes;
}

TEST_F(ReadSurface, TextInUtf16IsRead) {
  for (const bool big : {false, true})
    for (const bool with_mark : {false, true}) {
      const Surface cube = read_surface(write("cube.obj", utf16(test::cube_obj("\r\n"), big, with_mark)));
      EXPECT_DOUBLE_EQ(test::signed_volume(cube), 1);
    }
  std::string named = utf16("o x", false, true) + "\xE9" + std::string(1, '\0') + "\x3D\xD8\x0A\xDE";  // é and U+1F60A
  named += utf16("\n" + test::cube_obj(), false, false);
  EXPECT_EQ(read_surface(write("cube.obj", named)).groups.names.at(0).at(0), "x\xC3\xA9\xF0\x9F\x98\x8A");
}

TEST_F(ReadSurface, ObjLinesMayBeContinuedAnywhere) {
  for (const std::string& end : {std::string("\\\n"), std::string(" \\\r\n"), std::string("\\ \t\n")}) {
    std::string text = "# not continued \\\nmtllib a\\b.mtl\n";
    for (const char* v : {"0 0 0", "1 0 0", "1 1 0", "0 1 0", "0 0 1", "1 0 1", "1 1 1", "0 1 1"}) {
      std::string line = std::string("v ") + v;
      text += line.replace(3, 1, end) + "\nvn 0 0" + end + "1\n";
    }
    for (const char* f : {"1 4 3 2", "5 6 7 8", "1 2 6 5", "2 3 7 6", "3 4 8 7", "4 1 5 8"}) {
      std::string line = std::string("f") + end + f;
      text += line.replace(line.rfind(' '), 1, end) + " # a comment \\\n";
    }
    const Surface cube = read_surface(write("cube.obj", text));
    EXPECT_EQ(cube.vertices.size(), 8u);
    EXPECT_DOUBLE_EQ(test::signed_volume(cube), 1);
  }
  EXPECT_THAT(error_reading("a.obj", "v 0 0 0\nv 1 \\\n 0 0\nv 0 1 0\nf 1 \\\n2 \\\n9\n"),
              HasSubstr("a.obj:5: a corner of the face is not one of"));
  EXPECT_THAT(error_reading("a.obj", "v 0 0 \\"), HasSubstr("coordinate z is missing"));
}

double area_of(const Surface& s) {
  double area = 0;
  for (const auto& [a, b, c] : s.triangles)
    area += (s.vertices[b] - s.vertices[a]).cross(s.vertices[c] - s.vertices[a]).norm() / 2;
  return area;
}

TEST_F(ReadSurface, HolesJoinedToTheOutlineByABridgeStayOpen) {
  // A square of side 4 with holes of side 1; each bridge is an edge that the outline runs along there and back.
  const std::string outer = "v 0 0 2\nv 4 0 2\nv 4 4 2\nv 0 4 2\n", first = "v 1 1 2\nv 1 2 2\nv 2 2 2\nv 2 1 2\n",
                    second = "v 2.5 2.5 2\nv 2.5 3.5 2\nv 3.5 3.5 2\nv 3.5 2.5 2\n";
  const Surface one = read_surface(write("one.obj", outer + first + "f 1 2 3 4 1 5 6 7 8 5\n"));
  EXPECT_EQ(one.triangles.size(), 8u);
  EXPECT_DOUBLE_EQ(area_of(one), 15);
  // The bridge in the middle of the list, the other way round, and with two holes, the second hanging on the first.
  EXPECT_DOUBLE_EQ(area_of(read_surface(write("one.obj", outer + first + "f 3 4 1 5 6 7 8 5 1 2\n"))), 15);
  EXPECT_DOUBLE_EQ(area_of(read_surface(write("one.obj", outer + first + "f 5 8 7 6 5 1 4 3 2 1\n"))), 15);
  const Surface two = read_surface(write("two.obj", outer + first + second + "f 1 2 3 4 1 5 6 7 9 10 11 12 9 7 8 5\n"));
  EXPECT_EQ(two.triangles.size(), 14u);
  EXPECT_DOUBLE_EQ(area_of(two), 14);
  // With vertices of its own on the way back, as files without shared vertices have it.
  const std::string again = "v 0 0 2\nv 1 1 2\n";
  EXPECT_DOUBLE_EQ(area_of(read_surface(write("own.obj", outer + first + again + "f 1 2 3 4 9 5 6 7 8 10\n"))), 15);
  const std::string off = "OFF\n8 1 0\n0 0 2\n4 0 2\n4 4 2\n0 4 2\n1 1 2\n1 2 2\n2 2 2\n2 1 2\n";
  EXPECT_DOUBLE_EQ(area_of(read_surface(write("one.off", off + "10 0 1 2 3 0 4 5 6 7 4\n"))), 15);
}

TEST_F(ReadSurface, PolygonsThatTouchThemselvesAreCutInside) {
  // Two squares that share a corner, run through one after the other.
  const std::string points = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 2 1 0\nv 2 2 0\nv 1 2 0\nv 0 1 0\n";
  EXPECT_DOUBLE_EQ(area_of(read_surface(write("two.obj", points + "f 1 2 3 4 5 6 3 7\n"))), 2);
}

TEST_F(ReadSurface, PlyNumbersThatNobodyUsesNeedNotBeNumbers) {
  const std::string header =
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
      "property float nx\nproperty float quality\nelement face 4\nproperty list uchar int vertex_indices\n"
      "property list uchar float texcoord\nproperty float red\nend_header\n";
  for (const char* odd : {"nan", "-nan(ind)", "-1.#IND", "1.#QNAN", "1.#INF", "inf", "-inf"}) {
    std::string text = header;
    for (const char* v : {"0 0 0", "1 0 0", "0 1 0", "0 0 1"}) text += std::string(v) + " " + odd + " 1\n";
    for (const char* f : {"0 2 1", "0 1 3", "1 2 3", "2 0 3"})
      text += std::string("3 ") + f + " 2 " + odd + " 0.5 " + odd + "\n";
    EXPECT_DOUBLE_EQ(test::signed_volume(read_surface(write("odd.ply", text))), 1.0 / 6) << odd;
    EXPECT_THAT(error_reading("odd.ply", text.replace(text.find("0 0 1 "), 5, std::string("0 0 ") + odd)),
                HasSubstr("a coordinate is"));
  }
}

std::string stl_tet(const std::string& before_facets = "solid\n", const std::string& between = "") {
  std::string text = before_facets;
  for (const char* corners : {"0 0 0/0 1 0/1 0 0", "0 0 0/1 0 0/0 0 1", "1 0 0/0 1 0/0 0 1", "0 1 0/0 0 0/0 0 1"}) {
    const std::string c = corners;
    text += " facet normal nan nan nan\n  outer loop\n";
    for (std::size_t begin = 0; begin < c.size(); begin = std::min(c.find('/', begin), c.size() - 1) + 1)
      text += "   vertex " + c.substr(begin, c.find('/', begin) - begin) + "\n";
    text += "  endloop\n" + between + " endfacet\n";
  }
  return text + "endsolid\n";
}

TEST_F(ReadSurface, StlTextMayBeginInManyWays) {
  const auto volume = [&](const std::string& text) {
    return test::signed_volume(read_surface(write("tet.stl", text)));
  };
  const double sixth = 1.0 / 6;
  for (const char* begin :
       {"solid\n", "  SOLID a b\n", "Solid x\r\n", "\xEF\xBB\xBFsolid x\n", "\n\n solid x\n", "# by hand\nsolid x\n",
        "solid x\ncolor 0.5 0.5 0.5\n", "solid x\n; exported\n", "", "// made by a program\n"})
    EXPECT_DOUBLE_EQ(volume(stl_tet(begin)), sixth) << begin;
  EXPECT_DOUBLE_EQ(volume(stl_tet("solid\n", "  color 1 0 0\n")), sixth);
  EXPECT_DOUBLE_EQ(volume(stl_tet("solid " + std::string(3000, 'n') + "\n")), sixth);
  EXPECT_DOUBLE_EQ(test::signed_volume(read_surface(write("tet.any", stl_tet("solid a\n")))), sixth);
  const std::string log = test::log_of([&] { (void)volume(stl_tet("solid " + std::string(300, 'n') + "\ncolour\n")); });
  EXPECT_THAT(log, HasSubstr("shortened 1 name longer than 200 bytes"));
  EXPECT_THAT(log, HasSubstr("passed over 1 line that is not of STL, the first is line 2"));
  EXPECT_THAT(error_reading("a.stl", "solid x\nfacet\nvertx 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendfacet\n"),
              HasSubstr("a.stl:6: the face has 2 corners"));
}

TEST_F(ReadSurface, StlThatIsBinaryMayBeginInManyWays) {
  const Surface ball = test::sphere(1);
  for (const char* header : {"solid", "solid facet", "version https://git-lfs.github.com/", "<html>", "COLOR=", "{"})
    EXPECT_EQ(read_surface(write("b.stl", test::to_binary_stl(ball, header))).triangles.size(), ball.triangles.size())
        << header;
}

TEST_F(ReadSurface, OffCountsMayStandOnTheFirstLine) {
  const std::string points = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n", faces = "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
  for (const char* header :
       {"OFF4 4 0\n", "OFF4 4\n", "OFF 4 4\n", "\xEF\xBB\xBFOFF\n4 4 0\n", "\n\nOFF # x\n\n4 4 0 # y\n", "off\n4 4 0\n",
        "OFF\n4\n4\n0\n", "OFF\n4 4\n0\n", "\xEF\xBB\xBF# by hand\n4 4 6\n"})
    for (const char* name : {"tet.off", "tet.OFF"})
      EXPECT_DOUBLE_EQ(test::signed_volume(read_surface(write(name, header + points + faces))), 1.0 / 6) << header;
  EXPECT_DOUBLE_EQ(test::signed_volume(read_surface(write("tet.obj", "OFF4 4 0\n" + points + faces))), 1.0 / 6);
}

TEST_F(ReadSurface, OffLinesMayBreakAnywhere) {
  const auto volume = [&](const std::string& text) { return test::signed_volume(read_surface(write("a.off", text))); };
  const std::string points = "0 0 0 1 0 0 0 1 0 0 0 1", faces = "3 0 2 1 3 0 1 3 3 1 2 3 3 2 0 3";
  EXPECT_DOUBLE_EQ(volume("OFF 4 4 0 " + points + " " + faces), 1.0 / 6);  // one line
  EXPECT_DOUBLE_EQ(volume("OFF\n4 4 0\n" + points + "\n" + faces + "\n"), 1.0 / 6);
  EXPECT_DOUBLE_EQ(volume("OFF\n4 4 0\n" + points + "\n3 0 2 1 9 9 9\n3 0 1 3 9 9 9\n3 1 2 3\n3 2 0 3 1\n"), 1.0 / 6);
  std::string words = "OFF 4 4 0 " + points + " " + faces;
  std::ranges::replace(words, ' ', '\n');  // a number a line
  EXPECT_DOUBLE_EQ(volume(words), 1.0 / 6);
  EXPECT_DOUBLE_EQ(volume("OFF\n4 4 0\n0 0 0\n1 0\n0\n0 1 0\n0 0 1\n3 0\n2 1\n3 0 1 3\n3\n1 2 3\n3 2 0 3\n"), 1.0 / 6);
  EXPECT_DOUBLE_EQ(volume("NOFF 4 4 0\n0 0 0 1 1 1 1 0 0 1 1 1\n0 1 0 1 1 1 0 0 1 1 1 1\n" + faces), 1.0 / 6);
}

TEST_F(ReadSurface, ContentWinsOverAWrongExtension) {
  EXPECT_EQ(read_surface(write("cube.obj", cube_ply("ascii"))).triangles.size(), 12u);
}

}  // namespace
}  // namespace brisance::mesh
