#include "brisance/contact/overlap/node_penetration.hpp"

#include "support/kuhn.hpp"
#include "support/random_tet.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using Corners = std::array<Vec3, 4>;
using test::random_tet;

Vec3 random_point(std::mt19937& random) {
  std::uniform_real_distribution<double> coordinate(0, 1);
  return {coordinate(random), coordinate(random), coordinate(random)};
}

/// Depths of a single tet: all faces are the surface.
TetDepths crumb(const PlacedTet& tet, std::mt19937& random) {
  std::uniform_real_distribution<double> mass(0.1, 1);
  TetDepths depths;
  for (double& m : depths.node_mass) m = mass(random);
  depths.area = std::pow(tet.volume, 2.0 / 3);
  double least = 1e300;
  for (const Vec3& g : tet.gradient) least = std::min(least, 1 / g.norm());
  depths.depth[15] = least / 4;
  return depths;
}

/// With an independent depth at each corner, edge, face and inside.
TetDepths any_depths(std::mt19937& random) {
  std::uniform_real_distribution<double> some(0.1, 1);
  TetDepths depths;
  for (std::size_t bits = 1; bits < 16; ++bits) depths.depth[bits] = some(random);
  for (double& m : depths.node_mass) m = some(random);
  depths.area = some(random);
  return depths;
}

// Also for points on the faces, edges and nodes between them, where rounding would decide without exact arithmetic.
TEST(NodePenetration, OneOfTheTetsThatFillASpaceHoldsAPoint) {
  std::mt19937 random(1);
  for (const double angle : {0.0, 0.7}) {
    const Mat3 turn = Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    mesh::TetMesh grid = test::kuhn_box(3, 3, 3, 0.9, 0.9, 0.9);
    for (Vec3& x : grid.nodes) x = turn * x;
    std::vector<PlacedTet> tets;
    for (const auto& t : grid.tets)
      tets.push_back(placed_tet({grid.nodes[t[0]], grid.nodes[t[1]], grid.nodes[t[2]], grid.nodes[t[3]]}));
    const auto count = [&](const Vec3& x) {
      return std::count_if(tets.begin(), tets.end(), [&](const PlacedTet& t) { return holds(t, x); });
    };
    const auto is_inner = [&](const Vec3& x) {
      const Vec3 at = turn.transpose() * x;
      return at.minCoeff() > 1e-6 && at.maxCoeff() < 0.9 - 1e-6;
    };
    int on_nodes = 0, in_middles = 0;
    for (const Vec3& x : grid.nodes)
      if (is_inner(x)) {
        ++on_nodes;
        ASSERT_EQ(count(x), 1);
      }
    std::uniform_int_distribution<std::size_t> any(0, tets.size() - 1), corner(0, 3);
    for (int i = 0; i < 4000; ++i) {
      const Corners& c = tets[any(random)].corner;
      const std::size_t a = corner(random), b = corner(random), d = corner(random);
      const double s = random_point(random).x(), t = i % 2 == 0 ? 0 : random_point(random).y();
      const Vec3 x = (1 - t) * ((1 - s) * c[a] + s * c[b]) + t * c[d];  // on an edge or a face, to rounding
      if (!is_inner(x)) {
        ASSERT_LE(count(x), 1);
        continue;
      }
      ++in_middles;
      ASSERT_EQ(count(x), 1) << x.transpose();
    }
    EXPECT_EQ(on_nodes, 8);
    EXPECT_GT(in_middles, 1000);
  }
}

TEST(NodePenetration, HoldsWhatLiesInsideByItsCoordinates) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    const PlacedTet tet = placed_tet(random_tet(random));
    const Vec3 x = 2 * random_point(random) - Vec3::Ones();
    const auto lambda = tet.coordinates(x);
    const double least = *std::min_element(lambda.begin(), lambda.end());
    if (std::abs(least) > 1e-9) {
      EXPECT_EQ(holds(tet, x), least > 0);
    }
  }
}

