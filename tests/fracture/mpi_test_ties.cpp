// The cohesive links that cuts make between crack faces, on any number of ranks: every face pair is linked once with
// all of its area, through fronts, later cuts and copies that are cut again; and the forces of the links on their ends.
#include "brisance/core/random.hpp"
#include "brisance/dist/check.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/fracture/cohesive/cohesive.hpp"
#include "brisance/fracture/rounds.hpp"

#include "support/digest.hpp"
#include "support/fracture_mesh.hpp"
#include "support/kuhn.hpp"
#include "support/plane_sweep.hpp"
#include "support/topology.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <tuple>

#include <gtest/gtest.h>

namespace brisance::fracture {
namespace {

constexpr double kGc = 3, kStrength = 100;

dist::DistributeOptions with_ties() {
  dist::DistributeOptions options = test::with_fracture_fields();
  options.fields.add(cohesive_fields());
  return options;
}

material::Material tough_stone() {
  material::Material m = test::stone();
  m.toughness = kStrength;
  m.toughness_mode = material::ToughnessMode::stress;
  return m;
}

Parameters cohesive() {
  Parameters parameters;
  parameters.cohesive = true;
  parameters.tips = {{kGc, 0}};
  return parameters;
}

dist::Mesh divided(const core::Comm& comm, const mesh::TetMesh& whole) {
  return dist::distribute(comm, whole, {}, {tough_stone()}, with_ties());
}

struct Sums {
  std::int64_t ends = 0, lonely = 0;
  double area = 0, waiting = 0;
};
/// Sums over the ends of all cohesive links, each link's area once; lonely: links whose partner lacks them, or has
/// other data.
Sums sums_of(const dist::Mesh& mesh) {
  struct End {
    std::int64_t one, other;
    double area, energy, peak;
    [[nodiscard]] auto key() const { return std::tuple(one, other, area, energy, peak); }
  };
  std::vector<End> mine;
  core::ExactSum waiting;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    waiting.add(mesh.field(kWaitingArea)[n]);
    EXPECT_NEAR(mesh.field(kWaitingEnergy)[n], kGc * mesh.field(kWaitingArea)[n], 1e-12);
    GlobalNode last;
    for (const Tie& tie : mesh.field(kCohesiveLinks)[n].span()) {
      EXPECT_GT(tie.partner, last);  // ascending
      last = tie.partner;
      EXPECT_NEAR(tie.energy, kGc * tie.area, 1e-12);
      EXPECT_NEAR(tie.peak, kStrength * tie.area, 1e-9);
      mine.push_back({mesh.node_id[n].value, tie.partner.value, tie.area, tie.energy, tie.peak});
    }
  }
  waiting.reduce(mesh.comm());
  std::vector<End> all = mesh.comm().all_gather(std::span<const End>(mine));
  std::ranges::sort(all, {}, &End::key);
  Sums sums{.ends = static_cast<std::int64_t>(all.size()), .waiting = waiting.value()};
  for (const End& end : all) {
    sums.area += 0.5 * end.area;
    const End there{end.other, end.one, end.area, end.energy, end.peak};
    if (!std::ranges::binary_search(all, there.key(), {}, &End::key)) ++sums.lonely;
  }
  return sums;
}

double lip_area(const dist::Mesh& mesh) {
  return 0.5 * test::topology(test::whole_mesh(mesh)).crack_area([](const auto&) { return true; }).first;
}

// An inner node of a grid of spacing h that is split across z: six face pairs of h²/2 open. A third of them is linked,
// a sixth of a pair's area each waits at the six nodes around it, twice.
TEST(Ties, OneInnerNode) {
  dist::Mesh mesh = divided(core::Comm(), test::kuhn_box(4, 4, 4, 1, 1, 1));
  Rounds rounds(mesh, cohesive(), {}, {});
  std::map<LocalNode, Failure> failing;
  const GlobalNode centre((2 * 5 + 2) * 5 + 2);
  if (const LocalNode n = mesh.find(centre); n.valid() && mesh.is_owned(n)) failing[n] = {n, 1.5, Vec3::UnitZ()};
  EXPECT_TRUE(rounds.crack_round(mesh, failing, 0, 0, 0));
  const Sums sums = sums_of(mesh);
  EXPECT_EQ(sums.ends, 2);
  EXPECT_EQ(sums.lonely, 0);
  EXPECT_NEAR(sums.area, 1.0 / 16, 1e-14);
  EXPECT_NEAR(sums.waiting, 2.0 / 16, 1e-14);
}

struct Section {
  Vec3 normal;
  double area;
};
class CutThrough : public ::testing::TestWithParam<Section> {};

// Once a plane has cut a whole cube no area waits any more, and the cohesive links have the section's area, for any
// order of cuts and any owners.
TEST_P(CutThrough, TiesTheWholeSection) {
  const auto [normal, area] = GetParam();
  dist::Mesh mesh = divided(core::Comm(), test::kuhn_box(4, 4, 4, 1, 1, 1));
  Parameters parameters = cohesive();
  parameters.altitude_floor = 0.05;
  Rounds rounds(mesh, parameters, {}, {});
  for (const double reach : {1e-9, parameters.snap_fraction * 1.3 / 4})
    test::sweep(mesh, rounds, {Vec3(0.5, 0.5, 0.5), normal.normalized()}, reach);
  const double crack_faces = lip_area(mesh);
  EXPECT_NEAR(crack_faces, area, 0.02 * area);
  const Sums sums = sums_of(mesh);
  EXPECT_EQ(sums.lonely, 0);
  EXPECT_NEAR(sums.waiting, 0, 1e-12);
  EXPECT_NEAR(sums.area, crack_faces, 1e-12);
  EXPECT_TRUE(dist::check_mesh(mesh).empty());
}
INSTANTIATE_TEST_SUITE_P(Ties, CutThrough,
                         ::testing::Values(Section{{0, 0, 1}, 1}, Section{{0.2, 0.1, 1}, 1.02470},
                                           Section{{1, 1, 1}, 1.29904}, Section{{-0.4, 0.7, 0.9}, 1.29463}));

/// Random planes at random nodes.
std::map<LocalNode, Failure> random_failures(const dist::Mesh& mesh, std::uint64_t turn, double share) {
  std::map<LocalNode, Failure> failing;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n) || mesh.star(n).size() < 2) continue;
    const auto id = static_cast<std::uint64_t>(mesh.node_id[n].value);
    const auto draw = [&](std::uint64_t purpose) { return core::hash_uniform(99, id, 4 * turn + purpose); };
    if (draw(0) < share) failing[n] = {n, 1.5, Vec3(draw(1) - 0.5, draw(2) - 0.5, draw(3) - 0.5).normalized()};
  }
  return failing;
}

