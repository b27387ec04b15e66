/// Cracks between tets that stay whole (VALIDATION F9): what a cut keeps, closed surfaces, a plane that parts a body,
/// the same bits on any ranks and owners.
#include "brisance/core/random.hpp"
#include "brisance/dist/check.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dist/division.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/fracture/rounds.hpp"

#include "fracture/virtual_nodes/crack_front.hpp"
#include "fracture/virtual_nodes/virtual_node_cutter.hpp"
#include "support/digest.hpp"
#include "support/divided_surface.hpp"
#include "support/fracture_mesh.hpp"
#include "support/kuhn.hpp"
#include "support/random_direction.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::fracture {
namespace {

constexpr std::uint64_t kSeed = 20261129;

/// Rounds that cut with virtual nodes.
Rounds virtual_node_rounds(const dist::Mesh& mesh) { return {mesh, {}, {}, {}, make_virtual_node_cutter({})}; }

dist::DistributeOptions with_division_fields() {
  dist::DistributeOptions options = test::with_fracture_fields();
  options.fields.add(dist::division_fields());
  return options;
}

/// A box whose inner nodes are jittered unless it is regular, in motion.
mesh::TetMesh moving_box(int nx, int ny, int nz, double jitter) {
  mesh::TetMesh box = test::kuhn_box(nx, ny, nz, 0.1 * nx, 0.1 * ny, 0.1 * nz);
  for (std::size_t i = 0; i < box.nodes.size(); ++i) {
    Vec3& x = box.nodes[i];
    const double size[3] = {0.1 * nx, 0.1 * ny, 0.1 * nz};
    for (int k = 0; k < 3; ++k)
      if (x[k] > 1e-9 && x[k] < size[k] - 1e-9) x[k] += jitter * (core::hash_uniform(kSeed, i, k) - 0.5);
    box.displacement.push_back(0.02 * Vec3(std::sin(3 * x[1]), std::sin(2 * x[2]), x[0] * x[1]));
    box.velocity.push_back(Vec3(std::sin(3 * x[0]), x[1], x[2] * x[2]));
  }
  return box;
}

/// A third of all directions along an axis, so that planes go through nodes, edges and faces of a regular box.
Vec3 direction(std::uint64_t id, std::uint64_t turn) {
  const auto axis = core::hash_bits(kSeed, id, 77 + turn) % 9;
  return axis < 3 ? Vec3(Vec3::Unit(static_cast<int>(axis))) : test::random_direction(kSeed, id, turn);
}

std::map<LocalNode, Failure> random_failures(const dist::Mesh& mesh, std::uint64_t turn, double share) {
  std::map<LocalNode, Failure> failing;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n) || !dist::is_real(mesh, n)) continue;
    const auto id = static_cast<std::uint64_t>(mesh.node_id[n].value);
    if (core::hash_uniform(kSeed, id, 1000000 + turn) < share) failing[n] = {n, 1.5, direction(id, turn)};
  }
  return failing;
}

Counters cut_up(dist::Mesh& mesh, std::uint64_t first, std::uint64_t last, bool check) {
  Rounds rounds = virtual_node_rounds(mesh);
  for (std::uint64_t turn = first; turn < last; ++turn) {
    auto failing = random_failures(mesh, turn, 0.3);
    rounds.crack_round(mesh, failing, 0.0, static_cast<std::int64_t>(turn), 0);
    if (!check) continue;
    const auto findings = dist::check_mesh(mesh);
    EXPECT_TRUE(findings.empty()) << "turn " << turn << ": " << findings.front();
    if (!findings.empty()) break;
  }
  return rounds.counters();
}

struct Case {
  int nx, ny, nz;
  double jitter;
  std::uint64_t turns;
};

class VirtualNodeCuts : public ::testing::TestWithParam<Case> {};

TEST_P(VirtualNodeCuts, KeepEveryInvariantAndTheSameBitsOnAnyRanks) {
  const auto [nx, ny, nz, jitter, turns] = GetParam();
  const core::Comm world;
  const mesh::TetMesh box = moving_box(nx, ny, nz, jitter);
  dist::Mesh mesh = dist::distribute(world, box, {}, {test::stone()}, with_division_fields());
  const test::Totals before = test::totals(mesh);
  const double elastic = test::elastic_energy(mesh);
  const Counters counters = cut_up(mesh, 0, turns, true);
  EXPECT_GT(mesh.facts.num_cracks, static_cast<std::int64_t>(box.nodes.size()) / 3);
  if (world.size() > 1) {
    EXPECT_GT(world.sum(counters.cracks_across_ranks), mesh.facts.num_cracks / 50);
  }
  EXPECT_GT(world.sum(counters.cracks_at_fronts), 0);
  test::expect_sound_division(mesh);
  // A cut moves mass between nodes that have the same state: rounding is all that changes.
  const test::Totals after = test::totals(mesh);
  EXPECT_NEAR(after.volume, before.volume, 1e-13 * before.volume);
  EXPECT_NEAR(after.mass, before.mass, 1e-13 * before.mass);
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-13 * before.mass);
  EXPECT_LT((after.angular_momentum - before.angular_momentum).norm(), 1e-13 * before.angular_momentum.norm());
  EXPECT_NEAR(after.kinetic_energy, before.kinetic_energy, 1e-13 * before.kinetic_energy);
  EXPECT_NEAR(test::elastic_energy(mesh), elastic, 1e-12 * elastic);
  const test::DividedSurface surface = test::divided_surface(mesh);
  test::expect_closed(surface);
  EXPECT_GT(surface.crack_area, 0);

  dist::Mesh alone = dist::distribute(core::Comm(MPI_COMM_SELF), box, {}, {test::stone()}, with_division_fields());
  cut_up(alone, 0, turns, false);
  EXPECT_EQ(test::digest(mesh), test::digest(alone));

  dist::DistributeOptions random = with_division_fields();
  random.partitioner = dist::Partitioner::random;
  dist::Mesh scattered = dist::distribute(world, box, {}, {test::stone()}, random);
  cut_up(scattered, 0, turns, true);
  EXPECT_EQ(test::digest(scattered), test::digest(alone));
}

