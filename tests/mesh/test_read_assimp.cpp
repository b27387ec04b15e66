/// Surfaces of other programs: glTF, COLLADA; FBX and the others take the same way.
#include "brisance/mesh/formats/face_appearance.hpp"
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/formats/texture.hpp"

#include "surface_files.hpp"

#include <algorithm>

#include <gmock/gmock.h>

namespace brisance::mesh {
namespace {

using test::bytes_of;
using test::error_of;
using ::testing::HasSubstr;

class ReadAssimp : public test::FileTest {
protected:
  /// A tetrahedron in glTF, y up, shown by three nodes: moved, mirrored, and scaled to nothing.
  [[nodiscard]] std::filesystem::path write_gltf() const {
    std::string bytes;
    for (const float x : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) bytes += bytes_of(x);               // positions
    for (const float x : {0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.25, 0.25}) bytes += bytes_of(float(x));  // u, v
    for (const float x : {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}) bytes += bytes_of(x);               // colours
    for (const int corner : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}) bytes += bytes_of(static_cast<std::uint16_t>(corner));
    write("tet.bin", bytes);
    return write("tet.gltf", R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
      "nodes": [{"name": "root", "translation": [10, 0, 0], "children": [1, 2, 3]},
                {"name": "left", "mesh": 0}, {"name": "right", "mesh": 0, "scale": [-1, 1, 1], "translation": [9, 0, 0]},
                {"name": "hidden", "mesh": 0, "scale": [0, 0, 0]}],
      "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1, "COLOR_0": 2}, "indices": 3,
                                  "material": 0}]}],
      "materials": [{"name": "glaze"}],
      "buffers": [{"uri": "tet.bin", "byteLength": 152}],
      "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 32},
                      {"buffer": 0, "byteOffset": 80, "byteLength": 48}, {"buffer": 0, "byteOffset": 128, "byteLength": 24}],
      "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
                    {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC2"},
                    {"bufferView": 2, "componentType": 5126, "count": 4, "type": "VEC3"},
                    {"bufferView": 3, "componentType": 5123, "count": 12, "type": "SCALAR"}]})");
  }
};

TEST_F(ReadAssimp, NodesAreInTheirPlacesWithZUp) {
  const Surface surface = read_surface(write_gltf());
  ASSERT_EQ(surface.vertices.size(), 8u);
  EXPECT_EQ(surface.vertices[1], Vec3(11, 0, 0));
  EXPECT_EQ(surface.vertices[2], Vec3(10, 0, 1));   // y of the file
  EXPECT_EQ(surface.vertices[3], Vec3(10, -1, 0));  // z of the file
  EXPECT_EQ(surface.vertices[5], Vec3(18, 0, 0));   // mirrored
  ASSERT_EQ(surface.triangles.size(), 8u);
  EXPECT_NEAR(test::signed_volume(surface), 2.0 / 6, 1e-12);  // the mirrored one faces outwards, too
  EXPECT_TRUE(has_name(surface.groups, surface.groups.group_of_source(0), "left"));
  EXPECT_TRUE(has_name(surface.groups, surface.groups.group_of_source(7), "right"));
  EXPECT_TRUE(has_name(surface.groups, surface.groups.group_of_source(7), "glaze"));
}

TEST_F(ReadAssimp, AppearanceIsThatOfTheFile) {
  const std::filesystem::path file = write_gltf();
  const FaceAppearance faces = FaceAppearance::read(file);
  EXPECT_EQ(faces.materials(), std::vector<std::string>{"glaze"});
  EXPECT_EQ(faces.material_of(5), 0);
  EXPECT_EQ(faces.colour_at({11, 0, 0}), (std::array{0.0, 1.0, 0.0}));
  const Texture texture = Texture::read(file, 2);
  const auto uv = texture.at(3, 2 * Vec3(10.5, -0.25, 0.25));  // on the triangle of corners 1, 2 and 3
  EXPECT_NEAR(uv[0], 0.5 * 1 + 0.25 * 0.25, 1e-6);
  EXPECT_NEAR(uv[1], 1 - (0.25 * 1 + 0.25 * 0.25), 1e-6);  // glTF counts v from the top
}

TEST_F(ReadAssimp, ColladaHasAUnitAndAnAxis) {
  const std::string floats = "<float_array id=\"a\" count=\"12\">0 0 0 100 0 0 0 200 0 0 0 300</float_array>";
  const Surface surface = read_surface(write(
      "tet.dae",
      "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
      "<asset><unit name=\"cm\" meter=\"0.01\"/><up_axis>Z_UP</up_axis></asset>"
      "<library_geometries><geometry id=\"g\"><mesh><source id=\"s\">" +
          floats +
          "<technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"><param name=\"X\" type=\"float\"/>"
          "<param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
          "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices><triangles count=\"4\">"
          "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh>"
          "</geometry></library_geometries><library_visual_scenes><visual_scene id=\"w\"><node id=\"n\">"
          "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>"
          "<scene><instance_visual_scene url=\"#w\"/></scene></COLLADA>"));
  EXPECT_EQ(surface.triangles.size(), 4u);
  EXPECT_NEAR(test::signed_volume(surface), 1.0 * 2 * 3 / 6, 1e-6);
  Vec3 high = Vec3::Zero();
  for (const Vec3& x : surface.vertices) high = high.cwiseMax(x);
  EXPECT_LT((high - Vec3(1, 2, 3)).norm(), 1e-6);
}

TEST_F(ReadAssimp, DamagedFilesGiveOneMessage) {
  const auto message = [&](const std::filesystem::path& file) { return error_of([&] { (void)read_surface(file); }); };
  EXPECT_THAT(
      message(write("cut.glb", std::string("glTF\2\0\0\0\x40", 9))),
      HasSubstr("cut.glb: cannot be read: its content is not what its ending says. Export it again, or as OBJ."));
  EXPECT_THAT(message(write("cut.dae", "<COLLADA")), HasSubstr("cut.dae: cannot be read: "));
  EXPECT_THAT(
      message(write("empty.gltf", R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{}]})")),
      HasSubstr("empty.gltf: holds no faces."));
  EXPECT_THAT(message(folder_ / "none.fbx"), HasSubstr("none.fbx"));
  const std::filesystem::path file = write_gltf();
  std::filesystem::remove(folder_ / "tet.bin");
  EXPECT_THAT(message(file), HasSubstr("tet.gltf: cannot be read: "));
}

}  // namespace
}  // namespace brisance::mesh
