/// Every tet into eight on the distributed mesh: the same bits for any distribution, and the same body.
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

/// An irregular, rotating box; its upper half is of a second material and of a group.
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
    const auto after = test::totals(mesh);  // check_mesh tests for inverted tets
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

/// A ball inside a cube of edge 2, of 12 tets a cell and edge.
mesh::TetMesh coarse_ball(int n) {
  mesh::TetMesh ball = test::kuhn_box(n, n, n, 2, 2, 2);
  for (Vec3& x : ball.nodes) {
    const Vec3 y = x - Vec3::Constant(1);
    const double largest = y.cwiseAbs().maxCoeff();
    x = largest > 0 ? Vec3(y * (largest / y.norm())) : y;  // cubes become balls
  }
  for (const Vec3& x : ball.nodes) ball.velocity.push_back(Vec3(1, 2, 3) + Vec3(-2, 1, 0.5).cross(x));
  return ball;
}

/// Onto the ball of radius 1.
std::optional<Vec3> to_ball(GlobalElement, const mesh::SurfaceEdge& edge) {
  const Vec3 middle = (edge.ends[0] + edge.ends[1]) / 2;
  return Vec3(middle * (1 / middle.norm() - 1));
}

DistributeOptions following(int times, Partitioner partitioner, WayOfMiddle way, RefinementReport* report) {
  DistributeOptions options = refined(times, partitioner);
  options.way_of_middle = std::move(way);
  options.refinement = report;
  return options;
}

/// Largest distance of boundary nodes from the ball, over all ranks.
double farthest_from_ball(const Mesh& mesh) {
  double farthest = 0;
  for (const BoundaryFace& face : mesh.surface().faces())
    for (int k = 0; k < 4; ++k)
      if (k != face.opposite)
        farthest = std::max(farthest, std::abs(mesh.rest[mesh.corners(face.element)[k]].norm() - 1));
  return mesh.comm().max(farthest);
}

TEST_P(Refinement, FollowsABallWithTheBitsOfOneRank) {
  const mesh::TetMesh ball = coarse_ball(4);
  for (int times = 1; times <= 2; ++times) {
    RefinementReport report, of_one;
    const Mesh mesh = distribute(core::Comm(), ball, {}, {named("a")}, following(times, GetParam(), to_ball, &report));
    const Mesh alone =
        distribute(core::Comm(MPI_COMM_SELF), ball, {}, {named("a")}, following(times, GetParam(), to_ball, &of_one));
    EXPECT_EQ(check_mesh(mesh), std::vector<std::string>());
    EXPECT_EQ(test::digest(mesh), test::digest(alone)) << times;
    EXPECT_EQ(mesh.facts.max_inverse_altitudes_squared, alone.facts.max_inverse_altitudes_squared);
    EXPECT_EQ(report.boundary, times == 1 ? 3 * 192 / 2 : 3 * 192 / 2 * 5);  // 192 triangles, then 768
    EXPECT_EQ(report.boundary, of_one.boundary);
    EXPECT_EQ(report.moved, of_one.moved);
    EXPECT_EQ(report.half_way, of_one.half_way);
    EXPECT_EQ(report.held, of_one.held);
    EXPECT_EQ(report.farthest_m, of_one.farthest_m);
    EXPECT_EQ(report.moved + report.held, report.boundary);
  }
}

TEST_P(Refinement, VolumeErrorOfABallFallsWithTheSquareOfTheEdge) {
  // For a polyhedron with its corners on the ball it is c h² (1 + O(h²)): 16 times less with edges of a quarter. Where
  // middles stay straight to keep tets valid it falls less, and not at all where all are straight.
  const double ball = 4 * std::acos(-1.0) / 3;
  double before = 0;
  for (int times = 0; times <= 2; ++times) {
    RefinementReport report;
    const Mesh mesh =
        distribute(core::Comm(), coarse_ball(6), {}, {named("a")}, following(times, GetParam(), to_ball, &report));
    const double error = 1 - test::totals(mesh).volume / ball;
    EXPECT_EQ(report.held + report.half_way, 0);
    EXPECT_LT(farthest_from_ball(mesh), 1e-15);
    if (times == 0) before = error;
    if (times == 2) {
      EXPECT_NEAR(before / error, 16, 0.8) << before;
    }
  }
}

