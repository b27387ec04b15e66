#include "brisance/mesh/formats/face_appearance.hpp"

#include "mesh/surface_files.hpp"

#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

class FaceAppearances : public test::FileTest {
protected:
  [[nodiscard]] FaceAppearance read(const std::string& name, const std::string& text) const {
    return FaceAppearance::read(write(name, text));
  }
};

TEST_F(FaceAppearances, OfAnObj) {
  const FaceAppearance faces = read("a.obj",
                                    "v 0 0 0 1 0.5 0\nv 1 0 0\nv 0 1 0 0 0 1\nf 1 2 3\nusemtl glaze\ng body\nf 1 2 3\n"
                                    "usemtl foot\nf 1 2 3\nusemtl glaze\nf 1 2 3\n");
  EXPECT_EQ(faces.materials(), (std::vector<std::string>{"glaze", "foot"}));
  EXPECT_EQ(faces.material_of(0), kNoMaterial);
  EXPECT_EQ(faces.material_of(1), 0);
  EXPECT_EQ(faces.material_of(2), 1);
  EXPECT_EQ(faces.material_of(3), 0);
  EXPECT_EQ(faces.material_of(4), kNoMaterial);
  ASSERT_TRUE(faces.has_colours());
  EXPECT_EQ(faces.colour_at({0, 0, 0}), (std::array{1.0, 0.5, 0.0}));
  EXPECT_EQ(faces.colour_at({1, 0, 0}), (std::array{1.0, 1.0, 1.0}));
}

TEST_F(FaceAppearances, OfAPly) {
  const FaceAppearance faces = read("a.ply",
                                    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                                    "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
                                    "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                                    "0 0 0 255 0 51\n1 0 0 0 0 0\n0 1 0 0 0 0\n3 0 1 2\n");
  ASSERT_TRUE(faces.has_colours());
  EXPECT_EQ(faces.colour_at({0, 0, 0}), (std::array{1.0, 0.0, 0.2}));
}

TEST_F(FaceAppearances, AVertexWithAWeightHasNoColour) {
  EXPECT_FALSE(read("a.obj", "v 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\nf 1 2 3\n").has_colours());
}

}  // namespace
}  // namespace brisance::mesh
