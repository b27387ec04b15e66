/// A GLB of ours as input: shapes, texture coordinates, colours and materials come back.
#include "brisance/mesh/formats/face_appearance.hpp"
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/formats/texture.hpp"

#include "exports/writers/glb_scene.hpp"
#include "mesh/surface_files.hpp"

#include <gtest/gtest.h>

namespace brisance::exports {
namespace {

class GlbReadsBack : public brisance::test::FileTest {
protected:
  // A tetrahedron with a face of another material; numbers that floats hold exactly.
  GlbReadsBack() {
    surface_.points = {{0.5, 0.25, 0}, {2.5, 0.25, 0}, {0.5, 3.25, 0}, {0.5, 0.25, 1.5}};
    surface_.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    for (const Vec3& x : surface_.points) surface_.normals.push_back((x - Vec3(1, 1, 0.5)).normalized());
    surface_.texture = {{0, 0}, {1, 0.25}, {0.5, 1}, {3, -0.5}};
    surface_.colours = {{1, 0, 0.5}, {0, 1, 0}, {0.25, 0, 1}, {1, 1, 1}};
    surface_.material = {0, 0, 0, 1};
  }
  Surface surface_;
};

TEST_F(GlbReadsBack, ToTheSameBits) {
  const std::filesystem::path file = folder_ / "piece.glb";
  GlbScene scene({"glaze", "crack"}, Vec3(16, 0, 2));
  const int mesh = scene.add_mesh("piece_0000", surface_, {surface_.points, surface_.normals});
  scene.add_node("piece_0000", mesh, Vec3(0, 4, 0), {});
  scene.write(file);

  const Vec3 place(16, 4, 2);
  const mesh::Surface back = mesh::read_surface(file);
  const mesh::Texture texture = mesh::Texture::read(file);
  const mesh::FaceAppearance faces = mesh::FaceAppearance::read(file);
  ASSERT_EQ(back.triangles.size(), surface_.triangles.size());
  for (std::size_t t = 0; t < back.triangles.size(); ++t) {
    const std::int32_t face = back.source_face[t];
    EXPECT_TRUE(mesh::has_name(back.groups, back.groups.group_of_source(face), "piece_0000"));
    EXPECT_EQ(faces.materials()[static_cast<std::size_t>(faces.material_of(face))], t < 3 ? "glaze" : "crack");
    for (std::size_t k = 0; k < 3; ++k) {
      const auto corner = static_cast<std::size_t>(surface_.triangles[t][k]);
      const Vec3& x = back.vertices[static_cast<std::size_t>(back.triangles[t][k])];
      EXPECT_EQ(x, surface_.points[corner] + place);
      EXPECT_EQ(texture.at(face, x), surface_.texture[corner]);
      EXPECT_EQ(faces.colour_at(x), surface_.colours[corner]);
    }
  }
}

}  // namespace
}  // namespace brisance::exports
