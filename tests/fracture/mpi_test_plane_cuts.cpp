// Known cuts on any number of ranks: Euler characteristics (VALIDATION F4), conformity (F5), one plane through a
// regular grid (F7), growth (F8), and plastic strain inherited through cuts (B8).
#include "brisance/core/random.hpp"
#include "brisance/dist/check.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dist/pieces.hpp"

#include "support/fracture_mesh.hpp"
#include "support/kuhn.hpp"
#include "support/plane_sweep.hpp"
#include "support/topology.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::fracture {
namespace {

using test::Plane, test::sweep;

constexpr int kCells = 4;
constexpr double kSpacing = 1.0 / kCells;

dist::Mesh cube(const material::Material& m) {
  return dist::distribute(core::Comm(), test::kuhn_box(kCells, kCells, kCells, 1, 1, 1), {}, {m},
                          test::with_fracture_fields());
}

test::Topology checked_topology(const dist::Mesh& mesh) {
  const auto findings = dist::check_mesh(mesh);  // F5: conforming, stars face-connected, copies agree across ranks
  EXPECT_TRUE(findings.empty()) << findings.front();
  const auto t = test::topology(test::whole_mesh(mesh));
  EXPECT_LE(t.most_tets_at_a_face, 2);
  return t;
}

// VALIDATION F4: the counts of the uncut grid.
TEST(PlaneCuts, F4UncutCubeHasTheReferenceCounts) {
  const dist::Mesh mesh = cube(test::stone());
  const auto t = checked_topology(mesh);
  EXPECT_EQ(t.nodes, 125);
  EXPECT_EQ(t.edges, 604);
  EXPECT_EQ(t.faces, 864);
  EXPECT_EQ(t.tets, 384);
  EXPECT_EQ(t.euler(), 1);
}

// VALIDATION F4, F7: a grid plane cuts the cube in two: 150, 660, 896, 384, χ = 2, and a flat unit square on each side.
TEST(PlaneCuts, F4F7GridPlaneCutsTheCubeInTwo) {
  dist::Mesh mesh = cube(test::stone());
  Rounds rounds(mesh, {}, {}, {});
  sweep(mesh, rounds, {Vec3(0.5, 0.5, 0.5), Vec3::UnitZ()}, 1e-9);
  const auto t = checked_topology(mesh);
  EXPECT_EQ(t.nodes, 150);
  EXPECT_EQ(t.edges, 660);
  EXPECT_EQ(t.faces, 896);
  EXPECT_EQ(t.tets, 384);
  EXPECT_EQ(t.euler(), 2);
  EXPECT_EQ(dist::find_pieces(mesh).list.size(), 2u);
  for (const double sign : {1.0, -1.0}) {
    const auto [area, vector] = t.crack_area([&](const auto& f) { return f.area()[2] * sign > 0; });
    EXPECT_NEAR(area, 1, 1e-12);
    EXPECT_NEAR(vector[2], sign, 1e-12);
  }
}

// VALIDATION F4: one inner node split is a closed crack: one piece with a cavity, χ = 2, and 126, 610, 870, 384.
TEST(PlaneCuts, F4SplittingOneInnerNodeMakesACavity) {
  dist::Mesh mesh = cube(test::stone());
  Rounds rounds(mesh, {}, {}, {});
  std::map<LocalNode, Failure> failing;
  const GlobalNode centre((2 * 5 + 2) * 5 + 2);
  if (const LocalNode n = mesh.find(centre); n.valid() && mesh.is_owned(n)) failing[n] = {n, 1.5, Vec3::UnitZ()};
  EXPECT_TRUE(rounds.crack_round(mesh, failing, 0, 0, 0));
  const auto t = checked_topology(mesh);
  EXPECT_EQ(t.nodes, 126);
  EXPECT_EQ(t.edges, 610);
  EXPECT_EQ(t.faces, 870);
  EXPECT_EQ(t.tets, 384);
  EXPECT_EQ(t.euler(), 2);
  EXPECT_EQ(dist::find_pieces(mesh).list.size(), 1u);
}

struct Section {
  Vec3 normal;
  double area;  ///< of the unit cube's section through its centre [m²]
};
class ObliquePlane : public ::testing::TestWithParam<Section> {};

// VALIDATION F7: an oblique plane through the centre cuts the cube in two. Nodes of the crack surface lie within the
// snap distance of the plane, 0.1 of the mean edge (at most 1.3 grid spacings). 1 % on the area of a side: at its rim
// the surface is off the plane by as much, 0.1 h of 4 h, and less on average.
TEST_P(ObliquePlane, F7CutsTheCubeInTwo) {
  const Plane plane{Vec3(0.5, 0.5, 0.5), GetParam().normal.normalized()};
  dist::Mesh mesh = cube(test::stone());
  Parameters parameters;
  parameters.altitude_floor = 0.05;
  Rounds rounds(mesh, parameters, {}, {});
  const double snap = parameters.snap_fraction * 1.3 * kSpacing;
  sweep(mesh, rounds, plane, 1e-9);
  sweep(mesh, rounds, plane, snap);
  const auto t = checked_topology(mesh);
  EXPECT_EQ(t.euler(), 2);
  EXPECT_EQ(dist::find_pieces(mesh).list.size(), 2u);
  double deviation = 0;
  for (const auto& f : t.surface)
    if (f.is_crack)
      for (const Vec3& x : f.rest) deviation = std::max(deviation, std::abs(plane.distance(x)));
  EXPECT_LE(deviation, snap);
  for (const double sign : {1.0, -1.0}) {
    const auto [area, vector] = t.crack_area([&](const auto& f) { return f.area().dot(plane.normal) * sign > 0; });
    EXPECT_NEAR(vector.dot(plane.normal), sign * GetParam().area, 0.01 * GetParam().area);
    EXPECT_NEAR(area, GetParam().area, 0.01 * GetParam().area);
  }
  // F8: a cut adds few tets and more nodes: fewer tets meet at a node than before.
  const double incidence = 4.0 * static_cast<double>(t.tets) / static_cast<double>(t.nodes);
  RecordProperty("tets_after", std::to_string(t.tets));
  RecordProperty("tets_at_a_node_after", std::to_string(incidence));
  EXPECT_LT(incidence, 4.0 * 384 / 125);
  EXPECT_GT(t.tets, 384);
}

INSTANTIATE_TEST_SUITE_P(Normals, ObliquePlane,
                         ::testing::Values(Section{{0.2, 0.1, 1}, 1.02470}, Section{{0.3, -0.2, 1}, 1.06301},
                                           Section{{1, 1, 1}, 1.29904}, Section{{-0.4, 0.7, 0.9}, 1.29463}));

/// A plate of 768 tets; where `height` is not 0, an inner tet at its far end has a node at this share of its height
/// above one of its faces, which makes a sliver of the tet below the node.
mesh::TetMesh plate_with_sliver(double height) {
  mesh::TetMesh plate = test::kuhn_box(16, 2, 4, 4, 0.5, 1);
  if (height == 0) return plate;
  for (std::size_t e = 0; e < plate.tets.size(); ++e) {
    const auto tet = plate.tets[e];
    Vec3 centre = Vec3::Zero();
    for (auto n : tet) centre += plate.nodes[n] / 4;
    const auto& tags = plate.face_source[e];
    if (centre[0] < 3.4 || *std::max_element(tags.begin(), tags.end()) != mesh::kNoSourceTriangle) continue;
    const auto& x = plate.nodes;
    const auto added = static_cast<std::int32_t>(plate.nodes.size());
    plate.nodes.push_back((1 - height) / 3 * (x[tet[0]] + x[tet[1]] + x[tet[2]]) + height * x[tet[3]]);
    for (int i = 0; i < 4; ++i) {
      auto part = tet;
      part[i] = added;
      if (i == 0) plate.tets[e] = part;
      if (i > 0) plate.tets.push_back(part);
      if (i > 0) plate.face_source.push_back(tags);  // all inside
    }
    return plate;
  }
  ADD_FAILURE() << "no inner tet";
  return plate;
}

// VALIDATION I4: the flatness of a sliver has no effect on cuts elsewhere.
TEST(PlaneCuts, I4OneSliverDoesNotMoveTheFloorElsewhere) {
  const Plane plane{Vec3(0.6, 0.25, 0.5), Vec3(1, 0.35, 0.2).normalized()};
  std::map<double, std::int64_t> edge_splits;
  for (const double height : {0.0, 0.25, 0.05, 0.01, 0.002}) {
    dist::Mesh mesh =
        dist::distribute(core::Comm(), plate_with_sliver(height), {}, {test::stone()}, test::with_fracture_fields());
    Rounds rounds(mesh, {}, {}, {});
    sweep(mesh, rounds, plane, 0.03);
    edge_splits[height] = mesh.comm().sum(rounds.counters().edge_splits);
    EXPECT_EQ(edge_splits[height], edge_splits[0]) << "sliver of " << height;
    const LocalNode added = mesh.find(GlobalNode(17 * 3 * 5));
    if (height > 0 && added.valid()) {
      EXPECT_LT(mesh.field(dist::kUncutAltitude)[added], 0.07) << "the sliver itself, of " << height;
    }
  }
  EXPECT_GT(edge_splits[0], 20);
  RecordProperty("edge_splits", std::to_string(edge_splits[0]));
}

/// Barycentric test with a margin for rounding.
bool contains(const test::WholeElement& e, const Vec3& x) {
  for (int i = 0; i < 4; ++i) {
    const auto& f = mesh::kFaceCorners[i];
    if (mesh::tet_volume(e.at(f[0]), e.at(f[2]), e.at(f[1]), x) < -1e-12) return false;
  }
  return true;
}

// VALIDATION B8: the tets that a cut makes have the plastic strain of their parent, to the bit.
TEST(PlaneCuts, B8ChildrenInheritThePlasticStrain) {
  material::Material clay = test::stone();
  clay.yield_strain = 0.01;
  clay.plastic_limit = 0.5;
  dist::Mesh mesh = cube(clay);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh.is_held(e))
      for (int k = 0; k < 6; ++k)
        mesh.field(dynamics::kPlasticState)[i / 8].strain[k][i % 8] =
            core::hash_uniform(3, static_cast<std::uint64_t>(mesh.element_id[e].value), k) - 0.5;
  const auto before = test::whole_mesh(mesh);
  Parameters parameters;
  parameters.altitude_floor = 0.05;
  Rounds rounds(mesh, parameters, {}, {});
  sweep(mesh, rounds, {Vec3(0.5, 0.5, 0.5), Vec3(-0.4, 0.7, 0.9).normalized()}, 1e-9);
  const auto after = test::whole_mesh(mesh);
  EXPECT_GT(after.size(), before.size() + 100);
  for (const auto& child : after) {
    const Vec3 centroid = (child.at(0) + child.at(1) + child.at(2) + child.at(3)) / 4;
    const auto parent =
        std::find_if(before.begin(), before.end(), [&](const auto& e) { return contains(e, centroid); });
    ASSERT_NE(parent, before.end());
    EXPECT_EQ(child.plastic_strain, parent->plastic_strain) << "tet " << child.id;
  }
}

}  // namespace
}  // namespace brisance::fracture
