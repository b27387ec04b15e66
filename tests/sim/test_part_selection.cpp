// Selection of tets by the shapes of [[part]], and refusals.
#include "brisance/core/error.hpp"
#include "brisance/sim/simulation.hpp"

#include "sim/setup/assign_materials.hpp"
#include "sim/setup/masonry.hpp"
#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <filesystem>
#include <fstream>
#include <numeric>

#include <gmock/gmock.h>
#include <unistd.h>

namespace brisance::sim {
namespace {

using ::testing::HasSubstr;

constexpr std::int32_t kStone = 0, kSand = 1;

class PartSelection : public ::testing::Test {
protected:
  PartSelection() {
    scene_ = test::bare_scene(test::solid(1e7, 0.2, 1000));
    scene_.materials.push_back(test::solid(2e7, 0.2, 3000));
    scene_.materials[0].name = "stone", scene_.materials[1].name = "sand";
    object_.name = "block";
    object_.material = "stone";
  }

  static PartParameters part(PartShape shape) {
    PartParameters p;
    p.shape = shape;
    p.material = "sand";
    return p;
  }
  /// Regions of a box of 10×10×10 cubes with edges of 0.1 m, placed as it is.
  std::vector<std::int32_t> regions() {
    PartCounts picked;
    assign_materials(comm_, scene_, {object_, "the block", block_, own_}, picked);
    require_parts(comm_, scene_, block_, picked);
    return block_.region;
  }
  [[nodiscard]] std::int64_t num_sand() {
    const std::vector<std::int32_t> region = regions();
    return std::ranges::count(region, kSand);
  }
  /// Whether the sand is exactly the tets with their middle in this region.
  void expect_sand_where(const auto& inside, std::span<const Vec3> nodes) {
    const std::vector<std::int32_t> region = regions();
    std::int64_t found = 0;
    for (std::size_t t = 0; t < block_.tets.size(); ++t) {
      Vec3 middle = Vec3::Zero();
      for (const std::int32_t n : block_.tets[t]) middle += nodes[n] / 4;
      EXPECT_EQ(region[t] == kSand, inside(middle)) << middle.transpose();
      found += region[t] == kSand ? 1 : 0;
    }
    EXPECT_GT(found, 0);
    EXPECT_LT(found, std::ssize(block_.tets));
  }
  [[nodiscard]] std::string error() {
    try {
      (void)regions();
    } catch (const core::Error& e) {
      return e.what();
    }
    return "no error";
  }

  Scene scene_;
  core::Comm comm_{MPI_COMM_SELF};
  ObjectParameters object_;
  mesh::TetMesh block_ = test::kuhn_box(10, 10, 10, 1, 1, 1);
  std::vector<Vec3> own_ = block_.nodes;
};

TEST_F(PartSelection, ShapesPickTheTetsWhoseMiddleLiesInside) {
  PartParameters box = part(PartShape::box);
  box.low = Vec3(0.1, 0.2, 0.3), box.high = Vec3(0.4, 0.7, 0.9);
  scene_.parts = {box};
  expect_sand_where(
      [](const Vec3& x) {
        return x.x() > 0.1 && x.x() < 0.4 && x.y() > 0.2 && x.y() < 0.7 && x.z() > 0.3 && x.z() < 0.9;
      },
      block_.nodes);
  PartParameters sphere = part(PartShape::sphere);
  sphere.centre = Vec3(1, 1, 1), sphere.radius_m = 0.613;
  scene_.parts = {sphere};
  expect_sand_where([](const Vec3& x) { return (x - Vec3(1, 1, 1)).norm() < 0.613; }, block_.nodes);
  PartParameters half_space = part(PartShape::half_space);
  half_space.centre = Vec3(0.5, 0, 0.511), half_space.normal = Vec3(0, 0, 3);
  scene_.parts = {half_space};
  expect_sand_where([](const Vec3& x) { return x.z() < 0.511; }, block_.nodes);
  PartParameters cylinder = part(PartShape::cylinder);
  cylinder.from = Vec3(0.5, 0.5, 0.2), cylinder.to = Vec3(0.5, 0.5, 0.8), cylinder.radius_m = 0.317;
  scene_.parts = {cylinder};
  expect_sand_where(
      [](const Vec3& x) { return std::hypot(x.x() - 0.5, x.y() - 0.5) < 0.317 && x.z() > 0.2 && x.z() < 0.8; },
      block_.nodes);
}

TEST_F(PartSelection, AClosedSurfacePicksWhatItHolds) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("brisance_part" + std::to_string(getpid()) + ".obj");
  // A box from (100, 100, 100) to (400, 700, 900) millimetres.
  std::ofstream(file) << "v 100 100 100\nv 400 100 100\nv 400 700 100\nv 100 700 100\n"
                         "v 100 100 900\nv 400 100 900\nv 400 700 900\nv 100 700 900\n"
                         "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  PartParameters surface = part(PartShape::surface);
  surface.file = file;
  surface.scale = 1e-3;
  scene_.parts = {surface};
  const std::vector<std::int32_t> by_surface = regions();
  PartParameters box = part(PartShape::box);
  box.low = Vec3(0.1, 0.1, 0.1), box.high = Vec3(0.4, 0.7, 0.9);
  scene_.parts = {box};
  EXPECT_EQ(by_surface, regions());
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  scene_.parts = {surface};
  EXPECT_THAT(error(), HasSubstr("it is open: 3 edges"));
  std::filesystem::remove(file);
}

TEST_F(PartSelection, TheLastPartHoldsWhereSeveralDo) {
  PartParameters all = part(PartShape::half_space), corner = part(PartShape::box);
  all.centre = Vec3(0, 0, 2);
  corner.material = "stone";
  corner.high = Vec3(0.5, 0.5, 0.5);
  scene_.parts = {all, corner};
  EXPECT_EQ(num_sand(), 6 * 1000 * 7 / 8);
  scene_.parts = {corner, all};
  EXPECT_EQ(num_sand(), 6 * 1000);
}

TEST_F(PartSelection, TheObjectsOwnFrameTurnsAndMovesWithIt) {
  PartParameters foot = part(PartShape::half_space);
  foot.centre = Vec3(0, 0, 0.333);
  foot.frame = Frame::object;
  for (Vec3& x : block_.nodes) x = Vec3(-x.z(), x.y(), x.x()) + Vec3(0, 0, 7);
  scene_.parts = {foot};
  expect_sand_where([](const Vec3& x) { return x.z() < 0.333; }, own_);
  foot.frame = Frame::world;
  scene_.parts = {foot};
  EXPECT_THAT(error(),
              HasSubstr("its half_space holds the middle of no tet. Places are those of the rest shape after "
                        "placement (frame = \"world\"); placed, the tets lie between (-1, 0, 7) and (0, 1, 8)"));
}

TEST_F(PartSelection, APartThatPicksNothingIsRefused) {
  PartParameters sphere = part(PartShape::sphere);
  sphere.centre = Vec3(3, 0, 0), sphere.radius_m = 0.5;
  scene_.parts = {sphere};
  EXPECT_THAT(error(),
              HasSubstr("[[part]] 0 (counted from 0) of material \"sand\": its sphere holds the middle of no"));
  scene_.parts[0].object = "block";
  EXPECT_THAT(error(), HasSubstr("of no tet of the object \"block\""));
  scene_.parts[0].material = "snad";
  EXPECT_EQ(error(), "[[part]] 0 (counted from 0) is made of \"snad\", but the scene has no material of that name.");
}

/// Number of parts of the tets of a region that hang together through faces.
std::int64_t num_parts(const mesh::TetMesh& mesh, std::int32_t region) {
  std::vector<std::size_t> root(mesh.tets.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::size_t t) {
    while (root[t] != t) t = root[t] = root[root[t]];
    return t;
  };
  std::map<std::array<std::int32_t, 3>, std::size_t> last;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    if (mesh.region[t] != region) continue;
    for (const auto& f : mesh::kFaceCorners) {
      std::array<std::int32_t, 3> face{mesh.tets[t][f[0]], mesh.tets[t][f[1]], mesh.tets[t][f[2]]};
      std::ranges::sort(face);
      const auto [entry, is_first] = last.emplace(face, t);
      if (!is_first) root[find(t)] = find(entry->second);
    }
  }
  std::int64_t parts = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) parts += mesh.region[t] == region && find(t) == t ? 1 : 0;
  return parts;
}

