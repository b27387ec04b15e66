/// Contact of pieces whose cracks are inside tets that stay whole: the same bits on any ranks, both momenta, and
/// sharp points that do not sink into the floor.
#include "brisance/contact/edge_points.hpp"
#include "brisance/contact/fields.hpp"
#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/core/random.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dist/division.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/fracture/rounds.hpp"
#include "brisance/sim/simulation.hpp"

#include "fracture/virtual_nodes/virtual_node_cutter.hpp"
#include "support/breaking_plate.hpp"
#include "support/fracture_mesh.hpp"
#include "support/joined.hpp"
#include "support/over_ranks.hpp"
#include "support/random_direction.hpp"
#include "support/shuffled_owners.hpp"
#include "support/surface_scene.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::digest_of;

constexpr std::uint64_t kSeed = 20261129;

/// Facets of this rank as sorted ids of all their nodes, with their keys.
std::vector<std::vector<std::int64_t>> facets_of(const contact::ContactSurface& surface) {
  std::vector<std::vector<std::int64_t>> list;
  for (const std::int32_t f : surface.own_facets()) {
    const contact::ContactFacet& facet = surface.facets()[static_cast<std::size_t>(f)];
    std::vector<std::int64_t>& row = list.emplace_back();
    row.push_back(facet.key);
    for (std::size_t k = 0; k < 3; ++k) {
      const contact::EmbeddedPoint* point = surface.numbering().embedded(facet.node[k]);
      if (point == nullptr) row.push_back(facet.id[k].value);
      if (point != nullptr) row.insert(row.end(), point->id.begin(), point->id.end());
    }
  }
  std::ranges::sort(list);
  return list;
}

/// Points of contact with the number and area of the facets around them.
std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::size_t, double>> points_of(
    const contact::ContactSurface& surface) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::size_t, double>> points;
  for (const contact::ContactPoint& point : surface.points())
    if (!point.around.empty()) points[{point.id.value, point.other.value}] = {point.around.size(), point.rest_area};
  return points;
}

TEST(VirtualNodeContact, CutsGiveTheSurfaceThatIsGatheredAnew) {
  dist::DistributeOptions options = test::with_fracture_fields();
  options.fields.add(contact::fields()).add(contact::surface_fields()).add(dist::division_fields());
  dist::Mesh mesh =
      dist::distribute(core::Comm(), test::kuhn_box(4, 3, 3, 0.4, 0.3, 0.3), {}, {test::stone()}, options);
  contact::ContactSurface surface(mesh, 0.1, 0.2);
  std::set<std::int32_t> touched;
  fracture::Services services;
  services.cuts_finished = [&] {
    for (const LocalNode n : mesh.touched_nodes()) touched.insert(n.value);
  };
  fracture::Rounds rounds(mesh, {}, {}, services, fracture::make_virtual_node_cutter({}));
  for (std::uint64_t turn = 0; turn < 12; ++turn) {
    touched.clear();
    std::map<LocalNode, fracture::Failure> failing;
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.is_owned(n) && dist::is_real(mesh, n)) {
        const auto id = static_cast<std::uint64_t>(mesh.node_id[n].value);
        if (core::hash_uniform(kSeed, id, 100 + turn) < 0.2)
          failing[n] = {n, 1.5, test::random_direction(kSeed, id, turn)};
      }
    rounds.crack_round(mesh, failing, 0.0, static_cast<std::int64_t>(turn), 0);
    const std::vector<std::int32_t> list(touched.begin(), touched.end());
    surface.take_in_cuts(mesh, list);
    const contact::ContactSurface anew(mesh, 0.1, 0.2);
    ASSERT_EQ(facets_of(surface), facets_of(anew)) << turn;
    ASSERT_EQ(points_of(surface), points_of(anew)) << turn;
  }
  const std::int64_t on_edges = std::ranges::count_if(
      surface.points(), [](const auto& point) { return point.is_on_edge() && !point.around.empty(); });
  EXPECT_GT(mesh.comm().sum(on_edges), 150);
}

Scene plate_of_pieces_that_meet() {
  Scene scene = test::plate_on_a_step();
  scene.fracture.cutter = "virtual_nodes";
  return scene;
}

/// Edge points that touch facets, and colliders.
std::array<std::int64_t, 2> touching_edges(const Simulation& simulation) {
  std::array<std::int64_t, 2> touching{};
  const dist::Mesh& mesh = simulation.mesh();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    if (!mesh.is_owned(LocalNode(i))) continue;
    for (const contact::EdgePointState& point : mesh.field(contact::kEdgePoints)[LocalNode(i)].state) {
      touching[0] += point.spring.exists() ? 1 : 0;
      touching[1] += point.collider_offset_m >= 0 ? 1 : 0;
    }
  }
  for (std::int64_t& count : touching) count = simulation.comm().sum(count);
  return touching;
}

std::uint64_t digest_after(const core::Comm& comm, const Scene& scene, int shuffle_every, int steps) {
  Simulation simulation(comm, scene, test::falling_plate(), {});
  for (int i = 0; i < steps; ++i) {
    if (shuffle_every > 0 && i % shuffle_every == 0) test::shuffle_owners(simulation);
    simulation.step(scene.duration_s);
  }
  return digest_of(simulation);
}