// Cracks upon cracks in all directions: crack faces are cut again, their cohesive links move to copies, fronts meet.
// All of the area is linked or waits, except for links beyond the limit of a node; bits and cohesive links are those of
// one rank.
TEST(Ties, RandomCutsLoseNoArea) {
  const mesh::TetMesh box = test::kuhn_box(4, 3, 3, 0.4, 0.3, 0.3);
  Parameters parameters = cohesive();
  parameters.altitude_floor = 0.1;
  const auto cut_up = [&](const core::Comm& comm) {
    dist::Mesh mesh = divided(comm, box);
    Rounds rounds(mesh, parameters, {}, {});
    for (std::uint64_t turn = 0; turn < 40; ++turn) {
      auto failing = random_failures(mesh, turn, 0.03);
      rounds.crack_round(mesh, failing, 0.0, static_cast<std::int64_t>(turn), 0);
    }
    return mesh;
  };
  const dist::Mesh mesh = cut_up(core::Comm());
  EXPECT_GT(mesh.facts.num_cracks, 60);
  const Sums sums = sums_of(mesh);
  const double crack_faces = lip_area(mesh);
  RecordProperty("tied_and_waiting_over_area", std::to_string((sums.area + sums.waiting) / crack_faces));
  EXPECT_EQ(sums.lonely, 0);
  EXPECT_GT(sums.ends, 100);
  EXPECT_LE(sums.area + sums.waiting, crack_faces * (1 + 1e-12));
  EXPECT_GT(sums.area + sums.waiting, 0.97 * crack_faces);
  EXPECT_EQ(test::digest(mesh), test::digest(cut_up(core::Comm(MPI_COMM_SELF))));
}