// Bricks of 0.4 × 0.19 m in five courses, from the lower corner; with half a brick of overlap 2.5 of them a course:
// 3 in even courses, 3 in odd ones.
TEST_F(PartSelection, MortarPartsEveryBrickFromEveryOther) {
  PartParameters mortar = part(PartShape::mortar);
  mortar.brick = Vec3(0.39, std::numeric_limits<double>::infinity(), 0.19);
  mortar.joint_m = 0.01;  // far below the tets
  block_ = test::kuhn_box(20, 4, 30, 1, 0.2, 1);
  own_ = block_.nodes;
  // Middles of joints off the planes of nodes, and on them.
  for (const double shift : {0.013, 0.005}) {
    SCOPED_TRACE(shift);
    mortar.centre = Vec3(shift, 0, shift);
    scene_.parts = {mortar};
    const std::vector<std::int32_t> region = regions();
    EXPECT_GT(std::ranges::count(region, kSand), 100);
    EXPECT_GT(num_parts(block_, kStone), 12);
    // Nothing of one brick touches another: the tets of each part of stone lie within one brick and half its joints.
    std::map<std::pair<int, int>, std::int64_t> bricks;
    for (std::size_t t = 0; t < block_.tets.size(); ++t) {
      if (region[t] == kSand) continue;
      std::set<std::pair<int, int>> touched;
      for (const std::int32_t n : block_.tets[t]) {
        const Vec3 x =
            0.999 * block_.nodes[n] + 0.00025 * (block_.nodes[block_.tets[t][0]] + block_.nodes[block_.tets[t][1]] +
                                                 block_.nodes[block_.tets[t][2]] + block_.nodes[block_.tets[t][3]]);
        const int course = static_cast<int>(std::floor((x.z() - shift + 0.005) / 0.2));
        const double from = shift + (course % 2 != 0 ? 0.2 : 0.0);
        touched.insert({course, static_cast<int>(std::floor((x.x() - from + 0.005) / 0.4))});
      }
      EXPECT_EQ(touched.size(), 1u);
      ++bricks[*touched.begin()];
    }
    EXPECT_EQ(static_cast<std::int64_t>(bricks.size()), num_parts(block_, kStone));
  }
}

TEST_F(PartSelection, JointsThickerThanTetsHaveTheirOwnVolume) {
  PartParameters mortar = part(PartShape::mortar);
  const double inf = std::numeric_limits<double>::infinity();
  mortar.brick = Vec3(inf, inf, 0.2);
  mortar.joint_m = 0.2;
  scene_.parts = {mortar};
  // Courses and joints of two layers of cubes each, from z = 0 on: joints are [0.2, 0.4] and [0.6, 0.8].
  expect_sand_where([](const Vec3& x) { return (x.z() > 0.2 && x.z() < 0.4) || (x.z() > 0.6 && x.z() < 0.8); },
                    block_.nodes);
}

}  // namespace
}  // namespace brisance::sim
