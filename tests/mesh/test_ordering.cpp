// Renumbering keeps the mesh and everything attached to it, and brings neighbours together.
#include "brisance/core/random.hpp"
#include "brisance/mesh/tets/ordering.hpp"

#include "support/kuhn.hpp"

#include <map>
#include <numeric>

#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

/// A box whose nodes and tets come in random order, with a stray node, and every attached array filled.
TetMesh shuffled_box() {
  TetMesh box = test::kuhn_box(12, 9, 7, 1.2, 0.9, 0.7);
  box.nodes.emplace_back(5, 5, 5);
  std::vector<std::size_t> nodes(box.nodes.size()), tets(box.tets.size());
  auto shuffle = [](std::vector<std::size_t>& order, std::uint64_t seed) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [=](auto a, auto b) { return core::hash_bits(seed, a, 0) < core::hash_bits(seed, b, 0); });
  };
  shuffle(nodes, 1), shuffle(tets, 2);
  TetMesh mesh;
  std::vector<std::int32_t> index(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    index[nodes[i]] = static_cast<std::int32_t>(i);
    mesh.nodes.push_back(box.nodes[nodes[i]]);
    mesh.displacement.push_back(2 * mesh.nodes.back());
    mesh.velocity.push_back(3 * mesh.nodes.back());
  }
  for (const auto old : tets) {
    mesh.tets.push_back(box.tets[old]);
    for (auto& corner : mesh.tets.back()) corner = index[corner];
    mesh.face_source.push_back(box.face_source[old]);
    mesh.region.push_back(static_cast<std::int32_t>(old));
  }
  return mesh;
}

double mean_corner_distance(const TetMesh& mesh) {
  double sum = 0;
  for (const auto& tet : mesh.tets) {
    const auto [low, high] = std::minmax_element(tet.begin(), tet.end());
    sum += *high - *low;
  }
  return sum / static_cast<double>(mesh.tets.size());
}

TEST(Ordering, EveryTetKeepsItsCornersTagsAndRegion) {
  const TetMesh before = shuffled_box();
  TetMesh after = before;
  order_for_locality(after);
  ASSERT_EQ(after.tets.size(), before.tets.size());
  std::map<std::int32_t, std::size_t> by_region;
  for (std::size_t e = 0; e < before.tets.size(); ++e) by_region[before.region[e]] = e;
  for (std::size_t e = 0; e < after.tets.size(); ++e) {
    const std::size_t old = by_region.at(after.region[e]);
    for (int c = 0; c < 4; ++c) ASSERT_EQ(after.nodes[after.tets[e][c]], before.nodes[before.tets[old][c]]);
    ASSERT_EQ(after.face_source[e], before.face_source[old]);
    by_region.erase(after.region[e]);
  }
  for (std::size_t n = 0; n < after.nodes.size(); ++n) {
    ASSERT_EQ(after.displacement[n], 2 * after.nodes[n]);
    ASSERT_EQ(after.velocity[n], 3 * after.nodes[n]);
  }
}

TEST(Ordering, CornersOfATetAndNeighbouringTetsComeClose) {
  TetMesh mesh = shuffled_box();
  const double before = mean_corner_distance(mesh);
  order_for_locality(mesh);
  EXPECT_LT(mean_corner_distance(mesh), 0.25 * before);
  for (std::size_t e = 1; e < mesh.tets.size(); ++e)
    ASSERT_LE(*std::min_element(mesh.tets[e - 1].begin(), mesh.tets[e - 1].end()),
              *std::min_element(mesh.tets[e].begin(), mesh.tets[e].end()));
}

TEST(Ordering, AStrayNodeComesLastAndTheResultIsRepeatable) {
  TetMesh one = shuffled_box(), two = one;
  order_for_locality(one);
  order_for_locality(two);
  EXPECT_EQ(one.tets, two.tets);
  EXPECT_EQ(one.nodes, two.nodes);
  EXPECT_EQ(one.nodes.back(), Vec3(5, 5, 5));
}

TEST(Ordering, AnEmptyMeshStaysEmpty) {
  TetMesh mesh;
  order_for_locality(mesh);
  EXPECT_TRUE(mesh.nodes.empty());
}

}  // namespace
}  // namespace brisance::mesh