// A block cut in two whose halves are moved apart and rotated: the forces of the cohesive links have no sum and no
// moment, and their account is that of the law. On several ranks most cohesive links have their ends on two.
TEST(Ties, ForcesHaveNeitherSumNorMomentOnAnyOwners) {
  const auto run = [](const core::Comm& comm, bool shuffled) {
    dist::Mesh mesh = divided(comm, test::kuhn_box(3, 3, 4, 0.3, 0.3, 0.4));
    Rounds rounds(mesh, cohesive(), {}, {});
    test::sweep(mesh, rounds, {Vec3(0.15, 0.15, 0.2), Vec3::UnitZ()}, 1e-9);
    if (shuffled) {
      NodeField<std::int32_t> owner(static_cast<std::size_t>(mesh.num_node_slots()), 0);
      for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
        owner[LocalNode(i)] = static_cast<std::int32_t>(
            core::hash_bits(5, static_cast<std::uint64_t>(mesh.node_id[LocalNode(i)].value), 3) %
            static_cast<std::uint64_t>(comm.size()));
      dist::migrate(mesh, owner);
    }
    CohesiveLinks ties;
    std::vector<double> seen;
    for (const double opening : {0.0, 1e-4, 0.02, 0.005, 0.1}) {  // tears at 0.06
      for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
        const LocalNode n(i);
        if (!mesh.is_used(n)) continue;
        double middle = 0;
        for (const std::int32_t e : mesh.star(n))
          for (const LocalNode c : mesh.corners(LocalElement(e))) middle += mesh.rest[c].z() - 0.2;
        const Vec3 x = mesh.rest[n];
        const Vec3 moved = middle < 0 ? x : Vec3(x + opening * (Vec3(0.1, 0.2, 1) + Vec3(0, 0.3, 0.1).cross(x)));
        for (int k = 0; k < 3; ++k) mesh.motion[n].position[k] = moved[k];
      }
      std::vector<dist::NodeForce> forces(mesh.node_id.size());
      core::ExactSum lost = ties.add_forces(mesh, 1e-4, 0.2, forces);
      std::array<core::ExactSum, 7> sums;
      for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
        const LocalNode n(i);
        if (!mesh.is_owned(n)) continue;
        const Vec3 f(forces[static_cast<std::size_t>(i)].force), x(mesh.motion[n].position), moment = x.cross(f);
        for (int k = 0; k < 3; ++k) {
          sums[static_cast<std::size_t>(k)].add(f[k]);
          sums[static_cast<std::size_t>(3 + k)].add(moment[k]);
        }
        sums[6].add(f.norm());
      }
      core::ExactSum::reduce(comm, sums);
      const CohesiveAccount account = ties.account(mesh);
      std::array<core::ExactSum, 4> energy{account.stored, account.dissipated, account.tied_area, account.torn_area};
      core::ExactSum::reduce(comm, energy);
      const double size = sums[6].value();
      EXPECT_EQ(size > 0, opening > 0 && opening < 0.1);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_LE(std::abs(sums[k].value()), 1e-14 * size);
        EXPECT_LE(std::abs(sums[3 + k].value()), 1e-14 * size);
      }
      EXPECT_NEAR(energy[2].value() + energy[3].value(), 0.09, 1e-14);
      if (opening == 0.1) {
        EXPECT_NEAR(energy[1].value(), kGc * 0.09, 1e-13);
      }
      lost.reduce(comm);
      EXPECT_EQ(lost.value(), 0);
      for (const auto& sum : sums) seen.push_back(sum.value());
      for (const auto& sum : energy) seen.push_back(sum.value());
    }
    seen.push_back(std::bit_cast<double>(test::digest(mesh)));
    return seen;
  };
  const std::vector<double> alone = run(core::Comm(MPI_COMM_SELF), false);
  const core::Comm world;
  for (const bool shuffled : {false, true}) {
    const std::vector<double> here = run(world, shuffled);
    EXPECT_EQ(std::memcmp(here.data(), alone.data(), alone.size() * sizeof(double)), 0);
  }
}

}  // namespace
}  // namespace brisance::fracture