INSTANTIATE_TEST_SUITE_P(Meshes, VirtualNodeCuts,
                         ::testing::Values(Case{4, 4, 4, 0.02, 40}, Case{8, 3, 1, 0, 40}, Case{4, 4, 4, 0, 20},
                                           Case{1, 1, 1, 0, 20}));

TEST(VirtualNodeCracks, MigrateBetweenRounds) {
  const core::Comm world;
  const mesh::TetMesh box = moving_box(4, 3, 3, 0.02);
  dist::Mesh still = dist::distribute(world, box, {}, {test::stone()}, with_division_fields());
  dist::Mesh moved = dist::distribute(world, box, {}, {test::stone()}, with_division_fields());
  for (std::uint64_t turn = 0; turn < 20; turn += 5) {
    cut_up(still, turn, turn + 5, false);
    cut_up(moved, turn, turn + 5, false);
    NodeField<std::int32_t> owner(static_cast<std::size_t>(moved.num_node_slots()), 0);
    for (std::int32_t i = 1; i < moved.num_node_slots(); ++i)
      if (const LocalNode n(i); moved.is_owned(n))
        owner[n] =
            static_cast<std::int32_t>(core::hash_bits(kSeed, static_cast<std::uint64_t>(moved.node_id[n].value), turn) %
                                      static_cast<std::uint64_t>(world.size()));
    dist::migrate(moved, owner);
    EXPECT_TRUE(dist::check_mesh(moved).empty());
  }
  EXPECT_EQ(test::digest(moved), test::digest(still));
}

/// The owned node at a crack's front that is farthest back along x and not tried twice yet, on all ranks; −1: none.
std::int64_t next_at_front(const dist::Mesh& mesh, std::map<std::int64_t, int>& tried) {
  const VirtualNodes virtual_nodes(mesh);
  double least = 1e9;
  std::int64_t id = -1;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    const double place = mesh.rest[n].x() + 0.1 * mesh.rest[n].y() + 0.01 * mesh.rest[n].z();
    if (!mesh.is_owned(n) || !dist::is_real(mesh, n) || place >= least) continue;
    if (tried[mesh.node_id[n].value] > 1 || !is_at_front(mesh, virtual_nodes, mesh.node_id[n])) continue;
    least = place;
    id = mesh.node_id[n].value;
  }
  const std::int64_t mine = mesh.comm().min(least) == least ? id : -1;
  return mesh.comm().max(mine);
}

/// A crack that starts at an edge of the box goes on node by node, with normals off by `angle_rad` in random
/// directions. Returns the crack's area over that of the plane.
double part_in_two(dist::Mesh& mesh, double height, double angle_rad) {
  Rounds rounds = virtual_node_rounds(mesh);
  std::int64_t step = 0;
  const auto fail = [&](const std::function<bool(LocalNode)>& is_meant, double angle) {
    std::map<LocalNode, Failure> failing;
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
      const LocalNode n(i);
      if (!mesh.is_owned(n) || !dist::is_real(mesh, n) || !is_meant(n)) continue;
      const auto id = static_cast<std::uint64_t>(mesh.node_id[n].value);
      const Vec3 off = std::tan(angle) * test::random_direction(kSeed, id, static_cast<std::uint64_t>(step));
      failing[n] = {n, 1.5, (Vec3::UnitZ() + Vec3(off.x(), off.y(), 0)).normalized()};
    }
    ++step;
    for (std::int64_t round = 0; mesh.comm().any(!failing.empty()) && round < 100; ++round)
      rounds.crack_round(mesh, failing, 1, step, round);
  };
  fail([&](LocalNode n) { return (mesh.rest[n] - Vec3(0, 0, height)).norm() < 0.03; }, 0);
  std::map<std::int64_t, int> tried;
  for (int turn = 0; turn < 300 && dist::find_pieces(mesh).list.size() < 2; ++turn) {
    const std::int64_t next = next_at_front(mesh, tried);
    if (next < 0) break;
    ++tried[next];
    fail([&](LocalNode n) { return mesh.node_id[n].value == next; }, angle_rad);
  }
  const test::DividedSurface surface = test::divided_surface(mesh);
  test::expect_closed(surface);
  return surface.crack_area / 0.25;
}

// F9, rules of the front: a plane between two layers of nodes parts the box, also with scattered normals.
TEST(VirtualNodeCracks, APlanePartsABox) {
  const core::Comm world;
  mesh::TetMesh box = moving_box(5, 5, 5, 0.02);
  box.displacement.clear();
  box.velocity.clear();
  for (const double angle_deg : {0.0, 10.0}) {
    dist::Mesh mesh = dist::distribute(world, box, {}, {test::stone()}, with_division_fields());
    const double area = part_in_two(mesh, 0.2, angle_deg * std::numbers::pi / 180);
    EXPECT_EQ(dist::find_pieces(mesh).list.size(), 2u) << angle_deg;
    EXPECT_GT(area, 0.95) << angle_deg;
    EXPECT_LT(area, 1.15) << angle_deg;
  }
}

}  // namespace
}  // namespace brisance::fracture
