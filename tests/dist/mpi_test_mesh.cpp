/// The three rules of the distributed mesh, from the first scatter through migrations to pieces.
#include "brisance/core/byte_stream.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/dist/check.hpp"
#include "brisance/dist/distribute.hpp"
#include "brisance/dist/numbering.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/la/sparse_exchange.hpp"

#include "support/digest.hpp"
#include "support/kuhn.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace brisance::dist {
namespace {

material::Material stone() {
  material::Material m;
  m.name = "stone";
  m.density = 2000;
  m.lame_mu = 1e6;
  m.plastic_limit = 0.1;
  return m;
}

DistributeOptions with(Partitioner partitioner) {
  DistributeOptions options;
  options.partitioner = partitioner;
  return options;
}

/// Fields that a module unknown to the mesh might declare.
struct TestLanes {
  double row[2][kBatch];
};
constexpr ElementLanesDeclaration<TestLanes> kTestLanes{.name = "test_lanes", .unit = "-"};
constexpr NodeFieldDeclaration<std::uint32_t> kTestCount{.name = "test_count", .unit = "-"};

class Partitioners : public ::testing::TestWithParam<Partitioner> {};

TEST_P(Partitioners, OwnersHoldCompleteStarsAndCopiesAgree) {
  const core::Comm world;
  const Mesh mesh = distribute(world, test::kuhn_box(6, 5, 4, 6, 5, 4), {}, {stone()}, with(GetParam()));
  EXPECT_EQ(check_mesh(mesh), std::vector<std::string>());
  const auto totals = test::totals(mesh);
  EXPECT_EQ(totals.nodes, 7 * 6 * 5);
  EXPECT_EQ(totals.elements, 6 * 5 * 4 * 6);
  EXPECT_NEAR(totals.volume, 120, 1e-12 * 120);
  EXPECT_NEAR(totals.mass, 240000, 1e-12 * 240000);
  // Every rank has its share.
  std::int64_t owned = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) owned += mesh.is_owned(LocalNode(i)) ? 1 : 0;
  EXPECT_GT(owned, 210 / world.size() / 2);
}

TEST_P(Partitioners, MigrationMovesEverythingAndChangesNothing) {
  const core::Comm world;
  auto box = test::kuhn_box(5, 4, 3, 5, 4, 3);
  for (const Vec3& x : box.nodes) box.velocity.push_back(Vec3(std::sin(x[0]), x[1], x[2] * x[0]));
  std::vector<std::uint32_t> regions;
  for (std::size_t i = 0; i < box.nodes.size(); ++i) regions.push_back(i % 5 == 0 ? 3 : 0);
  DistributeOptions options = with(GetParam());
  options.fields.add(kTestLanes).add(kTestCount);
  Mesh mesh = distribute(world, box, regions, {stone()}, options);
  for (std::int32_t e = 0; e < mesh.num_element_slots(); ++e)  // a state that depends on the element alone
    mesh.field(kTestLanes)[e / kBatch].row[1][e % kBatch] =
        1e-3 * static_cast<double>(mesh.element_id[LocalElement(e)].value);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    mesh.field(kTestCount)[LocalNode(i)] = static_cast<std::uint32_t>(7 * mesh.node_id[LocalNode(i)].value);
  const std::uint64_t before = test::digest(mesh);
  for (std::uint64_t turn = 0; turn < 4; ++turn) {
    NodeField<std::int32_t> owner(mesh.num_node_slots(), 0);
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      owner[LocalNode(i)] = static_cast<std::int32_t>(
          core::hash_bits(turn, static_cast<std::uint64_t>(mesh.node_id[LocalNode(i)].value), 9) %
          static_cast<std::uint64_t>(world.size()));
    migrate(mesh, owner);
    EXPECT_EQ(check_mesh(mesh), std::vector<std::string>());
    EXPECT_EQ(test::digest(mesh), before);
  }
}

TEST_P(Partitioners, SolversNumberNodesWithoutGapsRankByRank) {
  const Mesh mesh = distribute(core::Comm(), test::kuhn_box(5, 4, 3, 5, 4, 3), {}, {stone()}, with(GetParam()));
  const NodeNumbering numbering = number_nodes(mesh);
  EXPECT_EQ(numbering.total, 6 * 5 * 4);
  std::int64_t next = numbering.first;
  std::map<GlobalNode, std::int64_t> owned;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    ASSERT_GE(numbering.number[n], 0);
    ASSERT_LT(numbering.number[n], numbering.total);
    if (mesh.is_owned(n)) owned[mesh.node_id[n]] = numbering.number[n];
  }
  for (const auto& [id, number] : owned) EXPECT_EQ(number, next++);  // ascending ids
  EXPECT_EQ(next, numbering.first + numbering.count);
  // A ghost's number is its owner's: sent there and back it is still the same.
  NodeField<std::int64_t> again = numbering.number;
  mesh.halo().update_ghosts(again.span());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    EXPECT_EQ(again[LocalNode(i)], numbering.number[LocalNode(i)]);
}

