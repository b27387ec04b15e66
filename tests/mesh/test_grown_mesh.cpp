// A mesh that grows until the body it was made from lies inside.
#include "brisance/mesh/generate/generate.hpp"
#include "brisance/mesh/generate/grown_mesh.hpp"
#include "brisance/mesh/tets/tet_neighbours.hpp"

#include "surface_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

class GrownMeshOf : public test::FileTest {
protected:
  TetMesh mesh_of(const Surface& body) const {
    Request request;
    request.shape = ShapeKind::file;
    request.file = write("body.obj", test::to_obj(body));
    request.target_tets = 600;
    request.allowed_volume_error = 1;
    MeshReport report;
    return generate(request, report);
  }
};

double volume_of(const TetMesh& mesh) {
  double volume = 0;
  for (const auto& [a, b, c, d] : mesh.tets)
    volume += tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]);
  return volume;
}

void expect_grown(const TetMesh& mesh, const Surface& body) {
  ASSERT_FALSE(contains(mesh, body));
  const GrownMesh grown = grown_around(mesh, body);
  EXPECT_TRUE(contains(grown.mesh, body));
  EXPECT_GT(volume_of(grown.mesh), enclosed_volume_m3(body));
  ASSERT_GT(grown.mesh.tets.size(), mesh.tets.size());
  ASSERT_EQ(grown.of_tet.size(), grown.mesh.tets.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    EXPECT_EQ(grown.mesh.tets[t], mesh.tets[t]);
    EXPECT_EQ(grown.of_tet[t], static_cast<std::int32_t>(t));
  }
  for (std::size_t t = 0; t < grown.mesh.tets.size(); ++t) {
    const auto& [a, b, c, d] = grown.mesh.tets[t];
    const auto& x = grown.mesh.nodes;
    ASSERT_GT(tet_volume(x[a], x[b], x[c], x[d]), 0);
    ASSERT_LT(grown.of_tet[t], static_cast<std::int32_t>(mesh.tets.size()));
  }
  // The old outside is inside now: across each of its faces there is a tet.
  const auto neighbours = tet_neighbours(grown.mesh);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (const std::int32_t across : neighbours[t]) ASSERT_NE(across, kNoTet);
}

TEST_F(GrownMeshOf, ABallIsContained) {
  const Surface ball = test::sphere(1, {0, 0, 0}, 12);
  expect_grown(mesh_of(ball), ball);
}

TEST_F(GrownMeshOf, SoIsAHollowBallWithItsCavityFilled) {
  Surface inner = test::sphere(0.6, {0, 0, 0}, 10);
  for (auto& triangle : inner.triangles) std::swap(triangle[1], triangle[2]);
  const Surface hollow = test::joined(test::sphere(1, {0, 0, 0}, 12), inner);
  expect_grown(mesh_of(hollow), hollow);
}

TEST_F(GrownMeshOf, AnotherBodyIsRefused) {
  const TetMesh mesh = mesh_of(test::sphere(1, {0, 0, 0}, 12));
  EXPECT_THAT(test::error_of([&] { (void)grown_around(mesh, test::sphere(2)); }), ::testing::HasSubstr("sticks out"));
}

}  // namespace
}  // namespace brisance::mesh
