/// The nodes that crack in a round: a maximal set in which no two are so near that their cuts could meet, the same on
/// any ranks.
#include "brisance/core/random.hpp"
#include "brisance/dist/distribute.hpp"

#include "fracture/independent_set.hpp"
#include "support/fracture_mesh.hpp"
#include "support/kuhn.hpp"

#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace brisance::fracture {
namespace {

constexpr std::uint64_t kSeed = 7;
constexpr int kNear = 3;  // edges

mesh::TetMesh box() { return test::kuhn_box(9, 8, 7, 1, 1, 1); }

std::map<LocalNode, Failure> failures(const dist::Mesh& mesh, double share) {
  std::map<LocalNode, Failure> failing;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    const auto id = static_cast<std::uint64_t>(mesh.node_id[n].value);
    if (!mesh.is_owned(n) || core::hash_uniform(kSeed, id, 1) >= share) continue;
    failing[n] = {n, 1 + 3 * core::hash_uniform(kSeed, id, 2), Vec3::UnitX()};
  }
  return failing;
}

std::set<std::int64_t> ids_of(const dist::Mesh& mesh, const std::vector<LocalNode>& nodes) {
  std::vector<std::int64_t> mine;
  for (LocalNode n : nodes) mine.push_back(mesh.node_id[n].value);
  const auto all = mesh.comm().all_gather(std::span<const std::int64_t>(mine));
  return {all.begin(), all.end()};
}

/// Edges from a node to every other, no more than kNear.
std::vector<int> distances(const mesh::TetMesh& whole, std::size_t from) {
  std::vector<int> distance(whole.nodes.size(), std::numeric_limits<int>::max());
  distance[from] = 0;
  for (int d = 0; d < kNear; ++d) {
    std::vector<std::size_t> reached;
    for (const auto& tet : whole.tets)
      if (std::ranges::any_of(tet, [&](auto n) { return distance[static_cast<std::size_t>(n)] == d; }))
        for (const auto n : tet) reached.push_back(static_cast<std::size_t>(n));
    for (const std::size_t n : reached) distance[n] = std::min(distance[n], d + 1);
  }
  return distance;
}

class Selection : public ::testing::TestWithParam<double> {};

TEST_P(Selection, AreAMaximalSetOfWhichNoTwoAreNear) {
  const core::Comm comm, self(MPI_COMM_SELF);
  const dist::Mesh divided = dist::distribute(comm, comm.is_root() ? box() : mesh::TetMesh(), {}, {test::stone()},
                                              test::with_fracture_fields());
  const dist::Mesh alone = dist::distribute(self, box(), {}, {test::stone()}, test::with_fracture_fields());
  const auto cutter = make_cutter({});
  IndependentSet here(*cutter), there(*cutter);
  for (int round = 0; round < 3; ++round) {  // data kept between rounds does no harm
    const auto failing = failures(divided, GetParam());
    const auto chosen = ids_of(divided, here.select(divided, failing, kSeed, 5, round));
    EXPECT_EQ(chosen, ids_of(alone, there.select(alone, failures(alone, GetParam()), kSeed, 5, round)));
    EXPECT_EQ(static_cast<std::size_t>(comm.sum(static_cast<std::int64_t>(here.excluded().size()))) + chosen.size(),
              static_cast<std::size_t>(comm.sum(static_cast<std::int64_t>(failing.size()))));

    const mesh::TetMesh whole = box();  // ids are the box's numbers
    std::vector<bool> is_covered(whole.nodes.size(), false);
    for (const std::int64_t one : chosen) {
      const std::vector<int> distance = distances(whole, static_cast<std::size_t>(one));
      for (std::size_t n = 0; n < whole.nodes.size(); ++n) {
        if (distance[n] > kNear) continue;
        is_covered[n] = true;
        EXPECT_TRUE(static_cast<std::int64_t>(n) == one || !chosen.contains(static_cast<std::int64_t>(n)));
      }
    }
    for (const auto& entry : failures(alone, GetParam()))
      EXPECT_TRUE(is_covered[static_cast<std::size_t>(alone.node_id[entry.first].value)]);
  }
}

INSTANTIATE_TEST_SUITE_P(Shares, Selection, ::testing::Values(0.01, 0.2, 1.0));

}  // namespace
}  // namespace brisance::fracture