TEST_P(Refinement, VelocitiesGoOnWhereMiddlesMove) {
  const Mesh mesh =
      distribute(core::Comm(), coarse_ball(4), {}, {named("a")}, following(2, GetParam(), to_ball, nullptr));
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_used(n)) continue;
    const Vec3 turning = Vec3(1, 2, 3) + Vec3(-2, 1, 0.5).cross(mesh.rest[n]);
    EXPECT_LT((Vec3(mesh.motion[n].velocity) - turning).norm(), 1e-13);
    EXPECT_LT((Vec3(mesh.motion[n].position) - mesh.rest[n]).norm(), 1e-15);
  }
}

TEST_P(Refinement, MiddlesThatWouldInvertTetsStopHalfWayOrStay) {
  const mesh::TetMesh box = skewed_box(4, 3, 3);
  for (const double depth : {0.6, 5.0}) {  // in edges, into the body: middles stay straight or move far
    const auto inward = [&](GlobalElement, const mesh::SurfaceEdge& edge) -> std::optional<Vec3> {
      const double by = depth > 1 ? depth : depth * (0.5 + 0.5 * std::sin(100 * edge.ends[0].sum()));
      return Vec3(-by * (edge.ends[1] - edge.ends[0]).norm() * (edge.normals[0] + edge.normals[1]).normalized());
    };
    RefinementReport report;
    const Mesh mesh =
        distribute(core::Comm(), box, {}, {named("a"), named("b")}, following(2, GetParam(), inward, &report));
    const Mesh alone = distribute(core::Comm(MPI_COMM_SELF), box, {}, {named("a"), named("b")},
                                  following(2, GetParam(), inward, nullptr));
    EXPECT_EQ(check_mesh(mesh), std::vector<std::string>()) << depth;  // it tests for inverted tets
    EXPECT_EQ(test::digest(mesh), test::digest(alone)) << depth;
    EXPECT_EQ(report.moved + report.held, report.boundary);
    EXPECT_GT(report.held, 0);
    if (depth > 1) {
      EXPECT_EQ(report.moved, 0);
      EXPECT_EQ(test::digest(mesh),
                test::digest(distribute(core::Comm(), box, {}, {named("a"), named("b")}, refined(2, GetParam()))));
    } else {
      EXPECT_GT(report.half_way, 0);
      EXPECT_GT(report.moved, report.half_way);
    }
  }
}

TEST_P(Refinement, TellsOfWhichTetOfTheCoarseMeshAnEdgeIs) {
  // Two boxes that touch, one mesh: the first one's middles alone move.
  mesh::TetMesh both = test::kuhn_box(2, 2, 2, 1, 1, 1);
  const auto num_first = static_cast<std::int64_t>(both.tets.size());
  const auto first_node = static_cast<std::int32_t>(both.nodes.size());
  mesh::TetMesh other = test::kuhn_box(2, 2, 2, 1, 1, 1);
  for (const Vec3& x : other.nodes) both.nodes.emplace_back(x + Vec3(1, 0, 0));
  for (std::size_t e = 0; e < other.tets.size(); ++e) {
    for (auto& n : other.tets[e]) n += first_node;
    both.tets.push_back(other.tets[e]);
    both.face_source.push_back(other.face_source[e]);
  }
  const auto way = [&](GlobalElement tet, const mesh::SurfaceEdge& edge) -> std::optional<Vec3> {
    if (tet.value >= num_first) return std::nullopt;
    return Vec3(0.02 * (edge.normals[0] + edge.normals[1]));
  };
  RefinementReport report;
  const Mesh mesh = distribute(core::Comm(), both, {}, {named("a")}, following(2, GetParam(), way, &report));
  EXPECT_EQ(report.boundary, 2 * report.moved);
  double volumes[2] = {0, 0};
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh.is_held(e) && mesh.is_home(e))
      volumes[mesh.element_id[e].value >= 64 * num_first] += mesh.volume(e);
  const auto of_all = mesh.comm().all_gather(std::span<const double>(volumes));
  double first = 0, second = 0;
  for (std::size_t r = 0; r < of_all.size(); r += 2) first += of_all[r], second += of_all[r + 1];
  EXPECT_GT(first, 1.02);
  EXPECT_NEAR(second, 1, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, Refinement, ::testing::Values(Partitioner::metis, Partitioner::random));

}  // namespace
}  // namespace brisance::dist
