// Regions of a mesh file become materials, the same for a run and for `brisance evaluate`.
#include "brisance/core/error.hpp"
#include "brisance/sim/evaluate.hpp"
#include "brisance/sim/setup/initial_mesh.hpp"
#include "brisance/sim/setup/mesh_file.hpp"

#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <unistd.h>

namespace brisance::sim {
namespace {

class AssignMaterials : public ::testing::Test {
protected:
  AssignMaterials() {
    scene_ = test::bare_scene(test::solid(1e7, 0.2, 1000));
    scene_.materials.push_back(test::solid(2e7, 0.2, 3000));
    scene_.materials[0].name = "light", scene_.materials[1].name = "heavy";
    ObjectParameters object;
    object.material = "heavy";
    object.mesh.shape = mesh::ShapeKind::file;
    object.mesh.file = file_;
    scene_.objects = {object};
  }
  ~AssignMaterials() override { std::filesystem::remove(file_); }

  /// A box of 48 tets whose tet t lies in region `region(t)`, as a file.
  void write(const std::function<std::int32_t(std::int32_t)>& region) const {
    mesh::TetMesh box = test::kuhn_box(2, 2, 2, 0.2, 0.2, 0.2);
    for (std::size_t t = 0; t < box.tets.size(); ++t) box.region.push_back(region(static_cast<std::int32_t>(t)));
    write_mesh_file(file_, box);
  }
  [[nodiscard]] std::string error() const {
    try {
      (void)build_initial_mesh(comm_, scene_);
    } catch (const core::BadInput& e) {
      return e.what();
    }
    return "no error";
  }

  core::Comm comm_{MPI_COMM_WORLD};
  std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("brisance_regions" + std::to_string(getpid()) + ".hdf");
  Scene scene_;
};

TEST_F(AssignMaterials, RegionsAreTheScenesMaterialsInARunAndInAnEvaluation) {
  write([](std::int32_t t) { return t < 12 ? 1 : 0; });
  const InitialMesh initial = build_initial_mesh(comm_, scene_);
  EXPECT_EQ(std::count(initial.share.mesh.region.begin(), initial.share.mesh.region.end(), 1), 12);
  const double mass_kg = 0.008 * (0.25 * 3000 + 0.75 * 1000);  // a quarter of the tets, all of one size, is heavy
  Simulation simulation(comm_, scene_, initial.share, initial.regions);
  double in_run = 0;
  for (std::int32_t n = 1; n < simulation.mesh().num_node_slots(); ++n) in_run += simulation.mesh().mass[LocalNode(n)];
  EXPECT_NEAR(in_run, mass_kg, 1e-12);
  io::GridPart fields;
  EXPECT_NEAR(evaluate(comm_, scene_, read_mesh_share(comm_, file_), fields).mass_kg, mass_kg, 1e-12);
}

TEST_F(AssignMaterials, OneRegionIsOfTheObjectsMaterialWhateverItsNumber) {
  write([](std::int32_t) { return 7; });
  const InitialMesh initial = build_initial_mesh(comm_, scene_);
  EXPECT_THAT(initial.share.mesh.region, ::testing::Each(1));
}

TEST_F(AssignMaterials, ASecondObjectKeepsItsOwn) {
  write([](std::int32_t t) { return t % 2; });
  scene_.objects.push_back(scene_.objects.front());
  scene_.objects.back().mesh = {};  // a box
  scene_.objects.back().mesh.target_tets = 100;
  const std::vector<std::int32_t> region = build_initial_mesh(comm_, scene_).share.mesh.region;
  EXPECT_EQ(std::count(region.begin(), region.begin() + 48, 0), 24);
  EXPECT_EQ(std::count(region.begin() + 48, region.end(), 0), 0);
}

TEST_F(AssignMaterials, ARegionWithoutMaterialIsRefused) {
  write([](std::int32_t t) { return t % 3; });
  EXPECT_EQ(error(), file_.string() +
                         " has regions 0 to 2, but the scene has materials 0 to 1. With several regions, region r is "
                         "made of the scene's r-th [[material]]: add the missing ones or renumber the regions.");
  write([](std::int32_t t) { return t == 5 ? 4096 : 0; });
  EXPECT_THAT(error(), ::testing::HasSubstr("there can be at most 4096; renumber or join the regions."));
}

}  // namespace
}  // namespace brisance::sim