TEST(VirtualNodeContact, SameBitsOnAnyRanksWithAnyOwners) {
  constexpr int kSteps = 120;
  const core::Comm world;
  const Scene scene = plate_of_pieces_that_meet();
  Simulation simulation(world, scene, test::falling_plate(), {});
  const double before = simulation.energies().total();
  std::array<std::int64_t, 2> touched{};
  for (int i = 0; i < kSteps; ++i) {
    simulation.step(scene.duration_s);
    const auto now = touching_edges(simulation);
    for (std::size_t k = 0; k < 2; ++k) touched[k] += now[k];
  }
  const std::uint64_t alone = digest_after(core::Comm(MPI_COMM_SELF), scene, 0, kSteps);
  EXPECT_EQ(digest_of(simulation), alone);
  EXPECT_EQ(digest_after(world, scene, 50, kSteps), alone);
  EXPECT_GT(simulation.fracture_counters().cracks, 20);
  EXPECT_GT(touched[0], 100);
  EXPECT_GT(touched[1], 100);
  const Energies after = simulation.energies();
  EXPECT_NEAR(after.total(), before, 0.04 * after.kinetic);
}

// Two plates meet and break: 1e-12, rounding alone, with friction and damping.
TEST(VirtualNodeContact, PiecesKeepBothMomenta) {
  material::Material m = test::solid(1e6, 0.3, 1000, 1e-4);
  m.toughness = 300;
  Scene scene = test::surface_scene(m);
  scene.fracture.cutter = "virtual_nodes";
  scene.fracture.dust = fracture::Dust::tets;
  scene.time.step_classes = 1;
  scene.contact.restitution = scene.contact.friction = 0.5;
  const mesh::TetMesh plate = test::kuhn_box(6, 1, 4, 0.3, 0.05, 0.2);
  const Mat3 turn = Eigen::AngleAxisd(0.8, Vec3(1, 1, 0).normalized()).toRotationMatrix();
  const mesh::TetMesh plates =
      test::joined(plate, Vec3(0, 2, 0), test::moved(plate, turn, Vec3(0.1, 0.16, 0.05)), Vec3(0, -2, 0.3));
  Simulation simulation(core::Comm(), scene, plates, {});
  const Energies before = simulation.energies();
  const Vec3 spin = test::spin(simulation);
  std::int64_t on_edges = 0;
  while (simulation.time_s() < 0.06) {
    simulation.step(0.06);
    on_edges += touching_edges(simulation)[0];
  }
  const Energies after = simulation.energies();
  EXPECT_GT(simulation.fracture_counters().cracks, 20);
  EXPECT_GT(dist::find_pieces(simulation.mesh()).list.size(), 4u);
  EXPECT_GT(on_edges, 100);
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-11 * before.kinetic);
  EXPECT_LT((test::spin(simulation) - spin).norm(), 1e-11 * before.kinetic);
  EXPECT_NEAR(after.total(), before.total(), 0.02 * before.total());
}

/// Depth below z = 0 of the deepest node of the surface or point on a cut edge [m].
double deepest_point(const Simulation& simulation) {
  const dist::Mesh& mesh = simulation.mesh();
  double deepest = 0;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e)) continue;
    const dist::Division& division = mesh.field(dist::kDivision)[e];
    const auto height = [&](const elements::Barycentric& point) {
      double z = 0;
      for (int k = 0; k < 4; ++k) z += point[static_cast<std::size_t>(k)] * mesh.motion[mesh.corner(e, k)].position[2];
      return z;
    };
    for (int edge = 0; edge < 6; ++edge) {
      const auto& ends = elements::kTetEdges[static_cast<std::size_t>(edge)];
      const auto is_in = [&](int v) { return division.partition.block[static_cast<std::size_t>(v)] == division.block; };
      for (const int v : ends)
        if (is_in(v)) deepest = std::max(deepest, -mesh.motion[mesh.corner(e, v)].position[2]);
      if (division.partition.separates(edge) && (is_in(ends[0]) || is_in(ends[1])))
        deepest = std::max(deepest, -height(elements::edge_point(division.partition, edge)));
    }
  }
  return simulation.comm().max(deepest);
}

// A plate that breaks on the floor. Pieces come to lie on edges of cracks, which are no nodes.
TEST(VirtualNodeContact, SharpPiecesStayAboveTheFloor) {
  Scene scene = test::breaking_plate();
  scene.colliders.resize(1);
  scene.colliders[0].position = Vec3::Zero();
  scene.fracture.cutter = "virtual_nodes";
  mesh::TetMesh plate = test::kuhn_box(5, 1, 4, 0.5, 0.1, 0.4);
  const Mat3 turn = Eigen::AngleAxisd(0.5, Vec3::UnitY()).toRotationMatrix();
  for (Vec3& x : plate.nodes) x = turn * x + Vec3(0, 0, 0.25);
  plate.velocity.assign(plate.nodes.size(), Vec3(0, 0, -5));
  Simulation simulation(core::Comm(), scene, plate, {});
  double deepest = 0;
  std::int64_t on_edges = 0;
  while (simulation.time_s() < 0.3) {
    simulation.step(0.3);
    if (simulation.num_steps() % 5 != 0 || simulation.time_s() < 0.1) continue;
    deepest = std::max(deepest, deepest_point(simulation));
    on_edges += touching_edges(simulation)[1];
  }
  EXPECT_GT(simulation.fracture_counters().cracks, 20);
  EXPECT_GT(on_edges, 100);
  EXPECT_LT(deepest, 0.04);  // 0.4 of an edge: pieces fall on points that a twentieth of a node's mass stands for
}

}  // namespace
}  // namespace brisance::sim