INSTANTIATE_TEST_SUITE_P(All, Partitioners, ::testing::Values(Partitioner::metis, Partitioner::random));

// A halo with its own numbering of the arrays, for some ghosts only.
TEST_P(Partitioners, GhostsFromALevelOnTakeTheirOwnersValues) {
  const core::Comm world;
  const Mesh mesh = distribute(world, test::kuhn_box(6, 5, 4, 6, 5, 4), {}, {stone()}, with(GetParam()));
  const std::int32_t num_slots = mesh.num_node_slots();
  std::vector<LocalNode> ghosts;
  std::vector<std::int32_t> number(static_cast<std::size_t>(num_slots));
  std::vector<std::int64_t> from_all(number.size(), -1);
  std::vector<std::int8_t> level(number.size());
  for (std::int32_t i = 1; i < num_slots; ++i) {
    const LocalNode n(i);
    const auto own = static_cast<std::size_t>(num_slots - i);
    number[static_cast<std::size_t>(i)] = num_slots - i;
    if (!mesh.is_owned(n)) {
      ghosts.push_back(n);
      continue;
    }
    from_all[own] = mesh.node_id[n].value;
    level[own] = static_cast<std::int8_t>(mesh.node_id[n].value % 3);
  }
  std::vector<std::int64_t> from_two = from_all;
  std::vector<GhostLink> links;
  for (const LocalNode n : ghosts) links.push_back(mesh.link_of(n));
  const Halo all(mesh.comm(), links, number, number.size());
  all.update_ghosts(std::span(from_all));
  all.update_ghosts(std::span(level));
  all.from_level(world, level, 2).update_ghosts(std::span(from_two));
  for (const LocalNode n : ghosts) {
    const std::int64_t id = mesh.node_id[n].value;
    const auto own = static_cast<std::size_t>(num_slots - n.value);
    EXPECT_EQ(from_all[own], id);
    EXPECT_EQ(level[own], id % 3);
    EXPECT_EQ(from_two[own], id % 3 == 2 ? id : -1);
  }
}

/// Blocks of 2 × 2 × 2 cubes, a metre apart along x, each a piece of its own.
mesh::TetMesh row_of_blocks(int count) {
  mesh::TetMesh all;
  for (int b = 0; b < count; ++b) {
    mesh::TetMesh block = test::kuhn_box(2, 2, 2, 1, 1, 1);
    const auto first = static_cast<std::int32_t>(all.nodes.size());
    for (const Vec3& x : block.nodes) all.nodes.push_back(x + Vec3(2 * b, 0, 0));
    for (auto tet : block.tets) {
      for (std::int32_t& n : tet) n += first;
      all.tets.push_back(tet);
    }
    all.face_source.insert(all.face_source.end(), block.face_source.begin(), block.face_source.end());
  }
  return all;
}

TEST_P(Partitioners, PiecesThatAreTakenOutLeaveTheOthersAsTheyWere) {
  const core::Comm world;
  Mesh mesh = distribute(world, row_of_blocks(5), {}, {stone()}, with(GetParam()));
  const auto take_out = [&](double from, double to) {
    std::vector<LocalElement> elements;
    for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
      if (const LocalElement e(i); mesh.is_held(e)) {
        const double x = mesh.rest[mesh.corner(e, 0)].x();
        if (x >= from && x <= to) elements.push_back(e);
      }
    mesh.remove_elements(elements);
    mesh.relink_ghosts();
  };
  const auto check = [&](std::int64_t blocks) {
    EXPECT_EQ(check_mesh(mesh), std::vector<std::string>());
    const auto totals = test::totals(mesh);
    EXPECT_EQ(totals.nodes, 27 * blocks);
    EXPECT_EQ(totals.elements, 48 * blocks);
    EXPECT_NEAR(totals.volume, static_cast<double>(blocks), 1e-12);
    EXPECT_EQ(static_cast<std::int64_t>(find_pieces(mesh).list.size()), blocks);
  };
  take_out(4, 5);  // the third, so that ids have a gap; many slots are empty, and closed
  check(4);
  take_out(0, 1);  // the first
  check(3);
  const std::uint64_t before = test::digest(mesh);
  NodeField<std::int32_t> owner(static_cast<std::size_t>(mesh.num_node_slots()), 0);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) owner[n] = random_owner(mesh.node_id[n].value, world.size(), 5);
  migrate(mesh, owner);
  check(3);
  EXPECT_EQ(test::digest(mesh), before);
  // Free slots are reused: a cut works as in any mesh.
  const GlobalNode a(27), b(28);
  std::vector<std::pair<GlobalElement, GlobalElement>> children;
  std::vector<std::int64_t> parents;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e) || !mesh.is_home(e)) continue;
    const auto c = mesh.element_record(e).corners;
    if (std::ranges::find(c, a) != c.end() && std::ranges::find(c, b) != c.end())
      parents.push_back(mesh.element_id[e].value);
  }
  parents = world.all_gather(std::span<const std::int64_t>(parents));
  std::ranges::sort(parents);
  for (std::size_t k = 0; k < parents.size(); ++k)
    children.emplace_back(GlobalElement(parents[k]),
                          GlobalElement(mesh.facts.next_element_id + static_cast<std::int64_t>(k)));
  ASSERT_FALSE(children.empty());
  mesh.split_edge(a, b, 0.5, GlobalNode(mesh.facts.next_node_id), random_owner(27, world.size(), 5), children);
  mesh.finish_cuts();
  mesh.relink_ghosts();
  EXPECT_EQ(check_mesh(mesh), std::vector<std::string>());
  EXPECT_EQ(test::totals(mesh).nodes, 3 * 27 + 1);
}

