/// Tets that are divided but not cut (VALIDATION F9): volumes add up, surfaces close, numbering has no effect.
#include "brisance/core/random.hpp"
#include "brisance/elements/partitioned_tet.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <gtest/gtest.h>

namespace brisance::elements {
namespace {

constexpr std::uint64_t kSeed = 20261129;

/// Corners of a tet without symmetry [m].
const std::array<Vec3, 4> kCorners{Vec3(0, 0, 0), Vec3(1.1, 0.1, 0), Vec3(0.2, 0.9, 0.1), Vec3(0.1, 0.3, 1.2)};

Vec3 place(const Barycentric& b) {
  return b[0] * kCorners[0] + b[1] * kCorners[1] + b[2] * kCorners[2] + b[3] * kCorners[3];
}

Vec3 area(const SurfaceTriangle& t) { return 0.5 * (place(t[1]) - place(t[0])).cross(place(t[2]) - place(t[0])); }

/// A partition after up to three divisions, each followed by the caller's update of first cuts.
Partition random_partition(std::uint64_t key) {
  Partition p;
  const int num_divisions = 1 + static_cast<int>(core::hash_bits(kSeed, key, 1) % 3);
  for (int k = 0; k < num_divisions; ++k) {
    const auto block = p.block[core::hash_bits(kSeed, key, 10 + k) % 4];
    std::uint8_t members = 0;
    for (int v = 0; v < 4; ++v)
      if (p.block[static_cast<std::size_t>(v)] == block) members |= static_cast<std::uint8_t>(1U << v);
    const auto second = static_cast<std::uint8_t>(core::hash_bits(kSeed, key, 20 + k) & members);
    if (second == 0 || second == members) continue;
    p = divided(p, block, second);
    for (std::size_t e = 0; e < 6; ++e) {
      if (!p.separates(static_cast<int>(e)) || (p.placed >> e & 1) != 0) continue;
      p.cut_at[e] = rounded_cut(core::hash_uniform(kSeed, key, 30 + e));
      p.placed |= static_cast<std::uint8_t>(1U << e);
    }
    if (p.first == 0) p.first = p.separated();
    for (std::size_t f = 0; f < 4; ++f)
      if (p.face_first[f] == 0) p.face_first[f] = p.separated() & kFaceEdges[f];
  }
  return p;
}

TEST(PartitionedTet, AWholeTetHasAllMaterial) {
  const auto materials = block_materials(Partition{});
  EXPECT_EQ(materials[0].share, 1);
  EXPECT_EQ(materials[0].centroid, (Barycentric{0.25, 0.25, 0.25, 0.25}));
  std::vector<SurfaceTriangle> surface;
  append_crack_faces(Partition{}, 0, surface);
  EXPECT_TRUE(surface.empty());
  for (int f = 0; f < 4; ++f) append_face(Partition{}, 0, f, surface);
  Vec3 sum = Vec3::Zero();
  for (const auto& t : surface) sum += area(t);
  EXPECT_LT(sum.norm(), 1e-15);
}

TEST(PartitionedTet, BlocksShareTheVolumeAndHaveClosedSurfaces) {
  const double volume = (kCorners[1] - kCorners[0]).cross(kCorners[2] - kCorners[0]).dot(kCorners[3] - kCorners[0]) / 6;
  int num_divided = 0;
  for (std::uint64_t key = 0; key < 5000; ++key) {
    const Partition p = random_partition(key);
    num_divided += p.is_whole() ? 0 : 1;
    const auto materials = block_materials(p);
    double shares = 0;
    Vec3 first_moment = Vec3::Zero();
    for (int k = 0; k < 4; ++k) {
      const BlockMaterial& m = materials[static_cast<std::size_t>(k)];
      if (p.block[static_cast<std::size_t>(k)] != k) {
        EXPECT_EQ(m.share, 0);
        continue;
      }
      EXPECT_GT(m.share, 0);  // every block has a real vertex with the material around it
      shares += m.share;
      first_moment += m.share * place(m.centroid);
      std::vector<SurfaceTriangle> surface;
      append_crack_faces(p, k, surface);
      for (int f = 0; f < 4; ++f) append_face(p, k, f, surface);
      Vec3 sum = Vec3::Zero();
      double enclosed = 0;  // divergence theorem
      for (const auto& t : surface) {
        sum += area(t);
        enclosed += area(t).dot(place(t[0])) / 3;
      }
      EXPECT_LT(sum.norm(), 1e-14);
      EXPECT_NEAR(enclosed, m.share * volume, 1e-14);
    }
    EXPECT_NEAR(shares, 1, 1e-15);
    const Vec3 middle = 0.25 * (kCorners[0] + kCorners[1] + kCorners[2] + kCorners[3]);
    EXPECT_LT((first_moment - middle).norm(), 1e-14);
  }
  EXPECT_GT(num_divided, 3000);
}

// The surface for contact has fewer triangles, no points on whole edges, and numbers of its own.
TEST(PartitionedTet, TheSurfaceInFewTrianglesEnclosesTheSameMaterial) {
  const double volume = (kCorners[1] - kCorners[0]).cross(kCorners[2] - kCorners[0]).dot(kCorners[3] - kCorners[0]) / 6;
  for (std::uint64_t key = 0; key < 2000; ++key) {
    const Partition p = random_partition(key);
    for (int k = 0; k < 4; ++k) {
      if (p.block[static_cast<std::size_t>(k)] != k) continue;
      std::vector<NumberedTriangle> surface;
      append_surface(p, k, 0b1111, surface);
      Vec3 sum = Vec3::Zero();
      double enclosed = 0;
      int last = -1;
      for (const NumberedTriangle& t : surface) {
        EXPECT_GT(t.number, last);
        last = t.number;
        sum += area(t.corners);
        enclosed += area(t.corners).dot(place(t.corners[0])) / 3;
        for (const Barycentric& corner : t.corners)
          for (int e = 0; e < 6; ++e)
            if (!p.separates(e)) {
              EXPECT_NE(corner, edge_point(p, e));
            }
      }
      EXPECT_LT(last, kMostTriangles);
      EXPECT_LT(sum.norm(), 1e-14);
      EXPECT_NEAR(enclosed, block_materials(p)[static_cast<std::size_t>(k)].share * volume, 1e-14);
    }
  }
}

// Blocks on the sides of a plane have the volumes that the plane cuts off: of heights h the part below is
// Σ over h_i < 0 of (−h_i)³ / Π_{j≠i} (h_j − h_i).
TEST(PartitionedTet, APlaneDividesTheVolumeAsItCuts) {
  int num_cut = 0;
  for (std::uint64_t key = 0; num_cut < 500 && key < 10000; ++key) {
    std::array<double, 4> height;
    std::uint8_t below = 0;
    for (std::size_t v = 0; v < 4; ++v) {
      height[v] = core::hash_uniform(kSeed, key, 50 + v) - 0.5;
      if (height[v] < 0) below |= static_cast<std::uint8_t>(1U << v);
    }
    if (below == 0 || below == 15) continue;
    Partition p = divided(Partition{}, 0, below);
    bool is_in_range = true;
    for (std::size_t e = 0; e < 6; ++e) {
      if (!p.separates(static_cast<int>(e))) continue;
      const double a = height[static_cast<std::size_t>(kTetEdges[e][0])],
                   b = height[static_cast<std::size_t>(kTetEdges[e][1])], t = a / (a - b);
      is_in_range = is_in_range && t > kLeastCut && t < kMostCut;
      p.cut_at[e] = rounded_cut(t);
      p.placed |= static_cast<std::uint8_t>(1U << e);
    }
    if (!is_in_range) continue;
    ++num_cut;
    p.first = p.separated();
    for (std::size_t f = 0; f < 4; ++f) p.face_first[f] = p.first & kFaceEdges[f];
    double expected = 0;
    std::size_t lowest = 4;
    for (std::size_t i = 4; i-- > 0;) {
      if (height[i] >= 0) continue;
      lowest = i;
      double part = -height[i] * height[i] * height[i];
      for (std::size_t j = 0; j < 4; ++j)
        if (j != i) part /= height[j] - height[i];
      expected += part;
    }
    EXPECT_NEAR(block_materials(p)[lowest].share, expected, 1e-9) << key;  // places are rounded to 2⁻³⁰
  }
  EXPECT_EQ(num_cut, 500);
}

/// The same partition with its vertices in another order.
Partition renumbered(const Partition& p, const std::array<int, 4>& new_of_old) {
  Partition q;
  for (int v = 0; v < 4; ++v) {
    int lowest = 4;
    for (int w = 0; w < 4; ++w)
      if (p.block[static_cast<std::size_t>(w)] == p.block[static_cast<std::size_t>(v)])
        lowest = std::min(lowest, new_of_old[static_cast<std::size_t>(w)]);
    q.block[static_cast<std::size_t>(new_of_old[static_cast<std::size_t>(v)])] = static_cast<std::uint8_t>(lowest);
  }
  for (int e = 0; e < 6; ++e) {
    const int i = new_of_old[static_cast<std::size_t>(kTetEdges[static_cast<std::size_t>(e)][0])];
    const int j = new_of_old[static_cast<std::size_t>(kTetEdges[static_cast<std::size_t>(e)][1])];
    const auto to = static_cast<std::size_t>(kTetEdgeOf[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
    if ((p.placed >> e & 1) != 0) q.placed |= static_cast<std::uint8_t>(1U << to);
    q.cut_at[to] = i < j ? p.cut_at[static_cast<std::size_t>(e)] : 1 - p.cut_at[static_cast<std::size_t>(e)];
    const auto bit = static_cast<std::uint8_t>(1U << to);
    if ((p.first >> e & 1) != 0) q.first |= bit;
    for (int f = 0; f < 4; ++f)
      if ((p.face_first[static_cast<std::size_t>(f)] >> e & 1) != 0)
        q.face_first[static_cast<std::size_t>(new_of_old[static_cast<std::size_t>(f)])] |= bit;
  }
  return q;
}

TEST(PartitionedTet, PointsDoNotDependOnTheOrderOfVertices) {
  for (std::uint64_t key = 0; key < 200; ++key) {
    const Partition p = random_partition(key);
    std::array<int, 4> order{0, 1, 2, 3};
    do {
      const Partition q = renumbered(p, order);
      for (int k = 0; k < 4; ++k) {
        std::vector<SurfaceTriangle> here, there;
        append_face(p, p.block[static_cast<std::size_t>(k)], (k + 1) % 4, here);
        append_face(q, q.block[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])],
                    order[static_cast<std::size_t>((k + 1) % 4)], there);
        std::vector<Barycentric> a, b;
        for (const auto& t : here)
          for (const Barycentric& corner : t) {
            Barycentric moved{};
            for (int v = 0; v < 4; ++v)
              moved[static_cast<std::size_t>(order[static_cast<std::size_t>(v)])] = corner[static_cast<std::size_t>(v)];
            a.push_back(moved);
          }
        for (const auto& t : there) b.insert(b.end(), t.begin(), t.end());
        std::ranges::sort(a);
        std::ranges::sort(b);
        EXPECT_EQ(a, b);  // to the bit: neighbours see the same points on a face
      }
    } while (std::ranges::next_permutation(order).found);
  }
}

TEST(PartitionedTet, CutsStayInRangeAndHaveAnExactComplement) {
  for (std::uint64_t key = 0; key < 1000; ++key) {
    const double t = rounded_cut(2 * core::hash_uniform(kSeed, key, 5) - 0.5);
    EXPECT_GE(t, kLeastCut);
    EXPECT_LE(t, kMostCut);
    EXPECT_EQ(1 - (1 - t), t);
    EXPECT_EQ(rounded_cut(1 - t), 1 - t);
  }
}

}  // namespace
}  // namespace brisance::elements
