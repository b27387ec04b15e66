/// Cuts that leave elements whole: what fracture rounds, fields, surface and migration promise holds for copied
/// elements as it does for bisected ones.
#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/dist/check.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/fracture/cutters/cutter.hpp"
#include "brisance/fracture/rounds.hpp"

#include "support/copying_cutter.hpp"
#include "support/digest.hpp"
#include "support/fracture_mesh.hpp"
#include "support/kuhn.hpp"
#include "support/random_direction.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace brisance::fracture {
namespace {

constexpr std::uint64_t kSeed = 20261129;

mesh::TetMesh moving_box() {
  mesh::TetMesh box = test::kuhn_box(4, 3, 3, 0.4, 0.3, 0.3);
  for (const Vec3& x : box.nodes) {
    box.displacement.push_back(0.02 * Vec3(std::sin(3 * x[1]), std::sin(2 * x[2]), x[0] * x[1]));
    box.velocity.push_back(Vec3(std::sin(3 * x[0]), x[1], x[2] * x[2]));
  }
  return box;
}

/// Rounds of random failures, the same for any owners of the nodes.
std::int64_t copy_up(dist::Mesh& mesh, std::uint64_t first_turn, std::uint64_t last_turn) {
  Rounds rounds(mesh, Parameters{}, {}, {}, std::make_unique<test::CopyingCutter>());
  for (std::uint64_t turn = first_turn; turn < last_turn; ++turn) {
    std::map<LocalNode, Failure> failing;
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
      const LocalNode n(i);
      if (!mesh.is_owned(n)) continue;
      const auto id = static_cast<std::uint64_t>(mesh.node_id[n].value);
      if (core::hash_uniform(kSeed, id, 1000000 + turn) < 0.2)
        failing[n] = {n, 1.5, test::random_direction(kSeed, id, turn)};
    }
    rounds.crack_round(mesh, failing, 0.0, static_cast<std::int64_t>(turn), 0);
    const auto findings = dist::check_mesh(mesh);
    EXPECT_TRUE(findings.empty()) << "turn " << turn << ": " << findings.front();
    if (!findings.empty()) break;
  }
  return mesh.comm().sum(rounds.counters().cracks_across_ranks);
}

/// Area of the uncut surface at rest, each face with its element's share of material. Collective.
double outside_area(const dist::Mesh& mesh) {
  core::ExactSum sum;
  for (const dist::BoundaryFace& face : mesh.surface().faces()) {
    if (mesh.field(dist::kFaceSource)[face.element][static_cast<std::size_t>(face.opposite)] < 0) continue;
    const auto& order = mesh::kFaceCorners[face.opposite];
    const auto at = [&](int i) -> const Vec3& { return mesh.rest[mesh.corner(face.element, order[i])]; };
    sum.add(mesh.field(dist::kMaterialShare)[face.element] * 0.5 * (at(1) - at(0)).cross(at(2) - at(0)).norm());
  }
  sum.reduce(mesh.comm());
  return sum.value();
}

std::int64_t num_copies(const dist::Mesh& mesh) {
  std::int64_t count = 0;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh.is_held(e) && mesh.is_home(e))
      count += mesh.field(dist::kMaterialShare)[e] < 1 ? 1 : 0;
  return mesh.comm().sum(count);
}

TEST(ElementCopies, KeepMaterialMotionAndEnergyExactly) {
  const core::Comm world;
  dist::Mesh mesh = dist::distribute(world, moving_box(), {}, {test::stone()}, test::with_fracture_fields());
  const test::Totals before = test::totals(mesh);
  const double elastic = test::elastic_energy(mesh), area = outside_area(mesh);
  EXPECT_NEAR(area, 0.66, 1e-12);
  const std::int64_t across_ranks = copy_up(mesh, 0, 40);
  const test::Totals after = test::totals(mesh);
  EXPECT_GT(mesh.facts.num_cracks, 100);
  EXPECT_GT(num_copies(mesh), 200);
  if (world.size() > 1) {
    EXPECT_GT(across_ranks, 10);
  }
  // Copies have the state of the original, so that a cut moves mass between equal nodes alone: rounding is all.
  EXPECT_NEAR(after.volume, before.volume, 1e-13 * before.volume);
  EXPECT_NEAR(after.mass, before.mass, 1e-13 * before.mass);
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-13 * before.mass);
  EXPECT_LT((after.angular_momentum - before.angular_momentum).norm(), 1e-13 * before.angular_momentum.norm());
  EXPECT_NEAR(after.kinetic_energy, before.kinetic_energy, 1e-13 * before.kinetic_energy);
  EXPECT_NEAR(test::elastic_energy(mesh), elastic, 1e-12 * elastic);
  // Copies side by side do not close each other's outside faces.
  EXPECT_NEAR(outside_area(mesh), area, 1e-12 * area);
}

TEST(ElementCopies, AreTheSameOnAnyRanksAndOwners) {
  const core::Comm world;
  dist::Mesh alone =
      dist::distribute(core::Comm(MPI_COMM_SELF), moving_box(), {}, {test::stone()}, test::with_fracture_fields());
  copy_up(alone, 0, 20);
  dist::DistributeOptions random = test::with_fracture_fields();
  random.partitioner = dist::Partitioner::random;
  for (const dist::DistributeOptions& options : {test::with_fracture_fields(), random}) {
    dist::Mesh mesh = dist::distribute(world, moving_box(), {}, {test::stone()}, options);
    copy_up(mesh, 0, 20);
    EXPECT_EQ(test::digest(mesh), test::digest(alone));
  }
}

TEST(ElementCopies, MigrateBetweenRounds) {
  const core::Comm world;
  dist::Mesh still = dist::distribute(world, moving_box(), {}, {test::stone()}, test::with_fracture_fields());
  dist::Mesh moved = dist::distribute(world, moving_box(), {}, {test::stone()}, test::with_fracture_fields());
  for (std::uint64_t turn = 0; turn < 20; turn += 5) {
    copy_up(still, turn, turn + 5);
    copy_up(moved, turn, turn + 5);
    NodeField<std::int32_t> owner(static_cast<std::size_t>(moved.num_node_slots()), 0);
    for (std::int32_t i = 1; i < moved.num_node_slots(); ++i)
      if (const LocalNode n(i); moved.is_owned(n))
        owner[n] =
            static_cast<std::int32_t>(core::hash_bits(kSeed, static_cast<std::uint64_t>(moved.node_id[n].value), turn) %
                                      static_cast<std::uint64_t>(world.size()));
    dist::migrate(moved, owner);
  }
  EXPECT_EQ(test::digest(moved), test::digest(still));
}

TEST(Cutters, AreMadeByName) {
  Parameters parameters;
  for (const std::string& name : cutter_names()) {
    parameters.cutter = name;
    EXPECT_NE(make_cutter(parameters), nullptr);
  }
  parameters.cutter = "scissors";
  try {
    (void)make_cutter(parameters);
    ADD_FAILURE() << "no cutter has this name";
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "there is no cutter \"scissors\". Choose one of: remeshing, virtual_nodes.");
  }
}

}  // namespace
}  // namespace brisance::fracture
