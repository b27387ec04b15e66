// Displacements and velocities of a mesh file: used if the scene asks for them, else mentioned.
#include "brisance/core/error.hpp"
#include "brisance/mesh/formats/write_vtu.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/setup/mesh_file.hpp"
#include "brisance/sim/simulation.hpp"

#include "mesh/surface_files.hpp"
#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <gmock/gmock.h>

namespace brisance::sim {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class StartOfObject : public test::FileTest {
protected:
  /// A box of half a metre along x, pulled by a tenth of x along x and moving along y.
  StartOfObject() {
    mesh::TetMesh box = test::kuhn_box(1, 1, 1, 0.5, 0.5, 0.5);
    for (const Vec3& x : box.nodes) {
      box.displacement.emplace_back(0.1 * x.x(), 0, 0);
      box.velocity.emplace_back(0, 2 + x.z(), 0);
    }
    mesh::write_vtu(folder_ / "pulled.vtu", box);
    write_mesh_file(folder_ / "pulled.hdf", box);
    box.displacement.clear();
    box.velocity.clear();
    mesh::write_vtu(folder_ / "still.vtu", box);
  }
  [[nodiscard]] InitialMesh built(const std::string& file, ObjectStart start, double scale = 1) const {
    Scene scene = test::bare_scene(test::solid(1e7, 0, 1000));
    ObjectParameters box;
    box.name = "box";
    box.material = "solid";
    box.mesh.shape = mesh::ShapeKind::file;
    box.mesh.file = folder_ / file;
    box.mesh.scale = scale;
    box.rotation_deg = Vec3(0, 0, 90);
    box.velocity = Vec3(0, 0, 7);
    box.start = start;
    scene.objects = {box};
    return build_initial_mesh(core::Comm(MPI_COMM_WORLD), scene);
  }
};

TEST_F(StartOfObject, OfTheFileIsTurnedAndScaledWithIt) {
  for (const char* file : {"pulled.vtu", "pulled.hdf"}) {
    const InitialMesh initial = built(file, ObjectStart::file, 2);
    const mesh::TetMesh& mesh = initial.share.mesh;
    ASSERT_EQ(mesh.displacement.size(), mesh.nodes.size());
    double farthest = 0;
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
      // A quarter turn about the middle: what was along x is along y, from 0 to a metre.
      EXPECT_NEAR((mesh.displacement[i] - Vec3(0, 0.1 * mesh.nodes[i].y(), 0)).norm(), 0, 1e-12);
      EXPECT_NEAR((mesh.velocity[i] - Vec3(-4 - mesh.nodes[i].z(), 0, 7)).norm(), 0, 1e-12);
      farthest = std::max(farthest, mesh.nodes[i].y());
    }
    EXPECT_NEAR(farthest, 1, 1e-12);
    EXPECT_THAT(initial.report, Not(Contains(HasSubstr("not used"))));
  }
}

TEST_F(StartOfObject, AtRestLeavesThemOutWithAWarning) {
  for (const char* file : {"pulled.vtu", "pulled.hdf"}) {
    const InitialMesh initial = built(file, ObjectStart::rest);
    EXPECT_TRUE(initial.share.mesh.displacement.empty());
    for (const Vec3& v : initial.share.mesh.velocity) EXPECT_EQ(v, Vec3(0, 0, 7));
    EXPECT_THAT(initial.report, Contains(HasSubstr("warning: object \"box\": its mesh file has displacements of up to "
                                                   "0.05 m and velocities of up to 2.5 m/s, which are not used")));
  }
  EXPECT_THAT(built("still.vtu", ObjectStart::rest).report, Not(Contains(HasSubstr("not used"))));
}

TEST_F(StartOfObject, OfAFileThatHasNoneIsRefused) {
  EXPECT_THAT(test::error_of([&] { (void)built("still.vtu", ObjectStart::file); }),
              HasSubstr("start = \"file\" needs a tetrahedral mesh"));
}

}  // namespace
}  // namespace brisance::sim