TEST(Pieces, AreFoundAcrossRanks) {
  // Two bars, interleaved among the ranks by a random partition.
  auto bars = test::kuhn_box(12, 1, 1, 12, 1, 1);
  const auto one = bars;
  const auto shift = static_cast<std::int32_t>(bars.nodes.size());
  for (const Vec3& x : one.nodes) bars.nodes.push_back(x + Vec3(0, 5, 0));
  for (auto tet : one.tets) {
    for (auto& n : tet) n += shift;
    bars.tets.push_back(tet);
  }
  bars.face_source.clear();
  const Mesh mesh = distribute(core::Comm(), bars, {}, {stone()}, with(Partitioner::random));
  const Pieces pieces = find_pieces(mesh);
  ASSERT_EQ(pieces.list.size(), 2u);
  EXPECT_EQ(pieces.list[0].lowest_node, GlobalNode(0));
  EXPECT_EQ(pieces.list[1].lowest_node, GlobalNode(shift));
  EXPECT_NEAR(pieces.list[0].mass, 24000, 1e-9);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_used(LocalNode(i))) {
      EXPECT_EQ(pieces.of_node[LocalNode(i)], mesh.node_id[LocalNode(i)].value < shift ? 0 : 1);
    }
}

TEST(Distribute, AnInvertedElementIsRefusedOnEveryRank) {
  auto box = test::kuhn_box(2, 2, 2, 1, 1, 1);
  std::swap(box.tets[7][0], box.tets[7][1]);
  try {
    (void)distribute(core::Comm(), box, {}, {stone()}, {});
    FAIL() << "accepted";
  } catch (const core::Error& e) {
    EXPECT_NE(std::string(e.what()).find("tet 7 is inverted"), std::string::npos) << e.what();
  }
}

TEST(Distribute, FewerNodesThanRanksStillWorks) {
  mesh::TetMesh tet;
  tet.nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  tet.tets = {{0, 1, 2, 3}};
  const Mesh mesh = distribute(core::Comm(), tet, {}, {stone()}, with(Partitioner::random));
  EXPECT_EQ(check_mesh(mesh), std::vector<std::string>());
  EXPECT_EQ(test::totals(mesh).elements, 1);
}

TEST(SparseExchange, DeliversEveryBufferAndNothingElse) {
  const core::Comm world;
  std::map<int, std::vector<std::byte>> outgoing;
  for (int to = 0; to < world.size(); ++to) {
    if ((world.rank() + to) % 3 == 1) continue;  // some pairs stay silent
    core::ByteWriter out;
    out.put_all(std::vector<int>(static_cast<std::size_t>(to + 1), 100 * world.rank() + to));
    outgoing[to] = std::move(out.bytes());
  }
  std::vector<int> senders;
  for (const la::Message& message : la::sparse_exchange(world, outgoing)) {
    senders.push_back(message.rank);
    EXPECT_EQ(core::ByteReader(message.bytes).get_all<int>(),
              std::vector<int>(static_cast<std::size_t>(world.rank() + 1), 100 * message.rank + world.rank()));
  }
  std::vector<int> expected;
  for (int from = 0; from < world.size(); ++from)
    if ((from + world.rank()) % 3 != 1) expected.push_back(from);
  EXPECT_EQ(senders, expected);
}

}  // namespace
}  // namespace brisance::dist
