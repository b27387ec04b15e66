/// Every tet into eight on the distributed mesh: the same bits however it is distributed, and the same body.
#include "brisance/dist/check.hpp"
#include "brisance/dist/distribute.hpp"

#include "support/digest.hpp"
#include "support/kuhn.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace brisance::dist {
namespace {

material::Material named(const char* name) {
  material::Material m;
  m.name = name;
  m.density = 2000;
  m.lame_mu = 1e6;
  return m;
}

DistributeOptions refined(int times, Partitioner partitioner) {
  DistributeOptions options;
  options.partitioner = partitioner;
  options.refinements = times;
  return options;
}

/// A box that is nowhere regular, turning, its upper half of a second material and of a group.
mesh::TetMesh skewed_box(int nx, int ny, int nz) {
  mesh::TetMesh box = test::kuhn_box(nx, ny, nz, nx, ny, nz);
  for (std::size_t e = 0; e < box.tets.size(); ++e) {
    const bool upper = e >= box.tets.size() / 2;
    box.region.push_back(upper ? 1 : 0);
    box.group.push_back(upper ? 0 : mesh::kNoGroup);
  }
  box.groups.names = {{"upper"}};
  for (Vec3& x : box.nodes)
    x += 0.1 * Vec3(std::sin(3 * x.y() + x.z()), std::sin(2 * x.z() + x.x()), std::sin(5 * x.x() + x.y()));
  for (const Vec3& x : box.nodes) box.velocity.push_back(Vec3(1, 2, 3).cross(x));
  return box;
}

/// Area of the faces above each triangle of the input, over all ranks, and how many faces; −1: of the rest.
std::map<std::int32_t, std::pair<double, int>> area_by_source(const Mesh& mesh) {
  struct Face {
    std::int32_t source;
    double area;
  };
  std::vector<Face> mine;
  for (const BoundaryFace& face : mesh.surface().faces()) {
    const auto& order = mesh::kFaceCorners[face.opposite];
    const auto corners = mesh.corners(face.element);
    const Vec3 &a = mesh.rest[corners[order[0]]], &b = mesh.rest[corners[order[1]]], &c = mesh.rest[corners[order[2]]];
    mine.push_back({mesh.field(kFaceSource)[face.element][face.opposite], (b - a).cross(c - a).norm() / 2});
  }
  std::map<std::int32_t, std::pair<double, int>> areas;
  for (const Face& face : mesh.comm().all_gather(std::span<const Face>(mine))) {
    areas[face.source].first += face.area;
    ++areas[face.source].second;
  }
  return areas;
}

class Refinement : public ::testing::TestWithParam<Partitioner> {};

TEST_P(Refinement, HasTheBitsOfOneRank) {
  const mesh::TetMesh box = skewed_box(4, 3, 2);
  std::vector<std::uint32_t> regions;
  for (const Vec3& x : box.nodes) regions.push_back(x.x() < 1.5 ? 5 : 1);
  for (int times = 0; times <= 2; ++times) {
    const auto options = refined(times, GetParam());
    const Mesh mesh = distribute(core::Comm(), box, regions, {named("a"), named("b")}, options);
    const Mesh alone = distribute(core::Comm(MPI_COMM_SELF), box, regions, {named("a"), named("b")}, options);
    EXPECT_EQ(check_mesh(mesh), std::vector<std::string>());
    EXPECT_EQ(test::digest(mesh), test::digest(alone)) << times;
    EXPECT_EQ(mesh.facts.next_node_id, alone.facts.next_node_id);
    EXPECT_EQ(mesh.facts.max_inverse_altitudes_squared, alone.facts.max_inverse_altitudes_squared);
  }
}

TEST_P(Refinement, KeepsBodySurfaceMaterialsAndMotion) {
  const mesh::TetMesh box = skewed_box(5, 3, 3);
  const Mesh coarse = distribute(core::Comm(), box, {}, {named("a"), named("b")}, refined(0, GetParam()));
  const auto before = test::totals(coarse);
  const auto areas = area_by_source(coarse);
  for (int times = 1; times <= 2; ++times) {
    const Mesh mesh = distribute(core::Comm(), box, {}, {named("a"), named("b")}, refined(times, GetParam()));
    const auto after = test::totals(mesh);  // check_mesh looks for inverted tets
    EXPECT_EQ(check_mesh(mesh), std::vector<std::string>());
    EXPECT_EQ(after.elements, before.elements << (3 * times));
    EXPECT_NEAR(after.volume, before.volume, 1e-12 * before.volume);
    EXPECT_NEAR(after.mass, before.mass, 1e-12 * before.mass);
    EXPECT_LT((after.momentum - before.momentum).norm(), 1e-12 * before.momentum.norm());
    EXPECT_EQ(mesh.facts.next_node_id, after.nodes) << "ids are dense";
    EXPECT_EQ(mesh.facts.next_element_id, after.elements);
    const auto divided = area_by_source(mesh);
    ASSERT_EQ(divided.size(), areas.size());
    for (const auto& [source, area] : areas) {
      EXPECT_NEAR(divided.at(source).first, area.first, 1e-13) << source;
      EXPECT_EQ(divided.at(source).second, area.second << (2 * times)) << source;
    }
    double grouped = 0;
    for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
      const LocalElement e(i);
      if (!mesh.is_held(e)) continue;
      EXPECT_EQ(mesh.field(kTetGroup)[e], mesh.material_of[e] == 1 ? 0 : mesh::kNoGroup);
      if (mesh.is_home(e) && mesh.material_of[e] == 1) grouped += mesh.volume(e);
    }
    EXPECT_GT(mesh.comm().max(grouped), 0);
  }
}

TEST(RefinedMesh, NodesLieOnTheMiddlesOfEdgesAndShareTheirRegions) {
  const mesh::TetMesh box = test::kuhn_box(2, 1, 1, 2, 1, 1);
  std::vector<std::uint32_t> regions;
  for (const Vec3& x : box.nodes) regions.push_back(x.x() <= 1 ? 3 : 1);
  const Mesh mesh = distribute(core::Comm(), box, regions, {named("a")}, refined(1, Partitioner::random));
  EXPECT_EQ(test::totals(mesh).nodes, 5 * 3 * 3);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    const Vec3 twice = 2 * mesh.rest[n];
    EXPECT_EQ(twice, twice.array().round().matrix());
    EXPECT_EQ(mesh.field(kRegions)[n], mesh.rest[n].x() <= 1 ? 3U : 1U);
  }
}

TEST(RefinedMesh, ShapesDoNotDegrade) {
  const auto worst = [](int times) {  // smallest altitude by mean edge length, of all nodes
    const Mesh mesh =
        distribute(core::Comm(), skewed_box(3, 3, 3), {}, {named("a"), named("b")}, refined(times, Partitioner::metis));
    double least = 1;
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.is_owned(n))
        least = std::min(least, mesh.field(kUncutAltitude)[n] / mesh.field(kUncutEdgeLength)[n]);
    return mesh.comm().min(least);
  };
  EXPECT_GT(worst(0), 0.05);
  EXPECT_GT(worst(3), 0.5 * worst(0));
}

INSTANTIATE_TEST_SUITE_P(All, Refinement, ::testing::Values(Partitioner::metis, Partitioner::random));

}  // namespace
}  // namespace brisance::dist