// Depths belong to places, so two tets that share a face have the same values on it.
TEST(NodePenetration, DepthGoesOnFromOneTetToTheNext) {
  std::mt19937 random(3);
  const mesh::TetMesh grid = test::kuhn_box(2, 2, 2, 1, 1, 1);
  std::uniform_real_distribution<double> some(0.1, 1);
  std::map<std::set<std::int32_t>, double> depth_at_place;
  std::map<std::set<std::int32_t>, std::vector<std::size_t>> tets_of_face;
  std::vector<TetDepths> depths(grid.tets.size());
  std::vector<PlacedTet> tets;
  for (std::size_t t = 0; t < grid.tets.size(); ++t) {
    const auto& c = grid.tets[t];
    tets.push_back(placed_tet({grid.nodes[c[0]], grid.nodes[c[1]], grid.nodes[c[2]], grid.nodes[c[3]]}));
    for (std::size_t bits = 1; bits < 16; ++bits) {
      std::set<std::int32_t> place;
      for (std::size_t k = 0; k < 4; ++k)
        if ((bits >> k & 1) != 0) place.insert(c[k]);
      depths[t].depth[bits] = depth_at_place.try_emplace(place, some(random)).first->second;
      if (place.size() == 3) tets_of_face[place].push_back(t);
    }
  }
  int shared = 0;
  for (const auto& [face, both] : tets_of_face) {
    if (both.size() != 2) continue;
    ++shared;
    for (int i = 0; i < 10; ++i) {
      Vec3 weight = random_point(random);
      weight /= weight.sum();
      Vec3 x = Vec3::Zero();
      int k = 0;
      for (const std::int32_t n : face) x += weight[k++] * grid.nodes[n];
      const auto depth = [&](std::size_t t) { return depth_at(depths[t], tets[t].coordinates(x)).depth; };
      EXPECT_NEAR(depth(both[0]), depth(both[1]), 1e-13);
    }
  }
  EXPECT_GT(shared, 60);
  // At corners it is the given depth, and each middle has its own depth added to the contribution of smaller parts
  // there.
  const auto& d = depths[0].depth;
  EXPECT_NEAR(depth_at(depths[0], {0, 1, 0, 0}).depth, d[2], 1e-15);
  EXPECT_NEAR(depth_at(depths[0], {0.5, 0, 0.5, 0}).depth, (d[1] + d[4]) / 2 + d[5], 1e-15);
  EXPECT_NEAR(depth_at(depths[0], {0, 1.0 / 3, 1.0 / 3, 1.0 / 3}).depth,
              (d[2] + d[4] + d[8]) / 3 + 4.0 / 9 * (d[6] + d[10] + d[12]) + d[14], 1e-14);
}

// In a small piece, all of whose faces are the surface, depth is the product of coordinates alone.
TEST(NodePenetration, CountsANodeAsItsDepthTimesAnArea) {
  std::mt19937 random(4);
  int found = 0;
  for (int i = 0; i < 3000; ++i) {
    const PlacedTet a = placed_tet(random_tet(random)), b = placed_tet(random_tet(random));
    const TetDepths of_a = crumb(a, random), of_b = crumb(b, random);
    double expected = 0;
    for (std::size_t n = 0; n < 4; ++n) {
      const auto lambda = b.coordinates(a.corner[n]);
      if (*std::min_element(lambda.begin(), lambda.end()) <= 0) continue;
      double give = 0;
      for (std::size_t j = 0; j < 4; ++j) give += lambda[j] / of_b.node_mass[j];
      expected += of_a.area * 256 * lambda[0] * lambda[1] * lambda[2] * lambda[3] * of_b.depth[15] /
                  std::sqrt(1 + of_a.node_mass[n] * give);
    }
    const TetOverlap overlap = nodes_inside(a, of_a, b, of_b);
    ASSERT_NEAR(overlap.volume, expected, 1e-13);
    if (expected > 0) ++found;
  }
  EXPECT_GT(found, 100);
}

// Never steeper than the distance from the opposite face, and as steep as that somewhere.
TEST(NodePenetration, MiddlesRiseAsSteeplyAsSaid) {
  for (const std::size_t size : {2U, 3U, 4U}) {
    TetDepths depths;
    depths.depth[(1U << size) - 1] = 1;
    double most = 0;
    std::mt19937 random(6);
    for (int i = 0; i < 20000; ++i) {  // from the face opposite corner 0: the others' shares
      std::array<double, 4> lambda{};
      double sum = 0;
      for (std::size_t k = 1; k < size; ++k) sum += lambda[k] = i == 0 ? 1 : random_point(random).x();
      for (double& l : lambda) l /= sum;
      most = std::max(most, depth_at(depths, lambda).gradient[0]);
    }
    EXPECT_NEAR(most, middle_slope(size), 1e-12) << size;
  }
}

TEST(NodePenetration, GradientIsThatOfWhatCountsAndHasNeitherForceNorMoment) {
  std::mt19937 random(5);
  int found = 0;
  for (int i = 0; i < 2000; ++i) {
    const Corners a = random_tet(random), b = random_tet(random);
    const TetDepths of_a = any_depths(random), of_b = any_depths(random);
    const TetOverlap o = nodes_inside(placed_tet(a), of_a, placed_tet(b), of_b);
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (std::size_t k = 0; k < 8; ++k) {
      force += o.gradient[k];
      moment += (k < 4 ? a[k] : b[k - 4]).cross(o.gradient[k]);
    }
    EXPECT_LT(force.norm(), 1e-13);
    EXPECT_LT(moment.norm(), 1e-12);
    if (!(o.volume > 0)) continue;
    const double h = 1e-6;
    // Nodes that enter within h have no gradient for comparison.
    bool smooth = true;
    for (const Vec3& x : a) {
      const auto lambda = placed_tet(b).coordinates(x);
      smooth = smooth && std::none_of(lambda.begin(), lambda.end(), [](double l) { return std::abs(l) < 1e-4; });
    }
    if (!smooth) continue;
    ++found;
    for (std::size_t k = 0; k < 8; ++k)
      for (int axis = 0; axis < 3; ++axis) {
        const auto moved = [&](double by) {
          Corners p = a, q = b;
          (k < 4 ? p[k] : q[k - 4])[axis] += by;
          return nodes_inside(placed_tet(p), of_a, placed_tet(q), of_b).volume;
        };
        EXPECT_NEAR((moved(h) - moved(-h)) / (2 * h), o.gradient[k][axis], 1e-5);
      }
  }
  EXPECT_GT(found, 50);
}

}  // namespace
}  // namespace brisance::contact
