// Parts and regions by the names of the objects' files, in a run and in an evaluation; unknown names are refused.
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

using ::testing::HasSubstr;

/// A box of 48 tets: those below z = 0.1 are "foot", the others "cup"; its faces on top are "lid" and "cup".
mesh::TetMesh named_box() {
  mesh::TetMesh box = test::kuhn_box(2, 2, 2, 0.2, 0.2, 0.2);
  box.groups.names = {{"foot"}, {"cup"}, {"cup", "lid"}};
  std::int32_t last = 0;
  for (const auto& faces : box.face_source)
    for (const std::int32_t source : faces) last = std::max(last, source);
  box.groups.of_source.assign(static_cast<std::size_t>(last) + 1, 1);
  for (std::size_t t = 0; t < box.tets.size(); ++t) {
    double lowest = 1;
    for (const std::int32_t n : box.tets[t]) lowest = std::min(lowest, box.nodes[n].z());
    box.group.push_back(lowest < 0.05 ? 0 : 1);
    for (int f = 0; f < 4; ++f) {
      const auto on_top = [&](int corner) { return box.nodes[box.tets[t][corner]].z() > 0.15; };
      if (box.face_source[t][f] >= 0 && std::ranges::all_of(mesh::kFaceCorners[f], on_top))
        box.groups.of_source[box.face_source[t][f]] = 2;
    }
  }
  return box;
}

class NamedGroups : public ::testing::Test {
protected:
  NamedGroups() {
    scene_ = test::bare_scene(test::solid(1e7, 0.2, 1000));
    scene_.materials.push_back(test::solid(2e7, 0.2, 3000));
    scene_.materials[0].name = "light", scene_.materials[1].name = "heavy";
    ObjectParameters object;
    object.name = "mug";
    object.material = "light";
    object.mesh.shape = mesh::ShapeKind::file;
    object.mesh.file = file_;
    scene_.objects = {object};
    write_mesh_file(file_, named_box());
  }
  ~NamedGroups() override { std::filesystem::remove(file_); }

  [[nodiscard]] std::string error() const {
    try {
      (void)build_initial_mesh(comm_, scene_);
    } catch (const core::BadInput& e) {
      return e.what();
    }
    return "no error";
  }
  void hold(const std::string& group) {
    RegionParameters region = test::grip({true, true, true});
    region.shape = RegionShape::group;
    region.group = group;
    scene_.regions.push_back(region);
  }
  [[nodiscard]] std::vector<std::int64_t> held(unsigned region) const {
    const InitialMesh initial = build_initial_mesh(comm_, scene_);
    std::vector<std::int64_t> nodes;
    for (std::size_t n = 0; n < initial.regions.size(); ++n)
      if (initial.regions[n] >> region & 1U) nodes.push_back(static_cast<std::int64_t>(n));
    return nodes;
  }

  core::Comm comm_{MPI_COMM_WORLD};
  std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("brisance_groups" + std::to_string(getpid()) + ".hdf");
  Scene scene_;
};

TEST_F(NamedGroups, AFileGivesBackWhatWasWritten) {
  const mesh::TetMesh box = named_box(), back = read_mesh_file(file_);
  EXPECT_EQ(back.groups, box.groups);
  EXPECT_EQ(back.group, box.group);
}

TEST_F(NamedGroups, PartsAreOfTheirMaterialInARunAndInAnEvaluation) {
  scene_.parts = {{"foot", "heavy", ""}};
  const InitialMesh initial = build_initial_mesh(comm_, scene_);
  for (std::size_t t = 0; t < initial.share.mesh.tets.size(); ++t)
    EXPECT_EQ(initial.share.mesh.region[t],
              mesh::has_name(initial.share.mesh.groups, initial.share.mesh.group[t], "foot") ? 1 : 0);
  const double mass_kg = 0.008 * (0.5 * 3000 + 0.5 * 1000);
  Simulation simulation(comm_, scene_, initial.share, initial.regions);
  double in_run = 0;
  for (std::int32_t n = 1; n < simulation.mesh().num_node_slots(); ++n) in_run += simulation.mesh().mass[LocalNode(n)];
  EXPECT_NEAR(in_run, mass_kg, 1e-12);
  io::GridPart fields;
  EXPECT_NEAR(evaluate(comm_, scene_, read_mesh_share(comm_, file_), fields).mass_kg, mass_kg, 1e-12);
}

TEST_F(NamedGroups, TheLastPartHoldsAndAnObjectMayBeNamed) {
  scene_.parts = {{"foot", "heavy", ""}, {"foot", "light", "mug"}};
  EXPECT_THAT(build_initial_mesh(comm_, scene_).share.mesh.region, ::testing::Each(0));
}

TEST_F(NamedGroups, EachObjectHasItsOwnGroupsAndSources) {
  scene_.objects.push_back(scene_.objects.front());
  scene_.objects[1].name = "second";
  scene_.objects[1].translation = Vec3(1, 0, 0);
  scene_.parts = {{"foot", "heavy", "second"}};
  hold("lid");
  const InitialMesh initial = build_initial_mesh(comm_, scene_);
  EXPECT_EQ(initial.share.mesh.groups.names.size(), 3u);
  EXPECT_EQ(std::ranges::count(initial.share.mesh.region, 1), 24);
  for (std::size_t t = 0; t < initial.share.mesh.tets.size(); ++t)
    if (initial.share.mesh.region[t] == 1) {
      EXPECT_GT(initial.share.mesh.nodes[initial.share.mesh.tets[t][0]].x(), 0.5);
    }
  EXPECT_EQ(held(0).size(), 18u);
}

TEST_F(NamedGroups, RegionsHoldTheNodesOfASurfaceOrElseOfTets) {
  hold("lid");
  hold("cup");
  hold("foot");
  const InitialMesh initial = build_initial_mesh(comm_, scene_);
  for (const std::int64_t n : held(0)) EXPECT_GT(initial.share.mesh.nodes[static_cast<std::size_t>(n)].z(), 0.15);
  EXPECT_EQ(held(0).size(), 9u);
  EXPECT_EQ(held(1).size(), 26u);  // of the surface: all nodes but the middle one, though tets have the name too
  EXPECT_EQ(held(2).size(), 18u);  // no face is "foot": the nodes of the tets
}

TEST_F(NamedGroups, UnknownNamesAreRefusedWithThoseThereAre) {
  scene_.parts = {{"foob", "heavy", ""}};
  EXPECT_THAT(error(), HasSubstr("[[part]]: no tet has the group \"foob\". Groups of tets: cup, foot."));
  scene_.parts = {{"foob", "heavy", "mug"}};
  EXPECT_THAT(error(), HasSubstr("no tet of the object \"mug\" has the group \"foob\""));
  scene_.parts = {{"lid", "heavy", ""}};
  EXPECT_THAT(error(), HasSubstr("the group \"lid\" is on the surface only"));
  scene_.parts.clear();
  hold("rim");
  EXPECT_THAT(error(),
              HasSubstr("no surface and no tet has the group \"rim\". Groups of the objects: cup, foot, lid."));
  scene_.objects[0].mesh.shape = mesh::ShapeKind::box;
  EXPECT_THAT(error(), HasSubstr("none: the file names nothing"));
  io::GridPart fields;
  scene_.parts = {{"foob", "heavy", ""}};
  EXPECT_THROW((void)evaluate(comm_, scene_, dist::share_on_root(comm_, named_box()), fields), core::BadInput);
}

}  // namespace
}  // namespace brisance::sim
